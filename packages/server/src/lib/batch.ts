import { createLine } from "./batch-line.ts";

/**
 * Group commit in the application: concurrent single calls become one call of a database function.
 *
 * An idle batcher flushes at once (nothing is ever waited for); while flushes are in the air, what arrives is collected
 * and leaves when one of them returns. So a lone caller pays one round trip and a crowd shares it: on two cores
 * 2,600 rows/s at batch 1 became 17,300–20,300 at batch 100.
 */
export type Batcher<Row, Answer> = {
  /** Resolves with the row's own answer; rejects with its own error only: a neighbour's failure is never seen. */
  submit(row: Row): Promise<Answer>;
  /** Rows collected and in the air. */
  readonly size: number;
  /** Resolves when nothing is collected or in the air. */
  drained(): Promise<void>;
};

export type BatchOptions<Row, Answer> = {
  /** Runs one batch in order; must give exactly one answer a row, in the same order. */
  flush(rows: Row[]): Promise<Answer[]>;
  /** Runs one row alone, after its batch failed, on a connection of its own. */
  solo(row: Row): Promise<Answer>;
  /** Whether a row that failed alone may try once more, after the others of its batch. */
  again?(error: unknown, row: Row): boolean;
  /** Whose row it is: batches are filled round robin over these. */
  group(row: Row): string;
  /**
   * A group's rows keep their order: they are in one flight at a time, one by one too, and when one of them meets a failure
   * that `stops`, all that wait behind it get that failure instead of overtaking it.
   */
  inOrder?: { stops(error: unknown): boolean };
  /** True for failures of a row alone that the next rows will most likely share; three in a row, and the rest of the batch gets it untried. */
  shared?(error: unknown): boolean;
  /** Bytes of a row, for the bound below. */
  bytes(row: Row): number;
  /** Work that a row fans out to (rows written for it); default 1. */
  weight?(row: Row): number;
  /** True for failures that are no row's fault (the database is away): every caller gets them as they are. */
  hopeless(error: unknown): boolean;
  /** Raised when the bounds of waiting rows are reached: the caller answers 503. */
  overloaded(): Error;
  monotonic(): number;
  limits?: Partial<BatchLimits>;
  /** Limits that hold at times. */
  tighter?: TighterLimits;
};

export type TighterLimits = { when(): boolean; limits: Partial<BatchLimits> };

export type BatchLimits = {
  /** Rows a batch: past 200 the transaction's length costs more latency than the round trip saves. */
  rows: number;
  /** Bytes a batch: one JSON argument of a few MiB parses in milliseconds; more stalls its neighbours. */
  bytes: number;
  /** Fan-out a batch: deliveries and such that its rows write. */
  weight: number;
  /** Flushes in the air at the most. */
  flights: number;
  /**
   * Rows that are worth a flush beside one that is in the air already; fewer wait for its return. Flushes of a few rows cost
   * PostgreSQL twice a row's time. Of accepting, at 64 and at 256 callers: 286 and 265 µs of everybody's processor time a
   * row at 20, 255 and 242 at 48.
   */
  worthwhile: number;
  /** Rows waiting: some seconds of work at the worst measured speed. */
  waitingRows: number;
  waitingBytes: number;
};

const LIMITS: BatchLimits = {
  rows: 200,
  bytes: 4 * 1024 * 1024,
  weight: 1_000,
  flights: 2,
  worthwhile: 48,
  waitingRows: 20_000,
  waitingBytes: 64 * 1024 * 1024,
};

/** Rows in a row that fail alone with a failure that others share: the next ones of the batch are not tried. */
const SHARED_AFTER = 3;

type Waiting<Row, Answer> = {
  row: Row;
  group: string;
  bytes: number;
  weight: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

export function createBatcher<Row, Answer>(options: BatchOptions<Row, Answer>): Batcher<Row, Answer> {
  type Batch = Waiting<Row, Answer>[];
  const { tighter } = options;
  const usual = { ...LIMITS, ...options.limits };
  const tight = { ...usual, ...tighter?.limits };
  const limitsNow = (): BatchLimits => (tighter?.when() ? tight : usual);
  const line = createLine<Waiting<Row, Answer>>({
    groupOf: ({ group }) => group,
    inOrder: options.inOrder !== undefined,
    monotonic: options.monotonic,
  });
  let waitingBytes = 0;
  let aloneRows = 0;
  let aloneBytes = 0;
  let flights = 0;
  let inFlight = 0;
  let scheduled = false;
  const idlers: (() => void)[] = [];

  function submit(row: Row): Promise<Answer> {
    const bytes = options.bytes(row);
    if (line.size + aloneRows >= usual.waitingRows || waitingBytes + aloneBytes + bytes > usual.waitingBytes)
      return Promise.reject(options.overloaded());
    return new Promise<Answer>((resolve, reject) => {
      const group = options.group(row);
      line.push(group, { row, group, bytes, weight: options.weight?.(row) ?? 1, resolve, reject });
      waitingBytes += bytes;
      schedule();
    });
  }

  // One microtask of collecting: calls of the same turn share the first flush.
  function schedule(): void {
    if (scheduled || !mayFly()) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      while (mayFly()) void fly(fill());
    });
  }

  function mayFly(): boolean {
    if (line.ready === 0) return false;
    if (flights === 0) return true;
    const limits = limitsNow();
    return flights < limits.flights && line.ready >= limits.worthwhile;
  }

  function fill(): Batch {
    const limits = limitsNow();
    let bytes = 0;
    let weight = 0;
    return line.fill((batch, next) => {
      if (batch.length >= limits.rows) return false;
      const fits = bytes + next.bytes <= limits.bytes && weight + next.weight <= limits.weight;
      if (batch.length > 0 && !fits) return false;
      bytes += next.bytes;
      weight += next.weight;
      waitingBytes -= next.bytes;
      return true;
    });
  }

  const groupsOf = (batch: Batch): Set<string> => new Set(batch.map(({ group }) => group));

  async function fly(batch: Batch): Promise<void> {
    if (batch.length === 0) return;
    flights += 1;
    inFlight += batch.length;
    const groups = groupsOf(batch);
    try {
      const answers = await options.flush(batch.map((waiting) => waiting.row));
      if (answers.length !== batch.length)
        throw new Error(`batch of ${batch.length} rows got ${answers.length} answers`);
      flights -= 1;
      line.release(groups);
      answer(batch, answers);
      return;
    } catch (error) {
      if (options.hopeless(error)) {
        // Not a row's fault: nobody's next try would fare better right now.
        for (const waiting of batch) waiting.reject(error);
        for (const group of groups) rejectBehind(group, error);
        line.release(groups);
        inFlight -= batch.length;
      } else {
        // The main loop goes on; the rows of the failed batch find out one by one which of them it was.
        void oneByOne(batch);
      }
    }
    flights -= 1;
    schedule();
    settleIdlers();
  }

  function rejectBehind(group: string, error: unknown): void {
    for (const waiting of line.takeBehind(group)) {
      waitingBytes -= waiting.bytes;
      waiting.reject(error);
    }
  }

  // The next flush leaves before the callers of this one go on: what they do with their answers takes longer than a flush
  // takes to leave, and the database would wait for it.
  function answer(batch: Batch, answers: readonly Answer[]): void {
    const giveOut = (): void => {
      batch.forEach((waiting, index) => waiting.resolve(answers[index] as Answer));
      inFlight -= batch.length;
      settleIdlers();
    };
    if (!mayFly()) return giveOut();
    while (mayFly()) void fly(fill());
    setImmediate(giveOut);
  }

  // They wait like any others, and under the same bounds.
  async function oneByOne(batch: Batch): Promise<void> {
    const groups = groupsOf(batch);
    for (const { bytes } of batch) {
      aloneRows += 1;
      aloneBytes += bytes;
    }
    const land = ({ bytes }: Batch[number]): void => {
      inFlight -= 1;
      aloneRows -= 1;
      aloneBytes -= bytes;
    };
    const rejectAll = (rejected: Batch, error: unknown): void => {
      for (const waiting of rejected) {
        waiting.reject(error);
        land(waiting);
      }
    };
    let alike = 0;
    for (let waiting = batch.shift(); waiting; waiting = batch.shift()) {
      const { group } = waiting;
      try {
        waiting.resolve(await options.solo(waiting.row));
        alike = 0;
      } catch (error) {
        if (options.again?.(error, waiting.row)) {
          batch.push(waiting, ...(options.inOrder ? takeGroup(batch, group) : []));
          continue;
        }
        if (!options.hopeless(error)) line.blame(group);
        waiting.reject(error);
        if (options.inOrder?.stops(error)) {
          rejectAll(takeGroup(batch, group), error);
          rejectBehind(group, error);
        }
        alike = options.shared?.(error) ? alike + 1 : 0;
        if (alike >= SHARED_AFTER) rejectAll(batch.splice(0), error);
      }
      land(waiting);
    }
    line.release(groups);
    schedule();
    settleIdlers();
  }

  /** Takes the rows of a group out of a batch, in their order. */
  function takeGroup(batch: Batch, group: string): Batch {
    const rest = batch.filter((waiting) => waiting.group !== group);
    const taken = batch.filter((waiting) => waiting.group === group);
    batch.splice(0, batch.length, ...rest);
    return taken;
  }

  function settleIdlers(): void {
    if (line.size + inFlight > 0) return;
    for (const resolve of idlers.splice(0)) resolve();
  }

  return {
    submit,
    get size() {
      return line.size + inFlight;
    },
    drained: () => (line.size + inFlight === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
  };
}
