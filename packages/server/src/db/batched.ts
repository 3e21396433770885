import { type Batcher, type BatchLimits, createBatcher, type TighterLimits } from "../lib/batch.ts";
import type { Clock } from "../lib/clock.ts";
import { isLockTimeout } from "./connect.ts";
import { CommitUnknown, type Database, DatabaseUnavailable, LockHeld } from "./database.ts";
import type { HotFunction } from "./hot-function.ts";

/** A lone row that meets a lock is called again until this long after it arrived. */
const LOCK_PATIENCE_MS = 2_000;

export type BatchedOptions<Row, Answer> = {
  db: Database;
  clock: Clock;
  fn: HotFunction;
  /** Whose row it is: its workspace. */
  group(row: Row): string;
  /** Rows that it will write, when they are many. */
  weight?(row: Row): number;
  /** A group's rows are applied in the order in which they were handed in, one call after the other. */
  inOrder?: boolean;
  /** The order in which the rows of one call are applied, as their indexes; as they came when not given. */
  arrange?(rows: readonly Row[]): number[];
  /** Failures of a row that are most likely everybody's, such as a table that takes nothing. */
  shared?(error: unknown): boolean;
  /** Seen once for each batch that committed, before its callers go on: to hint the lanes that got work. */
  committed?(answers: Answer[]): void;
  limits?: Partial<BatchLimits>;
  tighter?: TighterLimits;
};

/** The database could not be asked: nobody fares better. A lock is in the way of one row; the others may go on. */
export const isStandstill = (error: unknown): boolean => hopeless(error) && !(error instanceof LockHeld);

const hopeless = (error: unknown): boolean => error instanceof DatabaseUnavailable || error instanceof CommitUnknown;

type Rendered<Row> = { row: Row; text: string; arrivedAt: number };

/** Calls of one hot function, coalesced: a lone caller pays one round trip, a crowd shares it. One answer a row, in order. */
export function batchCalls<Row extends object, Answer extends object>(
  options: BatchedOptions<Row, Answer>,
): Pick<Batcher<Row, Answer>, "submit" | "drained" | "size"> {
  const { db, clock, fn } = options;
  const isLate = (arrivedAt: number): boolean => clock.monotonic() - arrivedAt >= LOCK_PATIENCE_MS;
  const batcher = createBatcher<Rendered<Row>, Answer>({
    async flush(rows) {
      const order = options.arrange?.(rows.map(({ row }) => row)) ?? null;
      const texts = rows.map(({ text }) => text);
      const answers = await db.call<Answer>(fn, order?.map((index) => texts[index] ?? "") ?? texts, clock.now());
      options.committed?.(answers);
      if (order === null || answers.length !== rows.length) return answers;
      const back = Array.from<Answer>({ length: rows.length });
      order.forEach((from, index) => (back[from] = answers[index] as Answer));
      return back;
    },
    async solo({ text, arrivedAt }) {
      try {
        const answers = await db.callSolo<Answer>(fn, text, clock.now());
        options.committed?.(answers);
        const answer = answers[0];
        if (!answer) throw new Error(`${fn.name} gave no answer`);
        return answer;
      } catch (error) {
        throw isLockTimeout(error) && isLate(arrivedAt) ? new LockHeld(fn.name, error) : error;
      }
    },
    again: (error, { arrivedAt }) => isLockTimeout(error) && !isLate(arrivedAt),
    group: ({ row }) => options.group(row),
    bytes: ({ text }) => text.length,
    weight: ({ row }) => options.weight?.(row) ?? 1,
    hopeless,
    ...(options.inOrder ? { inOrder: { stops: isStandstill } } : {}),
    ...(options.shared ? { shared: options.shared } : {}),
    overloaded: () => new DatabaseUnavailable(`too many calls of ${fn.name} wait`),
    monotonic: clock.monotonic,
    ...(options.tighter ? { tighter: options.tighter } : {}),
    ...(options.limits ? { limits: options.limits } : {}),
  });
  return {
    submit: (row) => batcher.submit({ row, text: JSON.stringify(row), arrivedAt: clock.monotonic() }),
    drained: () => batcher.drained(),
    get size() {
      return batcher.size;
    },
  };
}
