import type { Filter } from "../../parts/FilterBar.tsx";
import { text } from "../../text/text.ts";
import { DIRECTIONS, type MessagesSearch, STATUSES } from "./search.ts";

const names = text.messages.filters;

/** In the order of the menu. */
export const FILTERS: readonly (Filter & { name: keyof MessagesSearch })[] = [
  {
    name: "status",
    label: names.status,
    kind: "choice",
    values: STATUSES,
    labelOf: (value) => text.status[value] ?? value,
  },
  {
    name: "direction",
    label: names.direction,
    kind: "choice",
    values: DIRECTIONS,
    labelOf: (value) => (value === "inbound" ? text.messages.inbound : text.messages.outbound),
  },
  { name: "to", label: names.to, kind: "text" },
  { name: "from", label: names.from, kind: "text" },
  { name: "contact_id", label: names.contact_id, kind: "text" },
  { name: "template", label: names.template, kind: "text" },
  { name: "type", label: names.type, kind: "text" },
  { name: "reference", label: names.reference, kind: "text" },
  { name: "provider_message_id", label: names.provider_message_id, kind: "text" },
  { name: "error_code", label: names.error_code, kind: "text" },
  { name: "created_after", label: names.created_after, kind: "time" },
  { name: "created_before", label: names.created_before, kind: "time" },
];
