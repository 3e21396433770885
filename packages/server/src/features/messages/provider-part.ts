import { formatId } from "../../lib/ids.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { CallbackPart } from "../../provider/callback-parts.ts";
import type { EventPart, JsonRow, PartSource } from "../events/event-groups.ts";
import type { MessageRow } from "./column-lists.ts";
import { isCorrelationToken, openCorrelationToken } from "./correlation-token.ts";
import type { MessageError } from "./message-error.ts";
import type { MessageState } from "./render.ts";

/** The provider's words for statuses whose events have another name. */
const WORDS: Readonly<Record<string, string>> = { message_deleted: "deleted" };
/** Events of what only the gateway knows of a message. */
const OWN_KINDS: ReadonlySet<string> = new Set(["accepted", "unknown", "canceled", "expired"]);
/** The provider's code for an error that it does not name. */
const UNKNOWN_ERROR = 131_000;

/** What an event of a message is in the provider's callbacks, as far as our rows say it. */
export function partOfMessage(event: PartSource, secrets: Secrets): EventPart | null {
  const { kind, messageId, number, contact } = event;
  if (OWN_KINDS.has(kind)) return null;
  const row = event.message as unknown as MessageRow; // as JSON, with the same columns
  const state = event.state as unknown as MessageState;
  const is = wordOf(kind, row);
  const { provided } = row;
  return {
    part: {
      providerPhoneNumberId: number.providerPhoneNumberId,
      // A message that was refused has none: the client knows it by ours.
      providerMessageId: state.provider_message_id ?? formatId("msg", messageId),
      is,
      providerAccountId: number.providerAccountId ?? "0",
      businessPhone: number.phone,
      person: {
        phone: (row.outbound ? row.recipient : row.sender) ?? textOf(contact, "phone"),
        userId: textOf(contact, "user_id"),
        name: textOf(contact, "profile_name"),
      },
      at: event.occurredAt,
      isCopy: provided?.handled_by !== undefined,
      message: typeof is === "string" ? messageOf(row) : null,
      error: kind === "failed" ? errorOf(state.error ?? null) : null,
      pricing: state.pricing,
    },
    own: {
      isOurs: isCorrelationToken,
      namesMessage: (value) => openCorrelationToken(secrets, value)?.messageId === messageId,
    },
  };
}

/** An outbound message that went out elsewhere is an echo, when it is first heard of. */
function wordOf(kind: string, { outbound, provided }: MessageRow): CallbackPart["is"] {
  if (!outbound) return "message";
  const isEcho = kind === "sent" && (provided?.origin !== undefined || provided?.handled_by !== undefined);
  return isEcho ? "echo" : { status: WORDS[kind] ?? kind };
}

function messageOf({ type, content, provided }: MessageRow) {
  const { context, referral, errors, group_id: groupId = null, fields = {} } = provided ?? {};
  return { type, content, context, referral, errors, groupId, fields };
}

function errorOf(error: MessageError | null) {
  if (error === null) return null;
  const { code, title, details } = error.provider ?? { code: UNKNOWN_ERROR, title: error.title, details: error.detail };
  return { code, title, details };
}

const textOf = (row: JsonRow | null, name: string): string | null => {
  const value = row?.[name];
  return typeof value === "string" ? value : null;
};
