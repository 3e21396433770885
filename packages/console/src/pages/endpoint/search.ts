import { oneOf, searchOf, text, time } from "../../search.ts";

/** The first one needs no name in the address. */
export const TABS = ["deliveries", "settings", "replays"] as const;
export const STATUSES = ["pending", "succeeded", "failed", "parked"] as const;

/** Part of an endpoint's page, filters of its deliveries, the sheet beside it, and the replay that is watched. */
export const endpointSearch = searchOf({
  tab: oneOf(TABS),
  status: oneOf(STATUSES),
  kind: text,
  message_id: text,
  contact_id: text,
  created_after: time,
  created_before: time,
  cursor: text,
  open: oneOf(["edit", "rotate"]),
  replay: text,
});
export type EndpointSearch = ReturnType<typeof endpointSearch>;

/** The filters alone, as the API has them. */
export function filtersIn({ status, kind, message_id, contact_id, created_after, created_before }: EndpointSearch) {
  const all = { status, kind, message_id, contact_id, created_after, created_before };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Omit<
    EndpointSearch,
    "tab" | "cursor" | "open" | "replay"
  >; // what is left of it
}
