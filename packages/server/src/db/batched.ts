import { type Batcher, type BatchLimits, createBatcher } from "../lib/batch.ts";
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
  weight?(row: Row): number;
  /** Seen once for each batch that committed, before its callers go on: to hint the lanes that got work. */
  committed?(answers: Answer[]): void;
  limits?: Partial<BatchLimits>;
};

type Rendered<Row> = { row: Row; text: string; arrivedAt: number };

/** Calls of one hot function, coalesced: a lone caller pays one round trip, a crowd shares it. One answer a row, in order. */
export function batchCalls<Row extends object, Answer extends object>(
  options: BatchedOptions<Row, Answer>,
): Pick<Batcher<Row, Answer>, "submit" | "drained" | "size"> {
  const { db, clock, fn } = options;
  const isLate = (arrivedAt: number): boolean => clock.monotonic() - arrivedAt >= LOCK_PATIENCE_MS;
  const batcher = createBatcher<Rendered<Row>, Answer>({
    async flush(rows) {
      const answers = await db.call<Answer>(
        fn,
        rows.map((rendered) => rendered.text),
        clock.now(),
      );
      options.committed?.(answers);
      return answers;
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
    hopeless: (error) => error instanceof DatabaseUnavailable || error instanceof CommitUnknown,
    overloaded: () => new DatabaseUnavailable(`too many calls of ${fn.name} wait`),
    monotonic: clock.monotonic,
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
