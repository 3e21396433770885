import { type Batcher, type BatchLimits, createBatcher } from "../lib/batch.ts";
import type { Clock } from "../lib/clock.ts";
import { isLockTimeout } from "./connect.ts";
import { CommitUnknown, type Database, DatabaseUnavailable, LockHeld } from "./database.ts";
import type { HotFunction } from "./hot-function.ts";

/** A lone row that meets a lock is called again until this long after its first try, unless the caller says otherwise. */
const LOCK_PATIENCE_MS = 2_000;

export type BatchedOptions<Row, Answer> = {
  db: Database;
  clock: Clock;
  fn: HotFunction;
  /** Whose row it is: its workspace. */
  group(row: Row): string;
  weight?(row: Row): number;
  /** Milliseconds that a lone row waits for a lock before it fails with `LockHeld`. */
  lockPatienceMs?: number;
  /** Seen once for each batch that committed, before its callers go on: to hint the lanes that got work. */
  committed?(answers: Answer[]): void;
  limits?: Partial<BatchLimits>;
};

type Rendered<Row> = { row: Row; text: string };

/** Calls of one hot function, coalesced: a lone caller pays one round trip, a crowd shares it. One answer a row, in order. */
export function batchCalls<Row extends object, Answer extends object>(
  options: BatchedOptions<Row, Answer>,
): Pick<Batcher<Row, Answer>, "submit" | "drained" | "size"> {
  const { db, clock, fn } = options;
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
    async solo({ text }) {
      const deadline = clock.monotonic() + (options.lockPatienceMs ?? LOCK_PATIENCE_MS);
      for (;;) {
        try {
          const answers = await db.callSolo<Answer>(fn, text, clock.now());
          options.committed?.(answers);
          const answer = answers[0];
          if (!answer) throw new Error(`${fn.name} gave no answer`);
          return answer;
        } catch (error) {
          if (!isLockTimeout(error)) throw error;
          if (clock.monotonic() >= deadline)
            throw new LockHeld(`${fn.name} waited too long for a lock`, { cause: error });
        }
      }
    },
    group: ({ row }) => options.group(row),
    bytes: ({ text }) => text.length,
    weight: ({ row }) => options.weight?.(row) ?? 1,
    hopeless: (error) => error instanceof DatabaseUnavailable || error instanceof CommitUnknown,
    overloaded: () => new DatabaseUnavailable(`too many calls of ${fn.name} wait`),
    monotonic: clock.monotonic,
    ...(options.limits ? { limits: options.limits } : {}),
  });
  return {
    submit: (row) => batcher.submit({ row, text: JSON.stringify(row) }),
    drained: () => batcher.drained(),
    get size() {
      return batcher.size;
    },
  };
}
