import { formatId, parseId } from "../../lib/ids.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { OwnFile, PartKind } from "../../provider/callback-parts.ts";
import { filesIn, withFiles } from "../../provider/message-files.ts";
import { personOf } from "../contacts/person-part.ts";
import { type EventPart, isRow, type PartSource } from "../events/event-groups.ts";
import type { MessageRow } from "./column-lists.ts";
import { isCorrelationToken, openCorrelationToken } from "./correlation-token.ts";
import type { MessageError } from "./message-error.ts";
import type { MessageState } from "./render.ts";

/** The provider's words for statuses whose events have another name. */
const WORDS: Readonly<Record<string, string>> = { message_deleted: "deleted" };
/** Events of what only the gateway knows of a message. */
const OWN_KINDS: ReadonlySet<string> = new Set(["accepted", "unknown", "canceled", "expired"]);
/** Of payments, whose statuses stand among those of messages. */
export const PAYMENT_KIND = "payment_updated";
/** The provider's code for an error that it does not name. */
const UNKNOWN_ERROR = 131_000;

/** What an event of a message is in the provider's callbacks, as far as our rows say it. */
export function partOfMessage(event: PartSource, secrets: Secrets): EventPart | null {
  const { kind, messageId, number } = event;
  if (OWN_KINDS.has(kind) || event.message === null || messageId === null || number === null) return null;
  const row = event.message as unknown as MessageRow; // as JSON, with the same columns
  const state = event.state as unknown as MessageState;
  const is = kindOf(event, row);
  const { provided } = row;
  const files = filesIn(row.content, row.type).flatMap(({ id }) => {
    const media = parseId("med", id);
    return media === null ? [] : [{ id, url: event.mediaUrl(media) }];
  });
  const part = {
    providerPhoneNumberId: number.providerPhoneNumberId,
    // A message that was refused has none: the client knows it by ours.
    providerId: state.provider_message_id ?? formatId("msg", messageId),
    is,
  };
  const person = personOf(event.contact);
  return {
    part,
    written: {
      ...part,
      providerAccountId: number.providerAccountId ?? "0",
      businessPhone: number.phone,
      person: { ...person, phone: (row.outbound ? row.recipient : row.sender) ?? person.phone },
      at: event.occurredAt,
      isCopy: provided?.handled_by !== undefined,
      message: typeof is === "string" ? messageOf(row, files) : null,
      error: kind === "failed" ? errorOf(state.error ?? null) : null,
      pricing: kind === PAYMENT_KIND ? null : state.pricing,
    },
    own: {
      isOurs: isCorrelationToken,
      namesMessage: (value) => openCorrelationToken(secrets, value)?.messageId === messageId,
      files,
    },
  };
}

/** An outbound message that went out elsewhere is an echo, when it is first heard of. */
function kindOf({ kind, state }: PartSource, { outbound, provided }: MessageRow): PartKind {
  if (!outbound) return "message";
  if (kind === PAYMENT_KIND) return paymentOf(state["payment"]);
  const isEcho = kind === "sent" && (provided?.origin !== undefined || provided?.handled_by !== undefined);
  return isEcho ? "echo" : { status: WORDS[kind] ?? kind };
}

function paymentOf(payment: unknown): PartKind {
  const { status, reference = null } = isRow(payment) ? payment : {};
  return {
    payment: typeof status === "string" ? status : "",
    reference: typeof reference === "string" ? reference : null,
  };
}

function messageOf({ type, content, provided }: MessageRow, files: readonly OwnFile[]) {
  const { context, referral, errors, group_id: groupId = null, fields = {} } = provided ?? {};
  const shown = files.length === 0 ? content : withFiles(content, new Map(files.map((file) => [file.id, file])));
  return { type, content: shown, context, referral, errors, groupId, fields };
}

function errorOf(error: MessageError | null) {
  if (error === null) return null;
  const { code, title, details } = error.provider ?? { code: UNKNOWN_ERROR, title: error.title, details: error.detail };
  return { code, title, details };
}
