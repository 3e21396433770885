import type { Database } from "../../../db/database.ts";
import { mayUseNumber } from "../../../http/caller.ts";
import { uuidOfBody } from "../../../http/ids.ts";
import { type FieldError, invalidAt, Problem, problemAt, referenceNotFound } from "../../../http/problem.ts";
import { timeOf } from "../../../http/timestamps.ts";
import { DAY_MS } from "../../../lib/duration.ts";
import { parseId } from "../../../lib/ids.ts";
import { parsePhone } from "../../../lib/phone/phone.ts";
import { seenId, seenPhone, whyNoPhone } from "../../../lib/phone/phone-text.ts";
import { isUserId } from "../../../lib/user-ids.ts";
import type { Sender, Senders } from "../../accounts/numbers/senders.ts";
import { findContactId } from "../../identity/find-contact.ts";
import type { SendableTemplate, Templates } from "../../templates/cache.ts";
import { completeComponents } from "../../templates/completed-components.ts";
import { checkParameters } from "../../templates/parameters.ts";
import { selectLatestSenderId, selectMessageRow } from "../read.store.ts";
import type { SendMessage } from "../schema.ts";
import type { Accepting } from "../send-context.ts";
import { checkContent, type NamedTemplate, type ReadContent, readContent, type TemplateContent } from "../types.ts";
import { checkCodeReaches } from "./code-reach.ts";
import { templateProblem } from "./refusals.ts";
import { resolveMedia } from "./resolve-media.ts";

/** Where numbers and templates are looked up. Both are cached; accepting checks them again in SQL. */
export type ResolveDeps = { db: Database; senders: Senders; templates: Templates };

/** A request that passed every rule that can be checked against caches. */
export type ResolvedSend = {
  recipient: Recipient;
  sender: Sender;
  type: SendMessage["type"];
  content: unknown;
  /** Content of the template that goes instead while the window is closed. */
  fallback: unknown;
  /** The template that is sent, or that is the fallback. */
  template: SendableTemplate | null;
  /** Uuids of the media that it names; null: none. */
  media: readonly string[] | null;
  /** Uuid of the message that is quoted, or reacted to. */
  replyTo: string | null;
  /** ISO 8601. */
  sendAt: string | null;
  expiresAt: string | null;
};

/** How a request names a person: exactly one is set. */
export type Recipient = { phone: string | null; contactId: string | null; userId: string | null };

/** A `send_at` that has passed is a mistake, such as of the year; so little of it is a clock that runs late, or the way here. */
const NOW_MS = 60_000;
/** A message may be scheduled this far ahead. */
const MOST_AHEAD_MS = 30 * DAY_MS;
/** No time of a send may lie further ahead: more than a year is a mistake of the caller, such as a wrong unit. */
const FURTHEST_TIME_MS = 366 * DAY_MS;

/** Resolves a request's recipient, sender, template and times; throws the Problem that refuses it. */
export async function resolveSend(ctx: Accepting, deps: ResolveDeps, body: SendMessage): Promise<ResolvedSend> {
  const read = readContent(body);
  const { content: given, fallback: fallen, named } = read;
  const recipient = await resolveRecipient(ctx, deps, body.to);
  const times = timesOf(ctx, body);
  const { sendAt, expiresAt } = times;
  const sender = await resolveSender(ctx, deps, body, read);
  checkIsAnother(recipient, sender);
  checkContent(read);
  const replyTo = quotedBy(read);
  const media = await resolveMedia(ctx, deps.db, read);
  const template = named && (await resolveTemplate(ctx, deps, sender, named, times));
  if (template?.needsNumber && recipient.phone === null)
    await checkCodeReaches(deps.db, ctx.workspaceId, body.to, recipient.contactId);
  const completed = named && template?.definition.hasNamed ? completedContent(template, named.content) : null;
  const content = fallen === null ? (completed ?? given) : given;
  const fallback = fallen === null ? null : (completed ?? fallen);
  // Field by field: spreading took a hundredth of the whole request's time.
  return { recipient, sender, type: body.type, content, fallback, template, media, replyTo, sendAt, expiresAt };
}

/** When a message is sent at the earliest and at the latest, as ISO texts. */
export function timesOf(ctx: Accepting, body: SendMessage): Pick<ResolvedSend, "sendAt" | "expiresAt"> {
  const sendAt = body.send_at === undefined ? null : nearTime(ctx, body.send_at, "/send_at");
  const expiresAt = body.expires_at === undefined ? null : nearTime(ctx, body.expires_at, "/expires_at");
  if (sendAt !== null && sendAt < ctx.now - NOW_MS)
    throw invalidAt("/send_at", `${HAS_PASSED} Leave send_at out to send the message at once.`, "past");
  if (sendAt !== null && sendAt > ctx.now + MOST_AHEAD_MS)
    throw invalidAt("/send_at", "A message can be scheduled up to 30 days ahead.", "too_far");
  if (expiresAt !== null && expiresAt <= ctx.now) throw invalidAt("/expires_at", HAS_PASSED, "past");
  if (expiresAt !== null && sendAt !== null && expiresAt <= sendAt)
    throw invalidAt("/expires_at", "The message would expire before it is sent: expires_at must lie after send_at.");
  return {
    sendAt: sendAt === null ? null : new Date(sendAt).toISOString(),
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
}

const HAS_PASSED = "This time has passed: look at its year, and at its offset from UTC.";

/** When the message leaves at the earliest, in milliseconds. */
const earliestOf = ({ sendAt }: Pick<ResolvedSend, "sendAt">, now: number): number =>
  sendAt === null ? now : Math.max(now, Date.parse(sendAt));

/** Whether a message waits for its own time. One whose `send_at` has come already is sent as any other. */
export const isLater = ({ sendAt }: Pick<ResolvedSend, "sendAt">, now: number): boolean =>
  sendAt !== null && Date.parse(sendAt) > now;

/** Uuid of the message that a request quotes, or reacts to; throws the Problem of a text that is no id. */
export const quotedBy = ({ quoted }: ReadContent): string | null =>
  quoted === null ? null : uuidOfBody("msg", quoted.id, quoted.pointer);

/** With the buttons that each send names, which a client may leave out: what is stored and shown is what is sent. */
function completedContent({ definition }: SendableTemplate, content: TemplateContent): TemplateContent {
  const components = completeComponents(definition, content.components ?? []);
  return components.length === 0 ? content : { ...content, components: components };
}

/** Who a message is for; a promise only where that must be looked up. */
export const resolveRecipient = (ctx: Accepting, { db }: ResolveDeps, to: string): Recipient | Promise<Recipient> =>
  recipientIn(to) ?? lookedUp(db, ctx.workspaceId, to);

/** The recipient where the text alone says who it is, else null. */
function recipientIn(to: string): Recipient | null {
  const id = seenId(to);
  if (id.startsWith("con_")) {
    const contactId = parseId("con", id);
    if (contactId === null) throw referenceNotFound("/to", "There is no such contact.");
    return { phone: null, contactId, userId: null };
  }
  if (isUserId(id)) return { phone: null, contactId: null, userId: id };
  const phone = parsePhone(to);
  return phone !== null && (phone === to || !/^\+\d+$/.test(seenPhone(to)))
    ? { phone, contactId: null, userId: null }
    : null;
}

/** Perhaps as the provider calls a person who is known, though people would read it differently. */
async function lookedUp(db: Database, workspaceId: string, to: string): Promise<Recipient> {
  const contactId = await db.read(workspaceId, (sql) => findContactId(sql, workspaceId, to));
  if (contactId !== null) return { phone: null, contactId, userId: null };
  const phone = parsePhone(to);
  if (phone !== null) return { phone, contactId: null, userId: null };
  throw problemAt(
    "invalid_phone_number",
    "/to",
    `This is not a possible number in E.164 with a leading +: ${whyNoPhone(to)}.`,
  );
}

function nearTime(ctx: Accepting, text: string, pointer: string): number {
  const ms = timeOf(text, pointer);
  if (ms > ctx.now + FURTHEST_TIME_MS) throw invalidAt(pointer, "This time lies more than a year ahead.", "too_far");
  return ms;
}

export async function resolveSender(
  { workspaceId, actor }: Accepting,
  { db, senders }: ResolveDeps,
  { from, to }: SendMessage,
  read: ReadContent,
): Promise<Sender> {
  const ofWorkspace = await senders.ofWorkspace(workspaceId);
  const isLimited = actor.phoneNumberIds !== null;
  const all = isLimited ? ofWorkspace.filter((one) => mayUseNumber(actor, one.phoneNumberId)) : ofWorkspace;
  let sender: Sender | undefined;
  if (from === undefined) {
    sender = all.length > 1 ? await conversing(db, workspaceId, all, { to, read }) : all[0];
    if (!sender) throw noneConnected(isLimited);
  } else {
    const id = parseId("num", seenId(from));
    sender = id === null ? ofPhone(all, parsePhone(from)) : all.find((candidate) => candidate.phoneNumberId === id);
    if (!sender) throw referenceNotFound("/from", `There is no such phone number${id === null ? unread(from) : ""}.`);
  }
  if (all.every(({ reason }) => reason === "account_disconnected")) throw noneConnected(isLimited);
  if (!sender.usable) throw new Problem("sender_unavailable", whyNot(sender, from !== undefined));
  return sender;
}

/** Why a text that begins as a number is none, to go on with. */
const unread = (from: string): string =>
  parsePhone(from) === null && seenPhone(from).startsWith("+") ? `: ${whyNoPhone(from)}` : "";

/** Throws the Problem of a number that writes to itself, which the provider refuses (131021). */
export function checkIsAnother({ phone }: Recipient, sender: Sender): void {
  if (phone === sender.phone)
    throw invalidAt(
      "/to",
      "This is the sender's own number: write to another one, or give another sender as `from`.",
      "self",
    );
}

/** The provider gives a number that is set up again, or in another account, a new id: the row of the old one stays, and cannot send. */
function ofPhone(oldestFirst: readonly Sender[], phone: string | null): Sender | undefined {
  const all = oldestFirst.filter((candidate) => candidate.phone === phone);
  return all.findLast(({ usable }) => usable) ?? all.at(-1);
}

/**
 * Another number is never taken instead: it may be that of another business, and people would see its name. So the text says which
 * number was to send, and what to do.
 */
function whyNot({ phone, reason, isDefault }: Sender, isChosen: boolean): string {
  const [of, status] = reason?.startsWith("account_")
    ? ["its account", reason.slice("account_".length)]
    : ["the number", reason?.slice("number_".length) ?? "not usable"];
  const fault = `${phone} cannot send now, because ${of} is ${status}`;
  if (isChosen) return `The phone number ${fault}.`;
  if (isDefault)
    return `The default phone number ${fault}: give another number as \`from\`, or make one the default with \`PATCH /v1/phone-numbers/{id}\`.`;
  return `The phone number ${fault}, and the conversation with this person is on it: give another number as \`from\`.`;
}

/**
 * The number of the chat that a quoted message is in, because in another chat there is nothing to quote; else that of the last
 * message to or from this person; else the default one. Only of these senders: to a limited key the others are unknown.
 */
async function conversing(
  db: Database,
  workspaceId: string,
  senders: readonly Sender[],
  { to, read }: { to: string; read: ReadContent },
): Promise<Sender | undefined> {
  const quoted = parseId("msg", read.quoted?.id ?? "");
  const latest = await db.read(workspaceId, async (sql) => {
    const ofQuoted = quoted === null ? null : await selectMessageRow(sql, workspaceId, quoted);
    if (ofQuoted !== null) return ofQuoted.phone_number_id;
    const contactId = await findContactId(sql, workspaceId, to);
    return contactId === null ? null : await selectLatestSenderId(sql, workspaceId, contactId);
  });
  return (
    senders.find((sender) => sender.phoneNumberId === latest) ??
    senders.find((sender) => sender.isDefault) ??
    // Of a workspace there is always a default one, and of a limited key perhaps none.
    senders.find((sender) => sender.usable) ??
    senders[0]
  );
}

// Most readers of this text are about to send their first message.
const noneConnected = (isLimited: boolean): Problem =>
  new Problem(
    "sender_unavailable",
    isLimited
      ? "None of the phone numbers of this API key is connected."
      : "No phone number is connected: connect a business account with `POST /v1/business-accounts`, its `provider_account_id` and an `access_token`.",
  );

export async function resolveTemplate(
  ctx: Accepting,
  { templates }: ResolveDeps,
  sender: Sender,
  { content: template, at }: NamedTemplate,
  times: Pick<ResolvedSend, "sendAt">,
): Promise<SendableTemplate> {
  const named = [ctx.workspaceId, sender.businessAccountId, template.name, template.language.code] as const;
  const faultsBy = (one: SendableTemplate | null): FieldError[] =>
    one?.status === "approved"
      ? checkParameters(one.definition, template.components ?? [], `${at}/components`, earliestOf(times, ctx.now))
      : [];
  let found = await templates.find(...named);
  let errors = faultsBy(found);
  if (errors.length > 0) {
    // Another process may have stored a newer definition, which a corrected request fits already.
    found = await templates.read(...named);
    errors = faultsBy(found);
  }
  if (!found) throw templateProblem("template_not_found", at, await templates.missing(...named));
  if (found.status !== "approved")
    throw templateProblem("template_not_approved", at, `The template is ${found.status}.`);
  if (errors.length > 0)
    throw new Problem("template_parameters_mismatch", errors[0]?.detail ?? "The parameters do not fit.", { errors });
  return found;
}
