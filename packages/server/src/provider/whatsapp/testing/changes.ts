import type { CallbackChange } from "../../provider.ts";
import { parseCallback } from "../callbacks/callbacks.ts";
import { goldenBytes } from "./golden.ts";

export const changesOf = (name: string): CallbackChange[] => parseCallback(goldenBytes(name)).changes;

export type MessageChange = Extract<CallbackChange, { kind: "message" }>;

/** The message of `callback-message-<name>`. */
export function messageOf(name: string): MessageChange {
  const [change] = changesOf(`callback-message-${name}`);
  if (change?.kind !== "message") throw new Error(`${name} is no message`);
  return change;
}

/** The changes of one callback of account 9001; `time` is when it was reported, in seconds. */
export function parseChange(field: string, value: unknown, time?: number): CallbackChange[] {
  const entry = [{ id: "9001", time, changes: [{ field, value }] }];
  return parseCallback(Buffer.from(JSON.stringify({ object: "whatsapp_business_account", entry }))).changes;
}

/** The changes of one callback of number 1055 with these lists. */
export const parseLists = (lists: object, field = "messages"): CallbackChange[] =>
  parseChange(field, { messaging_product: "whatsapp", metadata: { phone_number_id: "1055" }, ...lists });
