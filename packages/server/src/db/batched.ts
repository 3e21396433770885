import { Batcher } from "../lib/batch/batch.ts";
import type { BatchLimits, SubmittedRow, TighterLimits } from "../lib/batch/options.ts";
import type { Clock } from "../lib/clock.ts";
import { isLockTimeout } from "./connect.ts";
import { CommitUnknown, type Database, DatabaseUnavailable, LockHeld } from "./database.ts";
import { type HotFunction, spanOf } from "./hot-function.ts";

/** A lone row that meets a lock is called again until this long after it arrived. */
const LOCK_PATIENCE_MS = 2_000;

export type BatchedOptions<Row extends object, Answer extends object> = {
  db: Database;
  clock: Clock;
  fn: HotFunction<Row, Answer>;
  /** The group of a row, usually its workspace: batches are filled round robin over groups. */
  group(row: NoInfer<Row>): string;
  /** Rows that this row's call writes; 1 by default. */
  weight?(row: NoInfer<Row>): number;
  /** A group's rows are applied in the order in which they were submitted, one call after the other. */
  inOrder?: boolean;
  /** The order in which the rows of one call are applied, as their indexes; the order of submission by default. */
  arrange?(rows: readonly NoInfer<Row>[]): number[];
  /** True for failures of a row that other rows most likely share, such as a table that cannot be written. */
  shared?(error: unknown): boolean;
  /** Called once for each batch that committed, before its callers continue: to notify the lanes that got work. */
  committed?(answers: NoInfer<Answer>[]): void;
  /** The same where something must be known before the call: called before each, and what it returns once after it, with null if it failed. */
  begins?(rows: readonly NoInfer<Row>[]): (answers: NoInfer<Answer>[] | null) => void;
  /** See `BatchOptions`. */
  rests?: boolean;
  limits?: Partial<BatchLimits>;
  tighter?: TighterLimits;
};

/** No fault of the call: the database is away, overloaded or locked, and the same call may succeed later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof CommitUnknown;

/** The database cannot be reached, so any other call would fail too. False for a lock, which is in the way of one row only. */
export const isStandstill = (error: unknown): boolean => isPassing(error) && !(error instanceof LockHeld);

/** Calls of one hot function, coalesced: a lone caller pays one round trip, a crowd shares it. One answer for each row. */
export class BatchedCalls<Row extends object, Answer extends object> extends Batcher<Row, Answer> {
  /** `submit` resolves after the commit; it rejects with `DatabaseUnavailable` when too many rows wait. */
  constructor(options: BatchedOptions<Row, Answer>) {
    const { clock, fn, group, weight, shared, rests, tighter, limits } = options;
    super({
      flush: (rows) => callOnce(options, rows),
      solo: (row) => callSolo(options, row),
      mayRetry: (error, row) => isLockTimeout(error) && !isLate(clock, row),
      group,
      text: (row) => JSON.stringify(row),
      ...(weight ? { weight } : {}),
      isSystemic: isPassing,
      ...(options.inOrder ? { inOrder: { stops: isStandstill } } : {}),
      ...(shared ? { shared } : {}),
      overloaded: () => new DatabaseUnavailable(`too many calls of ${fn.name} wait`),
      clock,
      ...(rests ? { rests } : {}),
      ...(tighter ? { tighter } : {}),
      ...(limits ? { limits } : {}),
    });
  }
}

async function callOnce<Row extends object, Answer extends object>(
  options: BatchedOptions<Row, Answer>,
  rows: readonly SubmittedRow<Row>[],
): Promise<Answer[]> {
  const { db, clock, fn, arrange } = options;
  const given = rows.map(({ row }) => row);
  const order = arrange?.(given) ?? null;
  const texts = rows.map(({ text }) => text);
  const span = spanOf(fn, given);
  const arranged = order?.map((index) => texts[index] ?? "") ?? texts;
  const answers = await reported(options, given, () =>
    timed(db, fn.name, rows.length, () => db.callTexts(fn, arranged, clock.now(), span)),
  );
  if (order === null || answers.length !== rows.length) return answers;
  const inSubmittedOrder = Array.from<Answer>({ length: rows.length });
  order.forEach((from, index) => (inSubmittedOrder[from] = answers[index] as Answer));
  return inSubmittedOrder;
}

async function timed<T>(db: Database, name: string, rows: number, call: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  let ok = false;
  try {
    const result = await call();
    ok = true;
    return result;
  } finally {
    db.batchEnded({ name, rows, ms: performance.now() - begun, ok });
  }
}

/** Makes the call, and reports it to those that asked for it. */
async function reported<Row extends object, Answer extends object>(
  { begins, committed }: BatchedOptions<Row, Answer>,
  rows: readonly Row[],
  call: () => Promise<Answer[]>,
): Promise<Answer[]> {
  const ends = begins?.(rows);
  let answers: Answer[] | null = null;
  try {
    answers = await call();
    committed?.(answers);
    return answers;
  } finally {
    ends?.(answers);
  }
}

async function callSolo<Row extends object, Answer extends object>(
  options: BatchedOptions<Row, Answer>,
  row: SubmittedRow<Row>,
): Promise<Answer> {
  const { db, clock, fn } = options;
  try {
    const answers = await reported(options, [row.row], () => db.callSolo(fn, row.text, clock.now()));
    const answer = answers[0];
    if (!answer) throw new Error(`${fn.name} gave no answer`);
    return answer;
  } catch (error) {
    throw isLockTimeout(error) && isLate(clock, row) ? new LockHeld(fn.name, error) : error;
  }
}

const isLate = (clock: Clock, { submittedAt }: { submittedAt: number }): boolean =>
  clock.monotonic() - submittedAt >= LOCK_PATIENCE_MS;

/** The calls of a hot function, by the function's type. */
export type CallsOf<Fn> = Fn extends HotFunction<infer Row, infer Answer> ? BatchedCalls<Row, Answer> : never;
