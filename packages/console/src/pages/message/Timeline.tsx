import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { MessageWithHistory } from "@waypost/sdk";
import { useState } from "react";
import { deliveriesQuery } from "../../api/queries/webhooks.ts";
import { can } from "../../api/session.ts";
import { CopyId } from "../../parts/Copy.tsx";
import controls from "../../parts/controls.module.css";
import { ErrorCode } from "../../parts/ErrorCode.tsx";
import { now } from "../../parts/now.ts";
import { Problem } from "../../parts/Problem.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { Time } from "../../parts/Time.tsx";
import { span } from "../../parts/time-format.ts";
import { paths } from "../../paths.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { DeliveryLine } from "./DeliveryLine.tsx";
import { TimelineLine } from "./TimelineLine.tsx";
import styles from "./timeline.module.css";
import { type Posted, type ReportedError, type Step, timelineOf } from "./timeline.ts";

const words = text.timeline;
const app = getRouteApi("/app");
const SCOPE = "webhooks:read";

/** What happened to a message, a line for each step, and for each delivery of its events where these may be seen. */
export function Timeline({ message }: { message: MessageWithHistory }) {
  const { session } = app.useRouteContext();
  const isSeen = can(session, SCOPE);
  const { data, error, refetch } = useQuery({ ...deliveriesQuery(message), enabled: isSeen });
  const lines = timelineOf({ ...message, occurred_at: occurredAt(message) }, data?.data);
  return (
    <>
      <ol className={styles["timeline"]} aria-label={words.label}>
        {lines.map((line) =>
          "delivery" in line ? (
            <DeliveryLine key={line.delivery.id} posted={line} />
          ) : (
            <OneStep key={keyOf(line, lines)} step={line} direction={message.direction} />
          ),
        )}
        <NextTry message={message} />
      </ol>
      {!isSeen && (
        <p className="muted">
          {words.noWebhooks} {text.problem.forbidden(SCOPE)}
        </p>
      )}
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data?.nextCursor != null && (
        <Link {...paths.deliveries({ message_id: message.id })}>{text.deliveries.ofMessage}</Link>
      )}
    </>
  );
}

/** By what it says: a report that comes late takes its place among the others. Two may be of one second, as the provider gives them. */
function keyOf(step: Step, lines: readonly (Step | Posted)[]): string {
  const { status, at } = step;
  const same = lines.filter((line) => !("delivery" in line) && line.status === status && line.at === at);
  return `${status} ${at} ${same.indexOf(step)}`;
}

/** When a message that was refused for now is tried again. */
function NextTry({ message: { next_attempt_at: at, last_error: error } }: { message: MessageWithHistory }) {
  const current = useStore(now);
  if (at === undefined) return null;
  const leftMs = Date.parse(at) - current;
  const why = error === undefined ? null : codeOf(error);
  return (
    <TimelineLine
      state="scheduled"
      said={`${leftMs > 0 ? words.triedAgain(span(leftMs)) : words.triedNow}${why === null ? "" : `: ${why}`}`}
      at={Date.parse(at)}
    />
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
    <TimelineLine
      state={state}
      sign={tries.length > 0 ? "failing" : state}
      said={tries.length > 1 ? words.tries(tries.length, error === null ? "" : codeOf(error)) : said}
      at={at}
      sinceMs={sinceMs}
      by={by}
      beside={lateMs !== null && <span>{words.late(span(lateMs))}</span>}
    >
      {status === "unknown" && <p>{words.unknownMeans}</p>}
      {error !== null && <StepError error={error} />}
      {tries.length > 1 && <Tries tries={tries} />}
    </TimelineLine>
  );
}

function StepError({ error: { code, title, detail, remedy, provider } }: { error: ReportedError }) {
  return (
    <div className={styles["error"]}>
      <p>
        <strong>
          <ServerText>{title}</ServerText>
        </strong>{" "}
        <ErrorCode code={code} />
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
              <Time at={new Date(at).toISOString()} exact /> <ErrorCode code={error.code} />{" "}
              <ServerText>{error.detail}</ServerText>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
