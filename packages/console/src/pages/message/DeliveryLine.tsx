import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { deliveryQuery, endpointsQuery } from "../../api/queries/webhooks.ts";
import controls from "../../parts/controls.module.css";
import { nameOfKind } from "../../parts/EventKind.tsx";
import { now } from "../../parts/now.ts";
import { Problem } from "../../parts/Problem.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { Time } from "../../parts/Time.tsx";
import { span } from "../../parts/time-format.ts";
import { paths } from "../../paths.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { TimelineLine } from "./TimelineLine.tsx";
import styles from "./timeline.module.css";
import type { Posted } from "./timeline.ts";

const words = text.timeline;

/** What became of an event of the message at an endpoint; its failed tries are one line. */
export function DeliveryLine({ posted: { delivery, at, sinceMs, by } }: { posted: Posted }) {
  const { id, kind, status, attempt, webhook_endpoint_id: endpoint } = delivery;
  const { data: endpoints } = useQuery(endpointsQuery);
  const isTried = status === "pending" && attempt > 0;
  const said = (isTried ? words.webhook.refused : words.webhook[status])(nameOfKind(kind));
  const hasFailed = attempt > (status === "succeeded" ? 1 : 0);
  return (
    <TimelineLine
      state={isTried ? "failing" : status}
      said={<Link {...paths.delivery(id)}>{said}</Link>}
      at={at}
      sinceMs={sinceMs}
      by={by}
      beside={
        <>
          <code>{kind}</code>
          <bdi className={styles["url"]}>{endpoints?.find((one) => one.id === endpoint)?.url ?? endpoint}</bdi>
        </>
      }
    >
      {hasFailed && <Tries {...delivery} />}
    </TimelineLine>
  );
}

function Tries({ id, attempt, next_attempt_at: next }: Posted["delivery"]) {
  const [isOpen, setOpen] = useState(false);
  const leftMs = next === null ? null : Date.parse(next) - useStore(now);
  return (
    <>
      <p className={styles["many"]}>
        <span>{text.deliveries.count(attempt)}</span>
        {leftMs !== null && <span>{leftMs > 0 ? words.triedAgain(span(leftMs)) : words.triedNow}</span>}
        <button type="button" className={controls["quiet"]} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.hideTries : words.showTries}
        </button>
      </p>
      {isOpen && <Attempts id={id} />}
    </>
  );
}

/** How each attempt ended; read once they are asked for. */
function Attempts({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(deliveryQuery(id));
  if (data === undefined)
    return error === null ? (
      <p className="muted">{text.loading}</p>
    ) : (
      <Problem error={error} retry={() => void refetch()} />
    );
  return (
    <ol className={styles["tries"]}>
      {data.attempts.map(({ n, started_at: at, outcome, status_code: code, error: why }) => (
        <li key={n}>
          <Time at={at} exact /> {text.status[outcome] ?? outcome} {code !== null && text.delivery.code(code)}{" "}
          {why !== null && <ServerText>{why}</ServerText>}
        </li>
      ))}
    </ol>
  );
}
