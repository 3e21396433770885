import type { ForgetSome } from "../../forgetting.ts";
import { uuidFloor } from "../../lib/ids.ts";
import { hintCommitted } from "../events/event.ts";
import { cancelMessages } from "./dispatch/cancel.store.ts";
import { MESSAGES_A_CALL, nextOfErased, redactMessages } from "./redact.store.ts";

/** A message has its id from before its commit. */
const LATE_IDS_MS = 10 * 60_000;

/**
 * Cancels the newest messages of an erased record that wait to be sent, each with its event, then takes the content out of all of these.
 * The place is the id of the last one.
 */
export const redactSome: ForgetSome = async ({ db, clock, notifier }, workspaceId, { contactId, place, since }) => {
  const now = (): number => clock.now();
  const from_id = since === null ? null : uuidFloor(since - LATE_IDS_MS);
  const record = { workspace_id: workspaceId, contact_id: contactId };
  const found = await db.call(nextOfErased, [{ ...record, before: place, from_id }], now());
  // Before they count as redacted, or a process that is killed in between leaves them to be found when they are due.
  const waiting = found.filter(({ waits }) => waits).map(({ id }) => ({ workspace_id: workspaceId, message_id: id }));
  if (waiting.length > 0) hintCommitted(notifier, await db.call(cancelMessages, waiting, now()));
  const message_ids = found.map(({ id }) => id);
  if (found.length > 0) await db.call(redactMessages, [{ ...record, message_ids }], now());
  return { place: found.at(-1)?.id ?? place, more: found.length === MESSAGES_A_CALL };
};
