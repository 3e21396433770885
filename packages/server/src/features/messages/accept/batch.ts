import type { RequestKey } from "../../../http/idempotency.ts";
import { requestKey } from "../../../http/idempotency-key.ts";
import { passingFault } from "../../../http/passing-fault.ts";
import { Problem } from "../../../http/problem.ts";
import { problemFields } from "../../../http/problem-body.ts";
import type { Answer, OwnCtx } from "../../../http/route.ts";
import type { BatchedMessage, BatchResult, SendBatch } from "../batch-schema.ts";
import type { SendMessage } from "../schema.ts";
import { type Accept, firstUseOf } from "./accept.ts";
import type { MessageAnswer } from "./accept-row.ts";
import { keepBatchKey } from "./batch.store.ts";
import { personsOf } from "./persons.ts";

type BatchInput = { body: SendBatch; refused?: ReadonlyMap<number, Problem> };
type Outcome = MessageAnswer | Problem;

/** Messages of one batch that are being accepted at the same time: one full call of the database. */
const AT_ONCE = 200;

/**
 * The verb of `POST /v1/messages/batch`: each message is accepted, replayed or refused as by a request of its own, and messages of
 * one person one after the other. Keys make a repeated batch safe: what a killed process had accepted is replayed, the rest is new.
 */
export async function sendBatch(
  accept: Accept,
  ctx: OwnCtx,
  { body: { messages }, refused = new Map() }: BatchInput,
): Promise<Answer<BatchResult>> {
  if (ctx.key !== null) await firstUseOf(ctx, ctx.key);
  const fitting = messages.map((message, index) => (refused.has(index) ? null : message));
  const persons = await personsOf(ctx, fitting);
  const last = new Map<string, Promise<Outcome>>();
  const outcomes = await eachOf(messages.length, async (index) => {
    const refusal = refused.get(index);
    if (refusal) return refusal;
    const person = persons[index] ?? "";
    const outcome = acceptedAfter(last.get(person), accept, ctx, index, messages[index] as BatchedMessage);
    last.set(person, outcome);
    return await outcome;
  });
  const accepted = outcomes.filter((outcome): outcome is MessageAnswer => !(outcome instanceof Problem));
  if (accepted.length === 0)
    refuseAll(outcomes as Problem[]); // there is nothing else in it
  else if (ctx.key !== null) await keepBatchKey(ctx, ctx.key);
  return {
    body: { data: outcomes.map((outcome, index) => ({ index, ...shown(outcome, ctx.requestId) })) },
    ...(isReplay(outcomes) ? { replayed: true } : {}),
    ...(accepted.every(({ replayed }) => replayed) ? { unaudited: true } : {}),
  };
}

/** Runs `work` for each index in their order, so many at once. */
async function eachOf<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  const results = Array.from<Result>({ length: count });
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, worker));
  return results;
}

async function acceptedAfter(
  earlier: Promise<Outcome> | undefined,
  accept: Accept,
  ctx: OwnCtx,
  index: number,
  { idempotency_key, ...body }: BatchedMessage,
): Promise<Outcome> {
  await earlier;
  try {
    return await accept.accept(ctx, keyOf(ctx.key, index, idempotency_key, body), body);
  } catch (error) {
    return problemOf(ctx, error);
  }
}

const SINGLE = ["POST", "/v1/messages"] as const;

/**
 * The key of a message: its own one, as of a request that sends it alone; else one that the batch's key and the place give. No
 * client can write that one, because a line break is in no key. A message whose own key is the batch's gets such a one too: stored
 * as the message's, it would be another request's when the batch is repeated.
 */
function keyOf(batch: RequestKey | null, index: number, own: string | undefined, body: SendMessage): RequestKey | null {
  const key = own === undefined ? null : requestKey(own, ...SINGLE, body);
  if (key !== null && key.digest !== batch?.digest) return key;
  return batch && requestKey(`${batch.digest}\n${key === null ? index : "own"}`, ...SINGLE, body);
}

/** What a request of its own would be refused with. */
function problemOf(ctx: OwnCtx, error: unknown): Problem {
  if (error instanceof Problem) return error;
  const passing = passingFault(error);
  if (passing) return passing;
  ctx.log.error(
    { err: error, request_id: ctx.requestId, workspace_id: ctx.workspaceId },
    "a message of a batch failed",
  );
  return new Problem("internal", "Something failed here; the request id finds it in the log.", { cause: error });
}

/** Nothing new was accepted, and what was accepted before is all there: else it is no answer to keep. */
const isReplay = (outcomes: readonly Outcome[]): boolean =>
  outcomes.every((outcome) => (outcome instanceof Problem ? outcome.status < 500 : outcome.replayed)) &&
  outcomes.some((outcome) => !(outcome instanceof Problem));

/** A fault of the gateway that met every message is the request's: a client that repeats what was answered 5xx repeats all. */
function refuseAll(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first && problems.every(({ status }) => status >= 500)) throw first;
}

const shown = (outcome: Outcome, requestId: string): Pick<BatchResult["data"][number], "message" | "error"> =>
  outcome instanceof Problem ? { error: problemFields(outcome, requestId) } : { message: outcome.body };
