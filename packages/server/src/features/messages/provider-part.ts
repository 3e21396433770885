import { formatId, parseId } from "../../lib/ids.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { OwnFile, PartKind } from "../../provider/callback-parts.ts";
import { filesIn, withFiles } from "../../provider/message-files.ts";
import { withIds } from "../../provider/message-ids.ts";
import { personOf } from "../contacts/person-part.ts";
import { type EventPart, isRow, type PartSource } from "../events/event-groups.ts";
import { REPORTS } from "../threads/status.ts";
import type { MessageRow } from "./column-lists.ts";
import { isCorrelationToken, openCorrelationToken } from "./correlation-token.ts";
import type { MessageError } from "./message-error.ts";
import type { MessageState } from "./render.ts";
import { targetOfReported } from "./types.ts";

/** The provider's words for statuses whose events have another name. */
const WORDS: Readonly<Record<string, string>> = { message_deleted: "deleted" };
/** Events of what only the gateway knows of a message. */
const OWN_KINDS: ReadonlySet<string> = new Set(["accepted", "unknown", "canceled", "expired"]);
/** Of payments, whose statuses stand among those of messages. */
export const PAYMENT_KIND = "payment_updated";
/** The provider's code for an error that it does not name. */
const UNKNOWN_ERROR = 131_000;
const ENDED = "The message was not sent";

/** What an event of a message is in the provider's callbacks, as far as our rows say it. */
export function partOfMessage(event: PartSource, secrets: Secrets): EventPart | null {
  const { kind, messageId, number } = event;
  if (event.message === null || messageId === null || number === null) return null;
  const row = event.message as unknown as MessageRow; // as JSON, with the same columns
  const state = event.state as unknown as MessageState;
  const isOwn = OWN_KINDS.has(kind);
  if (isOwn && !(event.mintedId !== null && hasGivenUp(kind, state))) return null;
  const is = isOwn ? FAILED : kindOf(event, row);
  const { provided } = row;
  const files = filesOf(event, row);
  const { publicId, ids } = publicIdsOf(event, row, state);
  const clientValue = typeof is === "string" ? null : (row.reference ?? null);
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
      providerId: publicId ?? part.providerId,
      clientValue,
      providerAccountId: number.providerAccountId ?? "0",
      businessPhone: number.phone,
      person: { ...person, phone: (row.outbound ? row.recipient : row.sender) ?? person.phone },
      at: event.occurredAt,
      isCopy: provided?.handled_by !== undefined,
      message: typeof is === "string" ? messageOf(row, files, ids) : null,
      error: is === FAILED || kind === "failed" ? errorOf(state.error ?? null, kind) : null,
      pricing: kind === PAYMENT_KIND ? null : state.pricing,
    },
    own: {
      isOurs: isCorrelationToken,
      namesMessage: (value) => openCorrelationToken(secrets, value)?.messageId === messageId,
      files: [...files.values()],
      publicId,
      clientValue,
      ids,
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

/**
 * The end of a message whose client has an id of ours: it was answered that the provider has it, so the provider's word for the end is the
 * one that its reader understands.
 */
const FAILED = { status: "failed" };
const hasGivenUp = (kind: string, { seen }: MessageState): boolean =>
  kind === "expired" || kind === "canceled" || (kind === "unknown" && (seen & REPORTS.given_up.bit) !== 0);

/** Its files as the reader gets them, by the ids in its content. */
const filesOf = (event: PartSource, { content, type }: MessageRow): ReadonlyMap<string, OwnFile> =>
  new Map(
    filesIn(content, type).flatMap(({ id }) => {
      const media = parseId("med", id);
      return media === null ? [] : [[id, event.media(media)] as const];
    }),
  );

/** The public id of a message that was sent from here, also where a status is of its second copy; of others that of the one they name. */
function publicIdsOf(
  { mintedId }: PartSource,
  { type, content, provided, occurred_at }: MessageRow,
  { provider_message_id: first = null }: MessageState,
) {
  const ids = new Map<string, string>();
  if ((occurred_at ?? null) === null) return { publicId: mintedId ?? first, ids };
  if (mintedId === null) return { publicId: null, ids };
  const target = targetOfReported(type);
  const named = target === undefined ? undefined : isRow(content) ? content[target] : undefined;
  for (const id of [named, isRow(provided?.context) ? provided.context["id"] : undefined])
    if (typeof id === "string") ids.set(id, mintedId);
  return { publicId: null, ids };
}

function messageOf(
  { type, content, provided }: MessageRow,
  files: ReadonlyMap<string, OwnFile>,
  ids: ReadonlyMap<string, string>,
) {
  const { context, referral, errors, group_id: groupId = null, fields = {} } = provided ?? {};
  const shown = files.size === 0 ? content : withFiles(content, files);
  return { type, content: withIds(shown, ids), context: withIds(context, ids), referral, errors, groupId, fields };
}

function errorOf(error: MessageError | null, kind: string) {
  if (error === null) return kind === "failed" ? null : { code: UNKNOWN_ERROR, title: ENDED, details: null };
  const { code, title, details } = error.provider ?? { code: UNKNOWN_ERROR, title: error.title, details: error.detail };
  return { code, title, details };
}
