import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { NewTemplate } from "@waypost/sdk";
import { templateValidationQuery } from "../../api/queries/templates.ts";
import { can } from "../../api/session.ts";
import { Problem } from "../../parts/Problem.tsx";
import { StateSign } from "../../parts/Status.tsx";
import { usePaused } from "../../parts/use-paused.ts";
import { text } from "../../text/text.ts";
import styles from "./template.module.css";

const words = text.builder;
const app = getRouteApi("/app");
const SCOPE = "templates:write";
/** As long as people pause between two words. */
const PAUSE_MS = 400;

/** Whether the definition would be submitted, asked again at each pause. Of one that is there the checks of the name do not count. */
export function Check({ body, isNew }: { body: NewTemplate; isNew: boolean }) {
  const { session } = app.useRouteContext();
  const isAllowed = can(session, SCOPE);
  const paused = usePaused(body, PAUSE_MS);
  const isBegun = paused.name !== "";
  const { data, error } = useQuery({ ...templateValidationQuery(paused), enabled: isAllowed && isBegun });
  const problems = (data?.problems ?? []).filter(({ code }) => isNew || code !== "conflict");
  return (
    <section className={styles["check"]} aria-labelledby="template-check">
      <h2 id="template-check">{words.check}</h2>
      {!isAllowed && <p className="muted">{text.problem.forbidden(SCOPE)}</p>}
      {isAllowed && !isBegun && <p className="muted">{words.incomplete}</p>}
      {error !== null && <Problem error={error} />}
      {data !== undefined && (
        <>
          <p role="status" className={styles["verdict"]} data-good={problems.length === 0}>
            <StateSign state={problems.length === 0 ? "delivered" : "failed"} />
            {problems.length === 0 ? words.yes : words.no}
          </p>
          <ul>
            {problems.flatMap(({ detail, errors = [] }) =>
              (errors.length === 0 ? [{ pointer: "", detail }] : errors).map((one) => (
                <li key={one.pointer + one.detail}>
                  {one.pointer !== "" && <code>{one.pointer}</code>} {one.detail}
                </li>
              )),
            )}
          </ul>
        </>
      )}
    </section>
  );
}
