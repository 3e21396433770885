import { formatId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { isFinal, type MessageStatus, statusOf } from "../threads/status.ts";
import { type LaterFields, type MessageRow, type Time, withoutPerson } from "./column-lists.ts";
import { errorOfStatus, type MessageError, withoutProvider } from "./message-error.ts";
import type { Message } from "./schema.ts";
import { targetOfReported } from "./types.ts";

/** What changes: the state row, or an event's snapshot of it. Fields that are absent were not known. */
export type MessageState = {
  seen: number;
  rank: number;
  accepted_at?: Time;
  sent_at?: Time;
  delivered_at?: Time;
  read_at?: Time;
  failed_at?: Time;
  provider_message_id?: string | null;
  possible_duplicate?: boolean | null;
  fallback_used?: boolean | null;
  error?: MessageError | null;
  pricing?: unknown;
  /** State of the queue row, while there is one. */
  queue_state?: number | null;
};

/** Nothing reported yet: the state of the first answer, which a replay gives again. */
export const UNREPORTED: MessageState = { seen: 0, rank: 0 };

/**
 * The message resource as it is at `now`, in milliseconds: by then the time of a scheduled one may have come. Without it as it was
 * accepted, or reported: the same rows give the same bytes then, whenever they are rendered.
 */
export function renderMessage(stored: MessageRow, state: MessageState, now?: number): Message {
  const row = stored.is_erased === true ? withoutPerson(stored) : stored;
  const createdAt = time(row.created_at) ?? "";
  const sendAt = time(row.send_at);
  const expiresAt = time(row.expires_at);
  const estimatedDispatchAt = time(row.estimated_dispatch_at);
  const times = shownTimes(createdAt, state);
  const status: MessageStatus = row.outbound
    ? statusOf(
        state.rank,
        state.queue_state ?? null,
        sendAt !== null && sendAt > (now === undefined ? createdAt : isoTime(now)),
      )
    : "received";
  const final = isFinal(status, state.seen);
  const said = state.error ?? null;
  const error = errorOfStatus(row.is_erased === true ? withoutProvider(said) : said, status);
  const hasFallback = row.fallback !== null && row.fallback !== undefined;
  const fallbackUsed = hasFallback && state.fallback_used === true;
  return {
    id: formatId("msg", row.id),
    direction: row.outbound ? "outbound" : "inbound",
    status,
    final,
    to: row.recipient,
    from: row.sender,
    phone_number_id: formatId("num", row.phone_number_id),
    contact_id: formatId("con", row.contact_id),
    type: row.type,
    [row.type]: contentOf(row),
    // Of a reaction the row names the message that it is about, as its content does: it quotes none.
    reply_to: row.reply_to === null || targetOfReported(row.type) !== undefined ? null : formatId("msg", row.reply_to),
    // Not in the answer to a send: a repetition of it after an upgrade has the same bytes.
    ...(row.occurred_at === undefined ? {} : laterFields(row)),
    reference: row.reference,
    category: fallbackUsed ? (row.fallback_category ?? null) : row.category,
    ...(hasFallback
      ? { fallback: row.is_erased === true ? null : { template: row.fallback }, fallback_used: fallbackUsed }
      : {}),
    pricing: objectOf(state.pricing),
    error,
    // The provider's ids hold the person's number.
    provider_message_id: row.is_erased === true ? null : (state.provider_message_id ?? null),
    possible_duplicate: state.possible_duplicate ?? false,
    created_at: createdAt,
    estimated_dispatch_at: estimatedDispatchAt,
    send_at: sendAt,
    expires_at: expiresAt,
    ...times,
    sequence: row.sequence,
  };
}

function laterFields({ occurred_at, provided }: MessageRow): LaterFields {
  const { context, referral, errors, group_id, fields, origin, handled_by } = provided ?? {};
  return {
    occurred_at: time(occurred_at),
    context: objectOf(context),
    referral: objectOf(referral),
    ...(errors === undefined ? {} : { errors }),
    ...(group_id === undefined ? {} : { group_id }),
    ...(fields === undefined ? {} : { provider_fields: fields }),
    ...(origin === undefined ? {} : { origin }),
    handled_by: handled_by ?? "self",
  };
}

/** Null where there is none, and for what an earlier version stored that is no object: the schema allows nothing else. */
const objectOf = (value: unknown): object | null => (typeof value === "object" && !Array.isArray(value) ? value : null);

/** What a person reacted to, changed or took back has the provider's id in their message: shown by ours, where it is known. */
function contentOf({ outbound, type, content, reply_to, provided }: MessageRow): unknown {
  const isReported = !outbound || provided?.origin !== undefined || provided?.handled_by !== undefined;
  const target = isReported && reply_to !== null ? targetOfReported(type) : undefined;
  return target === undefined || content === null
    ? content
    : { ...(content as object), [target]: formatId("msg", reply_to as string) };
}

type ShownTimes = Pick<Message, "accepted_at" | "sent_at" | "delivered_at" | "read_at" | "failed_at">;

/**
 * The provider reports whole seconds of its own clock, by which a message may be sent before it was accepted. A time is
 * therefore returned no earlier than the times before it in a message's life; state and history keep the provider's own times.
 */
function shownTimes(createdAt: string, state: MessageState): ShownTimes {
  let latest = createdAt;
  const next = (value: Time): string | null => {
    const own = time(value);
    if (own === null) return null;
    if (own > latest) latest = own;
    return latest;
  };
  const accepted_at = next(state.accepted_at);
  const sent_at = next(state.sent_at);
  const beforeEnd = latest;
  const delivered_at = next(state.delivered_at);
  const read_at = next(state.read_at);
  // It failed instead of being delivered, or on another device of the person: neither has to precede the other.
  latest = beforeEnd;
  return { accepted_at, sent_at, delivered_at, read_at, failed_at: next(state.failed_at) };
}

/** Length of 2026-01-31T12:00:00.000Z: times that accepting passes on need no parsing. */
const ISO_LENGTH = 24;

function time(value: Time): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" && value.length === ISO_LENGTH && value.endsWith("Z")) return value;
  return isoTime(typeof value === "string" ? Date.parse(value) : value.getTime());
}
