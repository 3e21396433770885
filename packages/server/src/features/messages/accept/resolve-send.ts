import { uuidOfBody } from "../../../http/ids.ts";
import { type FieldError, invalidAt, Problem } from "../../../http/problem.ts";
import type { OwnCtx } from "../../../http/route.ts";
import { timeOf } from "../../../http/timestamps.ts";
import { parseId } from "../../../lib/ids.ts";
import { normalizePhone } from "../../../lib/phone.ts";
import { latestSender } from "../read.store.ts";
import type { SendMessage } from "../schema.ts";
import { type Recipient, recipientOf } from "./recipient.ts";

/** A connected number, as sending needs it. */
export type Sender = {
  phoneNumberId: string;
  phone: string;
  businessAccountId: string;
  usable: boolean;
  /** Why it is not: `account_` or `number_` and the status. */
  reason: string | null;
  isDefault: boolean;
};

/** A template as sending needs it; `check` gives the faults of a send's components, with pointers below `/template`. */
export type SendableTemplate = {
  id: string;
  status: string;
  category: string;
  revision: number;
  check(components: readonly unknown[]): FieldError[];
};

/** What drafting asks of other features; all cached there, and checked again when the message is accepted. */
export type ResolveDeps = {
  sendersOf(workspaceId: string): Promise<readonly Sender[]>;
  findTemplate(
    workspaceId: string,
    businessAccountId: string,
    name: string,
    language: string,
  ): Promise<SendableTemplate | null>;
};

/** A request that passed every rule that can be judged from caches. */
export type Draft = {
  recipient: Recipient;
  sender: Sender;
  type: "template" | "text";
  content: unknown;
  template: SendableTemplate | null;
  replyTo: string | null;
  sendAt: string | null;
  expiresAt: string | null;
};

/** A message may be scheduled this far ahead. */
const MOST_AHEAD_MS = 30 * 86_400_000;

/** Judges a request; throws the Problem that refuses it. */
export async function draftOf(ctx: OwnCtx, deps: ResolveDeps, body: SendMessage): Promise<Draft> {
  const recipient = recipientOf(body.to);
  const sendAt = body.send_at === undefined ? null : futureTime(ctx, body.send_at, "/send_at");
  const expiresAt = body.expires_at === undefined ? null : futureTime(ctx, body.expires_at, "/expires_at");
  if (sendAt !== null && sendAt > ctx.now + MOST_AHEAD_MS)
    throw invalidAt("/send_at", "A message can be scheduled up to 30 days ahead.");
  if (expiresAt !== null && (expiresAt <= ctx.now || (sendAt !== null && expiresAt <= sendAt)))
    throw invalidAt("/expires_at", "expires_at must lie after now and after send_at.");
  const sender = await senderOf(ctx, deps, body.from, recipient);
  return {
    recipient,
    sender,
    type: body.type,
    content: body.type === "template" ? body.template : body.text,
    template: body.type === "template" ? await templateOf(ctx, deps, sender, body.template) : null,
    replyTo: body.reply_to === undefined ? null : uuidOfBody("msg", body.reply_to, "/reply_to"),
    sendAt: sendAt === null ? null : new Date(sendAt).toISOString(),
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
}

function futureTime(ctx: OwnCtx, text: string, pointer: string): number {
  const ms = timeOf(text, pointer);
  if (ms > ctx.now + 366 * 86_400_000) throw invalidAt(pointer, "This time lies too far ahead.");
  return ms;
}

async function senderOf(
  ctx: OwnCtx,
  deps: ResolveDeps,
  from: string | undefined,
  recipient: Recipient,
): Promise<Sender> {
  const senders = await deps.sendersOf(ctx.workspaceId);
  let sender: Sender | undefined;
  if (from === undefined) {
    sender = senders.length > 1 ? await conversing(ctx, senders, recipient) : senders[0];
    if (!sender) throw noneConnected();
  } else {
    const id = parseId("num", from);
    const phone = id === null ? normalizePhone(from) : null;
    sender = senders.find((candidate) => candidate.phoneNumberId === id || candidate.phone === phone);
    if (!sender) {
      const detail = "There is no such phone number.";
      throw new Problem("reference_not_found", detail, {
        errors: [{ pointer: "/from", code: "reference_not_found", detail }],
      });
    }
  }
  if (senders.every(({ reason }) => reason === "account_disconnected")) throw noneConnected();
  if (!sender.usable) throw new Problem("sender_unavailable", "The phone number, or its account, cannot send now.");
  return sender;
}

// Most who read this are about to send their first message.
const noneConnected = (): Problem =>
  new Problem(
    "sender_unavailable",
    "No phone number is connected: connect a business account with `POST /v1/business-accounts`, its `provider_account_id` and an `access_token`.",
  );

async function conversing(ctx: OwnCtx, senders: readonly Sender[], recipient: Recipient): Promise<Sender | undefined> {
  const latest = await ctx.db.read(ctx.workspaceId, (sql) => latestSender(sql, ctx.workspaceId, recipient));
  return (
    senders.find((sender) => sender.phoneNumberId === latest) ??
    senders.find((sender) => sender.isDefault) ??
    senders[0]
  );
}

async function templateOf(
  ctx: OwnCtx,
  deps: ResolveDeps,
  sender: Sender,
  template: Extract<SendMessage, { type: "template" }>["template"],
): Promise<SendableTemplate> {
  const found = await deps.findTemplate(
    ctx.workspaceId,
    sender.businessAccountId,
    template.name,
    template.language.code,
  );
  if (!found) throw templateProblem("template_not_found", "The sender has no template of this name and language.");
  if (found.status !== "approved") throw templateProblem("template_not_approved", `The template is ${found.status}.`);
  const errors = found.check(template.components ?? []);
  if (errors.length > 0)
    throw new Problem("template_parameters_mismatch", errors[0]?.detail ?? "The parameters do not fit.", { errors });
  return found;
}

export function templateProblem(code: "template_not_found" | "template_not_approved", detail: string): Problem {
  return new Problem(code, detail, { errors: [{ pointer: "/template", code, detail }] });
}
