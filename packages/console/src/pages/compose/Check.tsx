import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { MessageValidation, SendMessage } from "@waypost/sdk";
import type { ReactNode } from "react";
import { validationQuery } from "../../api/queries/messages.ts";
import { can } from "../../api/session.ts";
import { ErrorCode } from "../../parts/ErrorCode.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { StateSign } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { usePaused } from "../../parts/use-paused.ts";
import { text } from "../../text/text.ts";
import styles from "./compose.module.css";

const words = text.compose;
const app = getRouteApi("/app");
const SCOPE = "messages:write";
/** As long as people pause between two words. */
const PAUSE_MS = 400;

/** Whether the message would be accepted, asked again at each pause. */
export function Check({ body }: { body: SendMessage | null }) {
  const { session } = app.useRouteContext();
  const isAllowed = can(session, SCOPE);
  return (
    <section className={styles["check"]} aria-labelledby="check-title">
      <h2 id="check-title">{words.check}</h2>
      {!isAllowed ? (
        <p className="muted">{text.problem.forbidden(SCOPE)}</p>
      ) : body === null ? (
        <p className="muted">{words.incomplete}</p>
      ) : (
        <Checked body={body} />
      )}
    </section>
  );
}

function Checked({ body }: { body: SendMessage }) {
  const { data, error } = useQuery(validationQuery(usePaused(body, PAUSE_MS)));
  if (error !== null) return <Problem error={error} />;
  if (data === undefined) return <p className="muted">{words.checking}</p>;
  return <Verdict validation={data} />;
}

function Verdict({ validation: { sendable, problems, window, template, limits } }: { validation: MessageValidation }) {
  return (
    <>
      <p role="status" className={styles["verdict"]} data-good={sendable}>
        <StateSign state={sendable ? "delivered" : "failed"} />
        {sendable ? words.yes : words.no}
      </p>
      {problems.length > 0 && (
        <ul className={styles["problems"]}>
          {problems.map(({ code, title, detail }) => (
            <li key={code + detail}>
              <p>
                <strong>
                  <ServerText>{title}</ServerText>
                </strong>{" "}
                <ErrorCode code={code} />
              </p>
              <p>
                <ServerText>{detail}</ServerText>
              </p>
            </li>
          ))}
        </ul>
      )}
      <dl className={styles["facts"]}>
        {window !== null && (
          <Fact name={words.window}>
            {window.open && window.expires_at !== null ? (
              <>
                {words.windowOpen} <Time at={window.expires_at} />
              </>
            ) : (
              words.windowClosed
            )}
          </Fact>
        )}
        {template !== null && <Fact name={words.category}>{template.category}</Fact>}
        {typeof limits.messaging?.remaining === "number" && (
          <Fact name={words.limit}>{limits.messaging.remaining}</Fact>
        )}
        {typeof limits.queue?.estimated_dispatch_at === "string" && limits.queue.waiting !== 0 && (
          <Fact name={words.dispatch}>
            <Time at={limits.queue.estimated_dispatch_at} />
          </Fact>
        )}
      </dl>
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
