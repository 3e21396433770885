import type { WebhookEndpoint } from "@waypost/sdk";
import type { Column } from "../../parts/DataTable.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";

const names = text.endpoints.columns;

export const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  { key: "status", head: names.status, narrow: "end", cell: ({ status }) => <Status state={status} /> },
  { key: "url", head: names.url, narrow: "lead", isWide: true, isLink: true, cell: ({ url }) => url },
  { key: "events", head: names.events, narrow: "second", cell: (endpoint) => listensTo(endpoint) },
  {
    key: "changed",
    head: names.changed,
    narrow: "second-end",
    isFigure: true,
    cell: ({ updated_at: at }) => <Time at={at} />,
  },
];

/** How much an endpoint listens to, in one phrase. */
function listensTo({ format, events, fields }: WebhookEndpoint): string {
  if (format === "provider") return `${text.endpoints.provider} · ${fields.length}`;
  return events.includes("*") ? text.endpoints.allEvents : text.endpoints.count(events.length);
}
