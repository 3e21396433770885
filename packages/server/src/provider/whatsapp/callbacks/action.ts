import type { CallbackChange } from "../../provider.ts";
import { asId, asRecord, asText } from "../json.ts";
import type { Origin, Reading } from "./change-reading.ts";
import { noticeOf } from "./notice.ts";
import { providerTime } from "./provider-time.ts";

// What people do with links of marketing messages (Cloud API documentation, marketing messages). Who it was is not said, so it is
// reported of the number, with what is documented and nothing else: what else may come there, such as the device, is the person's.

const SAID = ["action_type", "event_name", "timestamp"];
const SAID_OF_LINK = ["click_component", "product_id", "click_id", "tracking_token"];

/** Reads one item of `user_actions`. New kinds of actions may come at any time. */
export function readUserAction(item: Record<string, unknown>, origin: Origin): Reading {
  if (asText(item["action_type"]) === null) return { reason: "user action without type" };
  const at = providerTime(item["timestamp"]) ?? origin.at;
  return noticeOf("user_actions", { user_actions: [saidIn(item)] }, { ...origin, at });
}

/** Reads a change of `tracking_events`. */
export function readTracking(field: string, value: Record<string, unknown>, origin: Origin): CallbackChange {
  const events = Array.isArray(value["events"]) ? value["events"].map(asRecord) : [];
  return noticeOf(field, { events: events.flatMap((one) => (one === null ? [] : [saidIn(one)])) }, origin);
}

function saidIn(item: Record<string, unknown>): Record<string, unknown> {
  const links = Object.entries(item).flatMap(([name, value]) => {
    const link = name.endsWith("_data") ? asRecord(value) : null;
    return link === null ? [] : [[name, only(SAID_OF_LINK, link)] as const];
  });
  return { ...only(SAID, item), ...Object.fromEntries(links) };
}

/** Texts and numbers under these names; the others may be anything. */
const only = (names: readonly string[], of: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => asId(of[name]) !== null).map((name) => [name, of[name]]));
