import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Check, Circle } from "lucide-react";
import { useEffect, useState } from "react";
import { firstStepsQuery } from "../../api/queries/first-steps.ts";
import { can, type Session } from "../../api/session.ts";
import { ActionLink } from "../../parts/Action.tsx";
import controls from "../../parts/controls.module.css";
import { listOf } from "../../parts/list-of.ts";
import { paths } from "../../paths.ts";
import { firstSteps } from "../../preferences.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import styles from "./first-steps.module.css";
import { PhoneLink } from "./PhoneLink.tsx";
import { ReceivedHere } from "./ReceivedHere.tsx";
import { StepWay } from "./StepWay.tsx";
import { STEPS } from "./steps.ts";

const app = getRouteApi("/app");
const words = text.firstSteps;

/** Without one of these, it is not seen whether some steps were done. */
const SCOPES = ["messages:read", "webhooks:read"] as const;

/** What to do first, beside a simulator, until all of it was seen to be done or a person has enough of it. */
export function FirstSteps() {
  const { session } = app.useRouteContext();
  const isClosed = useStore(firstSteps) === "closed";
  return session.simulator_url === null || isClosed ? null : <Card session={session} url={session.simulator_url} />;
}

function Card({ session, url }: { session: Session; url: string }) {
  const unseen = SCOPES.filter((scope) => !can(session, scope));
  const sees = { messages: can(session, "messages:read"), webhooks: can(session, "webhooks:read") };
  const { data } = useQuery(firstStepsQuery(sees));
  const [hasReceiver, setReceiver] = useState(false);
  const count = data?.done.size ?? 0;
  const isAll = data === undefined || unseen.length > 0 ? null : count === STEPS.length;
  if (useIsOver(isAll)) return null;
  return (
    <section className={styles["card"]} aria-labelledby="first-steps">
      <div className={styles["head"]}>
        <h2 id="first-steps">{isAll === true ? words.all : words.title(count, STEPS.length)}</h2>
        <PhoneLink url={url}>{words.beside}</PhoneLink>
        <button type="button" className={controls["quiet"]} onClick={() => firstSteps.choose("closed")}>
          {words.hide}
        </button>
      </div>
      {unseen.length > 0 && <p className="muted">{words.unseen(listOf(unseen))}</p>}
      <ol>
        {STEPS.map((step) => (
          <li key={step} className={styles["step"]} data-done={data?.done.has(step) ?? false}>
            <Sign isDone={data?.done.has(step) ?? false} />
            <div>
              <p className={styles["name"]}>{words.steps[step].name}</p>
              <p className="muted">{words.steps[step].help}</p>
              {step === "receive" && session.receiver_path !== null && <ReceivedHere isOpen={hasReceiver} />}
            </div>
            <div className={styles["ways"]}>
              <StepWay
                step={step}
                session={session}
                answered={data?.answered ?? null}
                onReceiver={() => setReceiver(true)}
              />
            </div>
          </li>
        ))}
      </ol>
      {isAll === true && (
        <div className={styles["end"]}>
          <p className="muted">{words.connectHelp}</p>
          <ActionLink scope="accounts:write" look="primary" {...paths.connect()}>
            {words.connect}
          </ActionLink>
        </div>
      )}
    </section>
  );
}

/**
 * Whether an earlier visit has seen all done. A workspace in which something is left to do, such as that of a new database, begins again.
 * `isAll`: null while it is not known.
 */
function useIsOver(isAll: boolean | null): boolean {
  const [isOver, setOver] = useState(() => firstSteps.get() === "done");
  if (isOver && isAll === false) setOver(false);
  useEffect(() => {
    if (isAll !== null) firstSteps.choose(isAll ? "done" : "open");
  }, [isAll]);
  return isOver;
}

function Sign({ isDone }: { isDone: boolean }) {
  const Drawn = isDone ? Check : Circle;
  return (
    <span className={styles["sign"]}>
      <Drawn size={18} aria-hidden />
      <span className="visually-hidden">{isDone ? words.done : words.open}</span>
    </span>
  );
}
