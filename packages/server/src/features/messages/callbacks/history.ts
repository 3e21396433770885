import type { App } from "../../../ctx.ts";
import { newUuid } from "../../../lib/ids.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import type { PastMessage } from "../../../provider/provider.ts";
import { hintCommitted } from "../../events/event.ts";
import { hintFetches } from "../../media/arriving.ts";
import { REPORTS } from "../../threads/status.ts";
import { type PastRow, takeHistory } from "./history.store.ts";
import { selectKnownProviderIds } from "./known.store.ts";
import { arriving, type NumberOfEvent, namesOf, previousOf, providedOf } from "./taken-row.ts";

/** Stored in one call: some tens of milliseconds, for which nothing else of these people is stored. */
export const PAST_A_CALL = 200;

/**
 * Stores messages of a number's history, at most `PAST_A_CALL`, without those that are known; safe to repeat. Resolves to how many are
 * new. Rejects with `NUMBER_MOVED` when another workspace has connected the number since.
 */
export async function storeHistory(
  { db, clock, notifier }: App,
  of: NumberOfEvent,
  messages: readonly PastMessage[],
): Promise<number> {
  const ids = messages.map(({ providerMessageId }) => providerMessageId);
  const known = await db.read(of.workspaceId, (sql) => selectKnownProviderIds(sql, of.workspaceId, ids));
  const now = clock.now();
  const people = new Map<string, string>();
  const rows = messages
    // Of what is known only a file can be new.
    .filter((message) => !known.has(message.providerMessageId) || !isPlaceholder(message))
    .map((message) => rowOf(message, of, now, people));
  if (rows.length === 0) return 0;
  const answers = await db.call(takeHistory, rows, now);
  hintCommitted(notifier, answers);
  if (rows.some(({ files }) => files !== undefined)) hintFetches(notifier, of.workspaceId);
  return answers[0]?.taken ?? 0;
}

const isPlaceholder = ({ type, content }: PastMessage): boolean =>
  type === "unsupported" && (content as { type?: unknown } | null)?.type === "media_placeholder";

/** `people`: the id of a new contact for each person of the call. */
function rowOf(message: PastMessage, of: NumberOfEvent, now: number, people: Map<string, string>): PastRow {
  const { waId, userId, parentUserId } = message;
  const person = waId ?? userId ?? parentUserId ?? "";
  const newContactId = people.get(person) ?? newUuid(now);
  people.set(person, newContactId);
  const at = Math.min(message.at, now);
  return {
    workspace_id: of.workspaceId,
    // Its place in every list is that of its time.
    id: newUuid(at),
    phone_number_id: of.phoneNumberId,
    provider_message_id: message.providerMessageId,
    new_contact_id: newContactId,
    ...namesOf(message, of),
    ...previousOf({ ...message, previous: null }),
    type: message.type,
    ...arriving(message, now),
    reply_to_provider_id: message.replyToProviderId ?? undefined,
    at: isoTime(at),
    provided: { ...providedOf(message), origin: "history" },
    outbound: message.outbound,
    ...stateOf(message),
    is_placeholder: isPlaceholder(message),
  };
}

/** What is known to have been reported: when that comes again it is no news. Of what a person wrote nothing is. */
function stateOf({ outbound, status }: PastMessage): { seen: number; rank: number } {
  if (!outbound) return { seen: 0, rank: 0 };
  const { bit, rank } = REPORTS[status ?? "sent"];
  return { seen: rank > REPORTS.failed.rank ? bit | REPORTS.sent.bit : bit, rank };
}
