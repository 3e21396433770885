import type { App } from "../../../ctx.ts";
import type { Call, CallAnswer, CallCtx, Given } from "../../../http/call.ts";
import { invalidAt, referenceNotFound } from "../../../http/problem.ts";
import { formatId } from "../../../lib/ids.ts";
import type { Sender, Senders } from "../../accounts/numbers/senders.ts";
import type { Message } from "../../messages/schema.ts";
import { numberOfKey, numberOfPath } from "../objects/objects.ts";
import { acceptedAnswer, refusalOf } from "./answer.ts";
import { dedupeKey, findMessageByPublicId, type PublicIds } from "./public-ids.ts";
import { type Named, naming, readSend } from "./send-body.ts";

const SEND = "POST /v1/messages";
const READ = "POST /v1/messages/{id}/read";

export type MessageDeps = { app: Pick<App, "config" | "clock">; senders: Senders; publicIds: PublicIds };

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

/** Committed as any message is, then waited for. */
async function send(
  ctx: CallCtx,
  values: Given["values"],
  { app, number, publicIds }: MessageDeps & { number: Sender },
): Promise<CallAnswer> {
  const { body: given, input, named } = readSend(values);
  const from = { from: formatId("num", number.phoneNumberId) };
  const body = { ...given, ...from };
  const { body: message, replayed } = await ctx.pass(SEND, {
    body: named === null ? body : naming(body, await idOfNamed(ctx, named)),
    key: dedupeKey(ctx, { headers: ctx.headers, reference: given["reference"], body }),
    waitSeconds: app.config.FRONT_WAIT,
  });
  const decided = await publicIds.decide(ctx, message as Message);
  if (decided.publicId === null) throw refusalOf(message as Message);
  return { body: acceptedAnswer(message as Message, decided.publicId, input), ...(replayed ? { replayed } : {}) };
}

async function markRead(ctx: CallCtx, values: Given["values"]): Promise<CallAnswer> {
  const { message_id: id, typing_indicator: typing } = values;
  if (typeof id !== "string") throw invalidAt("/message_id", "is required", "required");
  const messageId = await idOfNamed(ctx, { publicId: id, pointer: "/message_id" });
  await ctx.pass(READ, { params: { id: messageId }, body: typing == null ? {} : { typing: true } });
  return { body: { success: true } };
}

/** The message that a client names, `msg_…`; an unknown one is refused as the provider does, and so is another workspace's. */
async function idOfNamed(ctx: CallCtx, { publicId, pointer }: Named): Promise<string> {
  const found = await findMessageByPublicId(ctx, ctx.workspaceId, publicId);
  if (found === null) throw referenceNotFound(pointer);
  return formatId("msg", found.messageId);
}
