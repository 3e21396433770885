import type { JsonRow } from "./event-groups.ts";

/** What the body of an event is rendered from, as the call knew it that has written the event. Times in milliseconds. */
export type HandedBody = {
  id: string;
  kind: string;
  /** What the event is about, unless that is a message. */
  resource_id: string | null;
  sequence: number;
  occurred_at: number;
  created_at: number;
  state: JsonRow | null;
  message: JsonRow | null;
  contact: JsonRow | null;
  contact_id: string | null;
  is_erased: boolean;
};

/** The answer column `handed`: an event, and its deliveries that any order will do for, at endpoints that were enabled. */
export type HandedEvent = HandedBody & {
  workspace_id: string;
  to: { slot: number; lane: number; seq: number; delivery_id: string; endpoint_id: string; version: number }[];
};

/** What the work of a delivery is given of the call that has committed it. */
export type HandedDelivery = { event: HandedBody; endpoint: { endpoint_id: string; version: number } };
