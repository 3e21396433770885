import type { EmptySome } from "../contacts/erase.ts";
import { hintCommitted } from "../events/event.ts";
import { cancelMessages } from "./dispatch/cancel.store.ts";
import { MESSAGES_A_CALL, nextOfErased, redactMessages } from "./redact.store.ts";

/**
 * `EmptySome`: cancels the newest messages of an erased contact's record that wait to be sent, each with its event, then takes the content out of
 * all of these.
 */
export const redactSome: EmptySome = async (
  { db, clock, notifier },
  workspaceId,
  { contactId, before, from, isLast },
) => {
  const now = (): number => clock.now();
  const found = await db.call(
    nextOfErased,
    [{ workspace_id: workspaceId, contact_id: contactId, before, from_id: from }],
    now(),
  );
  // Before they count as redacted, or a process that is killed in between leaves them to be found when they are due.
  const waiting = found.filter(({ waits }) => waits).map(({ id }) => ({ workspace_id: workspaceId, message_id: id }));
  if (waiting.length > 0) hintCommitted(notifier, await db.call(cancelMessages, waiting, now()));
  const more = found.length === MESSAGES_A_CALL;
  const done = isLast && !more;
  if (found.length > 0 || done) {
    const message_ids = found.map(({ id }) => id);
    await db.call(redactMessages, [{ workspace_id: workspaceId, contact_id: contactId, message_ids, done }], now());
  }
  return { more, last: found.at(-1)?.id ?? null };
};
