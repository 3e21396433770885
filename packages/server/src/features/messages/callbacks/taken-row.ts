import type { App } from "../../../ctx.ts";
import { formatId, newUuid } from "../../../lib/ids.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { comparePhones } from "../../../lib/phone/variants.ts";
import { filesIn, withFiles } from "../../../provider/message-files.ts";
import type { ProviderPerson } from "../../../provider/person.ts";
import type { CallbackChange } from "../../../provider/provider.ts";
import { saidIn } from "../../identity/consent/keywords.ts";
import { claimOf, NO_CLAIM, phoneKeys } from "../../identity/reported-identifiers.ts";
import type { ArrivingFile } from "../../media/arriving.sql.ts";
import { REPORTS } from "../../threads/status.ts";
import { openCorrelationToken } from "../correlation-token.ts";
import { errorOfProvider } from "../message-error.ts";
import type { Provided } from "../reported-schema.ts";
import type { EchoRow } from "./echo.store.ts";
import type { HandoverRow } from "./handover.store.ts";
import type { InboundRow } from "./inbound.store.ts";
import type { PreferenceRow } from "./preference.store.ts";
import type { TakenRow } from "./provider-events.store.ts";
import type { ReportRow } from "./status.store.ts";

type Change<K extends CallbackChange["kind"]> = Extract<CallbackChange, { kind: K }>;

/** The number that something is reported of, and the portfolio that the user ids of its people are valid in. */
export type NumberOfEvent = { workspaceId: string; phoneNumberId: string; userIdScope: string };

/** What a number reports of people and messages, with the callback that it was in. */
export type ProviderEvent = NumberOfEvent & {
  callbackId: string;
  change: Change<"status"> | Change<"message"> | Change<"preference"> | Change<"handover">;
};

/** Whether a change of a callback is an event of its number. */
export const isOfNumber = (change: CallbackChange): change is ProviderEvent["change"] => OF_NUMBER.has(change.kind);

const OF_NUMBER: ReadonlySet<CallbackChange["kind"]> = new Set(["status", "message", "preference", "handover"]);

/** The row of `take_reports` for an event. What is not there is left out: a null costs the database as much as any value. */
export function takenRowOf(app: App, event: ProviderEvent): TakenRow {
  switch (event.change.kind) {
    case "status":
      return statusRow(app, event, event.change);
    case "message":
      return event.change.direction === "echo"
        ? echoRow(app, event, event.change)
        : messageRow(app, event, event.change);
    case "preference":
      return preferenceRow(app, event, event.change);
    case "handover":
      return handoverRow(app, event, event.change);
  }
}

function statusRow({ secrets }: App, event: ProviderEvent, status: Change<"status">): ReportRow {
  const who = SAYS_WHO.has(status.status) ? status.recipient : null;
  return {
    kind: status.isCopy ? "copy" : "status",
    workspace_id: event.workspaceId,
    phone_number_id: event.phoneNumberId,
    message_id: status.isCopy ? undefined : openCorrelationToken(secrets, status.correlationToken)?.messageId,
    provider_message_id: status.providerMessageId,
    bit: REPORTS[status.status].bit,
    at: isoTime(status.at),
    error: status.error ? errorOfProvider(status.error) : undefined,
    pricing: status.pricing ?? undefined,
    conversation: status.conversation ?? undefined,
    callback_id: event.callbackId,
    ...(who ? claimOf(who, event.userIdScope) : NO_CLAIM),
    username: who?.username ?? undefined,
    profile_name: who?.profileName ?? undefined,
  };
}

/** Of other messages, such as one that failed, the provider says whom they were for, not that this person is there. */
const SAYS_WHO: ReadonlySet<Change<"status">["status"]> = new Set(["sent", "delivered", "read", "played"]);

type Previous = Pick<
  InboundRow,
  | "changes_identity"
  | "previous_wa_id"
  | "previous_wa_key"
  | "previous_wa_loose"
  | "previous_user_id"
  | "previous_parent_user_id"
>;

/** The columns of a row that say what its person had until now, or by what other form of their number they are named. */
export function previousOf(change: ProviderPerson & { previous: Change<"message">["previous"] }): Previous {
  const previous = change.previous ?? otherForm(change);
  if (previous === null) return NO_PREVIOUS;
  const names = previous.waId ? phoneKeys(previous.waId) : null;
  return {
    changes_identity: change.previous === null ? undefined : true,
    previous_wa_id: previous.waId,
    previous_wa_key: names?.key,
    previous_wa_loose: names?.loose,
    previous_user_id: previous.userId,
    previous_parent_user_id: previous.parentUserId,
  };
}

const NO_PREVIOUS: Previous = {
  changes_identity: undefined,
  previous_wa_id: undefined,
  previous_wa_key: undefined,
  previous_wa_loose: undefined,
  previous_user_id: undefined,
  previous_parent_user_id: undefined,
};

const messageRow = ({ clock }: App, event: ProviderEvent, message: Change<"message">): InboundRow => ({
  kind: "message",
  ...reportedOf(event, message, clock.now()),
  provided: providedOf(message),
  opens_window: message.opensWindow,
  // What people write in a group is no wish of theirs to the business.
  ...(message.groupId === null ? saidIn(message.type, message.content) : NOTHING_SAID),
});

const NOTHING_SAID = { words: undefined, default_consent: undefined };

const echoRow = ({ clock }: App, event: ProviderEvent, message: Change<"message">): EchoRow => ({
  kind: "echo",
  ...reportedOf(event, message, clock.now()),
  provided: { ...providedOf(message), ...(message.isCopy ? {} : { origin: "business_app" }) },
});

const reportedOf = (event: ProviderEvent, message: Change<"message">, now: number) => ({
  workspace_id: event.workspaceId,
  id: newUuid(now),
  phone_number_id: event.phoneNumberId,
  provider_message_id: message.providerMessageId,
  new_contact_id: newUuid(now),
  ...namesOf(message, event),
  ...previousOf(message),
  type: message.type,
  ...arriving(message, now),
  reply_to_provider_id: message.replyToProviderId ?? undefined,
  callback_id: event.callbackId,
  at: notAhead(message.at, now),
});

/** The content with ids of media for its files, and these. The provider's addresses of them are not kept: they live for minutes. */
export function arriving(
  { type, content }: Pick<Change<"message">, "type" | "content">,
  now: number,
): { content: unknown; files: ArrivingFile[] | undefined } {
  const found = filesIn(content, type);
  if (found.length === 0) return { content, files: undefined };
  const files = found.map(({ id, kind, mimeType, filename }) => ({
    id: newUuid(now),
    provider_media_id: id,
    type: kind,
    mime_type: mimeType,
    filename,
  }));
  const own = new Map(files.map((file) => [file.provider_media_id, { id: formatId("med", file.id) }]));
  return { content: withFiles(content, own), files };
}

type Beside = Pick<Change<"message">, "context" | "referral" | "errors" | "groupId" | "fields" | "isCopy">;

/** Undefined where the provider said nothing beside the content. */
export function providedOf({ context, referral, errors, groupId, fields, isCopy }: Beside): Provided | undefined {
  if (!isCopy && [context, referral, errors, groupId, fields].every((part) => part === null)) return undefined;
  const provided: Provided = {
    ...(context === null ? {} : { context }),
    ...(referral === null ? {} : { referral }),
    ...(errors === null ? {} : { errors }),
    ...(groupId === null ? {} : { group_id: groupId }),
    ...(fields === null ? {} : { fields }),
    ...(isCopy ? { handled_by: "other" } : {}),
  };
  return provided;
}

const preferenceRow = ({ clock }: App, event: ProviderEvent, preference: Change<"preference">): PreferenceRow => ({
  kind: "preference",
  ...ofPerson(event, preference, clock.now()),
  consent: preference.consent ?? undefined,
  said_by: preference.source === "signup" ? "signup" : undefined,
  fields: preference.fields,
  callback_id: event.callbackId,
  place: preference.place,
});

const handoverRow = ({ clock }: App, event: ProviderEvent, handover: Change<"handover">): HandoverRow => ({
  kind: "handover",
  ...ofPerson(event, handover, clock.now()),
  owner: handover.owner,
  from_agent: handover.fromAgent || undefined,
  mark: handover.mark,
  callback_id: event.callbackId,
  place: handover.place,
});

/** The columns of a row about a person at a number, and when it was said. Messages have them one by one: each spread costs time. */
export const ofPerson = (
  number: NumberOfEvent,
  said: ProviderPerson & { previous: Change<"message">["previous"]; at: number },
  now: number,
) => ({
  workspace_id: number.workspaceId,
  phone_number_id: number.phoneNumberId,
  new_contact_id: newUuid(now),
  ...namesOf(said, number),
  ...previousOf(said),
  at: notAhead(said.at, now),
});

/** The form of the number that a message came from, where the provider calls the number otherwise. */
function otherForm({ from, waId }: ProviderPerson): Change<"message">["previous"] {
  const digits = from?.slice(1);
  return digits === undefined || waId === null || digits === waId || comparePhones(digits, waId) === "different"
    ? null
    : { waId: digits, userId: null, parentUserId: null };
}

/** The columns of a row that say what the provider calls its person. */
export function namesOf(person: ProviderPerson, { userIdScope }: Pick<NumberOfEvent, "userIdScope">) {
  const names = person.waId === null ? null : phoneKeys(person.waId);
  return {
    phone: person.from ?? undefined,
    wa_id: person.waId ?? undefined,
    wa_key: names?.key,
    wa_loose: names?.loose,
    user_id: person.userId ?? undefined,
    parent_user_id: person.parentUserId ?? undefined,
    scope: userIdScope,
    username: person.username ?? undefined,
    profile_name: person.profileName ?? undefined,
  };
}

// A provider's clock that is ahead of ours must not keep a window open longer than a day from now, nor an opt-in above later ones.
const notAhead = (at: number, now: number): string => isoTime(Math.min(at, now));
