import { waitApplied } from "../../http/headers.ts";
import { Problem } from "../../http/problem.ts";
import { problemFields } from "../../http/problem-body.ts";
import type { Answer, Input, OwnCtx } from "../../http/route.ts";
import type { BatchResult, SendBatch } from "./batch-schema.ts";
import type { Message, SendMessage } from "./schema.ts";
import type { SendCtx, Sent } from "./send-context.ts";
import type { Sending } from "./sending.ts";
import type { Validation } from "./validate-schema.ts";

type Body<B> = Pick<Input<unknown, unknown, B>, "body" | "refused">;

/** The verb of `POST /v1/messages`. */
export async function sendMessage(
  sending: Sending,
  ctx: OwnCtx,
  { body }: Body<SendMessage>,
): Promise<Answer<Message>> {
  const { message, replayed, waited } = await sending.send(sendCtxOf(ctx), body);
  const location = `/v1/messages/${message.id}`;
  const answer: Answer<Message> = {
    body: message,
    headers: waited ? { location, ...waitApplied(ctx.waitSeconds ?? 0) } : { location },
    resource: { type: "message", id: message.id },
  };
  return replayed ? { ...answer, replayed } : answer;
}

/** The verb of `POST /v1/messages/batch`. */
export async function sendBatch(
  sending: Sending,
  ctx: OwnCtx,
  { body, refused }: Body<SendBatch>,
): Promise<Answer<BatchResult>> {
  const outcomes = await sending.sendAll(sendCtxOf(ctx), body.messages, refused);
  const accepted = outcomes.filter((outcome): outcome is Sent => !(outcome instanceof Problem));
  return {
    body: { data: outcomes.map((outcome, index) => ({ index, ...shown(outcome, ctx) })) },
    ...(accepted.length > 0 && isReplay(outcomes) ? { replayed: true } : {}),
    ...(accepted.every(({ replayed }) => replayed) ? { unaudited: true } : {}),
  };
}

/** The verb of `POST /v1/messages/validate`. */
export const validateMessage = async (
  sending: Sending,
  ctx: OwnCtx,
  { body }: Body<SendMessage>,
): Promise<Answer<Validation>> => {
  const { problems, ...found } = await sending.validate(sendCtxOf(ctx), body);
  return { body: { ...found, problems: problems.map((one) => problemFields(one, ctx)) }, unaudited: true };
};

/** What a verb that sends passes on of its request. */
export const sendCtxOf = (ctx: OwnCtx): SendCtx => ({
  workspaceId: ctx.workspaceId,
  actor: ctx.actor,
  requestId: ctx.requestId,
  now: ctx.now,
  key: ctx.key,
  audit: ctx.audit,
  // Its signal is created when it is first asked for.
  wait: ctx.waitSeconds === null ? null : { seconds: ctx.waitSeconds, signal: ctx.signal },
});

/** Nothing new was accepted, and what was accepted before is all there: else it is no answer to keep. */
const isReplay = (outcomes: readonly (Sent | Problem)[]): boolean =>
  outcomes.every((outcome) => (outcome instanceof Problem ? outcome.status < 500 : outcome.replayed));

const shown = (outcome: Sent | Problem, ctx: OwnCtx): Pick<BatchResult["data"][number], "message" | "error"> =>
  outcome instanceof Problem ? { error: problemFields(outcome, ctx) } : { message: outcome.message };
