import type { App } from "../../../ctx.ts";
import { CommitUnknown } from "../../../db/database.ts";
import type { Call, CallAnswer, CallCtx, Given } from "../../../http/call.ts";
import { mayUseNumber } from "../../../http/caller.ts";
import { valueKey } from "../../../http/idempotency-key.ts";
import { invalidAt, referenceNotFound } from "../../../http/problem.ts";
import { formatId } from "../../../lib/ids.ts";
import type { Sender, Senders } from "../../accounts/numbers/senders.ts";
import { findMessageByPublicId } from "../../messages/public-id.ts";
import type { SendMessage } from "../../messages/schema.ts";
import { sendCtxOf } from "../../messages/send-verbs.ts";
import type { Sending } from "../../messages/sending.ts";
import { numberOfKey, numberOfPath } from "../objects/objects.ts";
import { acceptedAnswer, refusalOf } from "./answer.ts";
import { type Named, naming, readSend } from "./send-body.ts";

const SEND = "POST /v1/messages";
const READ = "POST /v1/messages/{id}/read";

export type MessageDeps = { app: Pick<App, "config" | "clock">; senders: Senders; sending: Sending };

/** Sending and marking as read, which the provider has at one path. */
export const messageCalls = (deps: MessageDeps): Call[] => {
  const { senders } = deps;
  const post = async (ctx: CallCtx, values: Given["values"], number: Sender): Promise<CallAnswer> =>
    values["status"] === "read" ? await markRead(ctx, values) : await send(ctx, values, { ...deps, number });
  const served = { kind: "served", method: "POST", row: SEND } as const;
  return [
    {
      ...served,
      path: "/{number}/messages",
      summary: "Sends a message, or marks one as read (`status: read`), with the typing indicator.",
      answer: async (ctx, { params, values }) =>
        await post(ctx, values, await numberOfPath(ctx, senders, params["number"] ?? "")),
    },
    {
      ...served,
      path: "/messages",
      summary: "The same with a key that is limited to one number, or in a workspace that has one.",
      answer: async (ctx, { values }) => await post(ctx, values, await numberOfKey(ctx, senders)),
    },
    {
      ...served,
      path: "/{number}/marketing_messages",
      summary: "Sends a template of the category marketing.",
      answer: async (ctx, { params, values }) => {
        const number = await numberOfPath(ctx, senders, params["number"] ?? "");
        if (values["type"] !== "template") throw invalidAt("/type", "must be template");
        return await send(ctx, values, { ...deps, number });
      },
    },
  ];
};

type Outcome = Awaited<ReturnType<Sending["sendAndWait"]>>["outcome"];

/** Committed as any message is, then waited for. */
async function send(
  ctx: CallCtx,
  values: Given["values"],
  { app, number, sending }: MessageDeps & { number: Sender },
): Promise<CallAnswer> {
  const { body: given, reference, input, named } = readSend(values);
  const body = { ...given, from: formatId("num", number.phoneNumberId) };
  const passed = await ctx.pass(SEND, {
    body: named === null ? body : naming(body, await idOfNamed(ctx, named)),
    key: hasKey(ctx) ? null : valueKey(ctx.actor, reference, ["POST", SEND, { ...body, named, reference }]),
    waitSeconds: app.config.FRONT_WAIT,
    verb: async (own, { body: checked }) => {
      const asked = reference === undefined ? checked : { ...(checked as SendMessage), reference };
      const { sent, messageId, outcome } = await sending.sendAndWait(sendCtxOf(own), asked);
      const resource = { type: "message", id: sent.message.id };
      return {
        body: { messageId, outcome, to: sent.message.to },
        resource,
        ...(sent.replayed ? { replayed: true } : {}),
      };
    },
  });
  const { messageId, outcome, to }: { messageId: string; outcome: Outcome; to: string | null } = passed.body;
  const publicId = await publicIdOf(sending, ctx.workspaceId, { messageId, outcome });
  const answer = acceptedAnswer({ to, isTemplate: given["type"] === "template" }, publicId, input);
  return { body: answer, ...(passed.replayed ? { replayed: true } : {}) };
}

/** The id that is answered, and reported from then on; throws the refusal of a message that has ended without one. */
async function publicIdOf(
  sending: Sending,
  workspaceId: string,
  { messageId, outcome }: { messageId: string; outcome: Outcome },
): Promise<string> {
  if (outcome.kind === "named") return outcome.publicId;
  if (outcome.kind === "refused") throw refusalOf(outcome.error);
  // The message is committed: whatever fails now, it must not look as if it could be sent again.
  const decided = await sending.decidePublicId(workspaceId, messageId).catch((error: unknown) => {
    throw new CommitUnknown("the message is committed, and its id could not be decided", { cause: error });
  });
  if (decided.ended !== null) throw refusalOf(decided.ended.error);
  return decided.publicId;
}

async function markRead(ctx: CallCtx, values: Given["values"]): Promise<CallAnswer> {
  const { message_id: id, typing_indicator: typing } = values;
  if (typeof id !== "string") throw invalidAt("/message_id", "is required", "required");
  const messageId = await idOfNamed(ctx, { publicId: id, pointer: "/message_id" });
  await ctx.pass(READ, { params: { id: messageId }, body: typing == null ? {} : { typing: true } });
  return { body: { success: true } };
}

const hasKey = ({ headers }: CallCtx): boolean =>
  headers["x-idempotency-key"] !== undefined || headers["idempotency-key"] !== undefined;

/** The message that a client names, `msg_…`; an unknown one is refused as the provider does, and so is another workspace's. */
async function idOfNamed(ctx: CallCtx, { publicId, pointer }: Named): Promise<string> {
  const { workspaceId } = ctx;
  const found = await ctx.db.read(workspaceId, (sql) => findMessageByPublicId(sql, workspaceId, publicId));
  if (found === null || !mayUseNumber(ctx.actor, found.phoneNumberId)) throw referenceNotFound(pointer);
  return formatId("msg", found.messageId);
}
