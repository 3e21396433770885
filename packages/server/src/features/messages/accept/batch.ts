import type { Database } from "../../../db/database.ts";
import type { RequestKey } from "../../../http/idempotency.ts";
import { passingFault } from "../../../http/passing-fault.ts";
import { Problem } from "../../../http/problem.ts";
import type { Log } from "../../../lib/log.ts";
import type { BatchedMessage } from "../batch-schema.ts";
import type { SendMessage } from "../schema.ts";
import { type Accepting, type SendCtx, type Sent, sendKey } from "../send-context.ts";
import { type Accept, firstUseOf } from "./accept.ts";
import { keepBatchKey } from "./batch.store.ts";
import { personsOf } from "./persons.ts";

type Parts = { accept: Accept; db: Database; log: Log };
type Outcome = Sent | Problem;

/** Messages of one batch that are being accepted at the same time: one full call of the database. */
const AT_ONCE = 200;

/**
 * Accepts, replays or refuses each message as if it came by itself, and messages of one person one after the other. Keys make a
 * repeated batch safe: what a killed process had accepted is replayed, the rest is new.
 */
export async function acceptAll(
  parts: Parts,
  ctx: Omit<SendCtx, "wait">,
  messages: readonly BatchedMessage[],
  refused: ReadonlyMap<number, Problem>,
): Promise<Outcome[]> {
  const { db } = parts;
  const { workspaceId, key } = ctx;
  if (key !== null) await firstUseOf(db, ctx, key);
  const fitting = messages.map((message, index) => (refused.has(index) ? null : message));
  const persons = await personsOf(db, workspaceId, fitting);
  const last = new Map<string, Promise<Outcome>>();
  const outcomes = await eachOf(messages.length, async (index) => {
    const refusal = refused.get(index);
    if (refusal) return refusal;
    const person = persons[index] ?? "";
    const outcome = acceptedAfter(last.get(person), parts, ctx, index, messages[index] as BatchedMessage);
    last.set(person, outcome);
    return await outcome;
  });
  const problems = outcomes.filter((outcome) => outcome instanceof Problem);
  if (problems.length === outcomes.length) refuseAll(problems);
  else if (key !== null) await keepBatchKey(db, workspaceId, key, ctx.now);
  return outcomes;
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
  { accept, log }: Parts,
  ctx: Omit<SendCtx, "wait">,
  index: number,
  { idempotency_key, ...body }: BatchedMessage,
): Promise<Outcome> {
  await earlier;
  try {
    return await accept.accept(ctx, keyOf(ctx, index, idempotency_key, body), body);
  } catch (error) {
    return problemOf(log, ctx, error);
  }
}

/**
 * The key of a message: its own one, as of a request that sends it alone; else one that the batch's key and the place give. No
 * client can write that one, because a line break is in no key. A message whose own key is the batch's gets such a one too: stored
 * as the message's, it would be another request's when the batch is repeated.
 */
function keyOf(
  { key: batch, actor: { phoneNumberIds } }: Pick<SendCtx, "key" | "actor">,
  index: number,
  own: string | undefined,
  body: SendMessage,
): RequestKey | null {
  const key = own === undefined ? null : sendKey(own, body, phoneNumberIds);
  if (key !== null && key.digest !== batch?.digest) return key;
  return batch && sendKey(`${batch.digest}\n${key === null ? index : "own"}`, body, phoneNumberIds);
}

/** What a request of its own would be refused with. */
function problemOf(log: Log, ctx: Accepting, error: unknown): Problem {
  if (error instanceof Problem) return error;
  const passing = passingFault(error);
  if (passing) return passing;
  log.error({ err: error, request_id: ctx.requestId, workspace_id: ctx.workspaceId }, "a message of a batch failed");
  return new Problem("internal", "Something failed here; the request id finds it in the log.", { cause: error });
}

/** A fault of the gateway that met every message is the request's: a client that repeats what was answered 5xx repeats all. */
function refuseAll(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first && problems.every(({ status }) => status >= 500)) throw first;
}
