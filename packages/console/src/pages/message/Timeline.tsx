import type { MessageWithHistory } from "@waypost/sdk";
import { useState } from "react";
import { CopyId } from "../../parts/Copy.tsx";
import controls from "../../parts/controls.module.css";
import { now } from "../../parts/now.ts";
import { ServerText } from "../../parts/ServerText.tsx";
import { StateSign } from "../../parts/Status.tsx";
import { signOf } from "../../parts/sign-of.ts";
import { Time } from "../../parts/Time.tsx";
import { span } from "../../parts/time-format.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import styles from "./timeline.module.css";
import { type ReportedError, type Step, timelineOf } from "./timeline.ts";

const words = text.timeline;

/** What happened to a message, a line for each step. */
export function Timeline({ message }: { message: MessageWithHistory }) {
  const steps = timelineOf({ ...message, occurred_at: occurredAt(message) });
  return (
    <ol className={styles["timeline"]} aria-label={words.label}>
      {steps.map((step, index) => (
        <OneStep key={index} step={step} direction={message.direction} />
      ))}
      <NextTry message={message} />
    </ol>
  );
}

/** When a message that was refused for now is tried again. */
function NextTry({ message: { next_attempt_at: at, last_error: error } }: { message: MessageWithHistory }) {
  const current = useStore(now);
  if (at === undefined) return null;
  const leftMs = Date.parse(at) - current;
  const why = error === undefined ? null : codeOf(error);
  return (
    <li className={styles["step"]} data-badge={signOf("scheduled").badge}>
      <span className={styles["sign"]}>
        <StateSign state="scheduled" />
      </span>
      <div className={styles["line"]}>
        <p className={styles["said"]}>
          {leftMs > 0 ? words.triedAgain(span(leftMs)) : words.triedNow}
          {why !== null && `: ${why}`}
        </p>
        <p className={styles["when"]}>
          <Time at={at} exact />
        </p>
      </div>
    </li>
  );
}

/** "provider_error 131016" */
const codeOf = ({ code, provider }: { code: string; provider?: { code: number } | undefined }): string =>
  provider === undefined ? code : `${code} ${provider.code}`;

function occurredAt(message: MessageWithHistory): string | null {
  const { occurred_at: at } = message;
  return typeof at === "string" ? at : null;
}

function OneStep({ step, direction }: { step: Step; direction: "inbound" | "outbound" }) {
  const { status, at, by, sinceMs, lateMs, error, tries } = step;
  const state = status === "created" ? (direction === "outbound" ? "queued" : "received") : status;
  const said = status === "created" ? words.created[direction] : (words.said[status] ?? status);
  return (
    <li className={styles["step"]} data-badge={signOf(state).badge}>
      <span className={styles["sign"]}>
        <StateSign state={tries.length > 0 ? "failing" : state} />
      </span>
      <div className={styles["line"]}>
        <p className={styles["said"]}>
          {tries.length > 1 ? words.tries(tries.length, error === null ? "" : codeOf(error)) : said}
        </p>
        <p className={styles["when"]}>
          <Time at={new Date(at).toISOString()} exact />
          {sinceMs !== null && <span>{words.after(span(sinceMs))}</span>}
          <span>{words.who[by]}</span>
          {lateMs !== null && <span>{words.late(span(lateMs))}</span>}
        </p>
        {status === "unknown" && <p>{words.unknownMeans}</p>}
        {error !== null && <StepError error={error} />}
        {tries.length > 1 && <Tries tries={tries} />}
      </div>
    </li>
  );
}

function StepError({ error: { code, title, detail, remedy, provider } }: { error: ReportedError }) {
  return (
    <div className={styles["error"]}>
      <p>
        <strong>
          <ServerText>{title}</ServerText>
        </strong>{" "}
        <code>{code}</code>
      </p>
      <p>
        <ServerText>{detail}</ServerText>
      </p>
      <p>
        <span className="muted">{words.who_acts}: </span>
        <ServerText>{remedy}</ServerText>
      </p>
      {provider !== undefined && (
        <div className={styles["provider"]}>
          <p>
            {words.provider(provider.code)}: <ServerText>{provider.title}</ServerText>
          </p>
          {provider.details !== null && (
            <p>
              <ServerText>{provider.details}</ServerText>
            </p>
          )}
          {provider.trace_id !== null && (
            <p>
              {words.trace} <CopyId id={provider.trace_id} />
            </p>
          )}
          {provider.href !== undefined && provider.href.startsWith("https://") && (
            <p>
              <a href={provider.href} target="_blank" rel="noreferrer">
                {words.providerPage}
              </a>
            </p>
          )}
        </div>
      )}
    </div>
  );
}

function Tries({ tries }: { tries: Step["tries"] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={controls["quiet"]} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? words.hideTries : words.showTries}
      </button>
      {isOpen && (
        <ol className={styles["tries"]}>
          {tries.map(({ at, error }, index) => (
            <li key={index}>
              <Time at={new Date(at).toISOString()} exact /> <code>{error.code}</code>{" "}
              <ServerText>{error.detail}</ServerText>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
