import type { ListedPart, OwnValues } from "../../callback-parts.ts";
import { asId, asRecord, asText } from "../json.ts";
import { callOf } from "./call.ts";
import { aboutOf, paymentOf } from "./status.ts";

/** Lists of a value whose items are events of people. */
export const LISTS = ["messages", "message_echoes", "statuses", "calls"] as const;
export type ListName = (typeof LISTS)[number];

/** Whether an item of a list is this part. */
export function isPart(list: ListName, value: unknown, part: ListedPart, own: OwnValues): boolean {
  const item = asRecord(value);
  if (item === null) return false;
  const hasId = asId(item["id"]) === part.providerId;
  const { is } = part;
  if (is === "message") return list === "messages" && hasId;
  if (is === "echo") return list === "message_echoes" && hasId;
  if ("preference" in is || "handover" in is) return false; // found by their place
  if ("callEvent" in is)
    return list === "calls" && hasId && callOf(item, asText(item["event"]))?.event === is.callEvent;
  if (list !== "statuses") return false;
  if ("callStatus" in is) return hasId && callOf(item, undefined)?.status === is.callStatus;
  const data = asText(item["biz_opaque_callback_data"]);
  if (!hasId && (data === null || !own.namesMessage(data))) return false;
  if ("status" in is) return aboutOf(item) === "message" && item["status"] === is.status;
  const { status, reference } = paymentOf(asText(item["status"]) ?? "", item);
  return aboutOf(item) === "payment" && status === is.payment && reference === is.reference;
}
