import { useQuery } from "@tanstack/react-query";
import type { WebhookEndpoint } from "@waypost/sdk";
import { durationsQuery, waitingQuery } from "../../api/queries/webhooks.ts";
import type { Column } from "../../parts/DataTable.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { span } from "../../parts/time-format.ts";
import { text } from "../../text/text.ts";
import { Day } from "./Day.tsx";
import styles from "./endpoints.module.css";

const names = text.endpoints.columns;

export const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  { key: "status", head: names.status, narrow: "end", cell: ({ status }) => <Status state={status} /> },
  {
    key: "url",
    head: names.url,
    narrow: "lead",
    isWide: true,
    isLink: true,
    cell: (row) => <Address endpoint={row} />,
  },
  { key: "events", head: names.events, cell: (endpoint) => listensTo(endpoint) },
  { key: "day", head: names.day, narrow: "second", cell: ({ id }) => <Day id={id} /> },
  { key: "p95", head: names.p95, isFigure: true, cell: ({ id }) => <Duration id={id} /> },
  {
    key: "next",
    head: names.next,
    narrow: "second-end",
    isFigure: true,
    cell: (row) => <NextAttempt endpoint={row} />,
  },
];

function Address({ endpoint: { url, description } }: { endpoint: WebhookEndpoint }) {
  return (
    <span className={styles["address"]}>
      <span dir="auto">{url}</span>
      {description !== null && <span dir="auto">{description}</span>}
    </span>
  );
}

/** How much an endpoint listens to, in one phrase. */
function listensTo({ format, events, fields }: WebhookEndpoint): string {
  if (format === "provider") return `${text.endpoints.provider} · ${fields.length}`;
  return events.includes("*") ? text.endpoints.allEvents : text.endpoints.count(events.length);
}

/** What 95 % of the attempts took at most in the latest hour that has any. */
function Duration({ id }: { id: string }) {
  const { data } = useQuery(durationsQuery);
  const p95 = data?.find((row) => row.webhook_endpoint_id === id)?.p95_ms ?? null;
  return p95 === null ? "" : span(p95);
}

/** When the next delivery is tried again; only of an endpoint in trouble, where it matters. */
function NextAttempt({ endpoint: { id, status } }: { endpoint: WebhookEndpoint }) {
  const { data } = useQuery({ ...waitingQuery(id, "pending"), enabled: status === "failing" });
  const next = data?.data
    .map(({ next_attempt_at: at }) => at)
    .filter((at) => at !== null)
    .sort()[0];
  return next === undefined ? "" : <Time at={next} />;
}
