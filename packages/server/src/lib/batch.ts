import { GroupQueue } from "./group-queue.ts";

/**
 * Group commit in the application: concurrent single calls become one call of a database function.
 *
 * An idle batcher flushes at once, without waiting for more rows; while flushes are in flight, the rows that arrive are
 * collected and leave when one of them returns. So a lone caller pays one round trip and a crowd shares it: on two cores
 * 2,600 rows/s at batch 1 became 17,300–20,300 at batch 100.
 *
 * A row is in one of these states:
 * - queued: in `#queue`, under the bounds of waiting rows
 * - in flight: in a batch that `flush` works on
 * - solo: its batch failed for a reason that one row may have caused; the rows of the batch are called one by one, under the
 *   same bounds as queued rows, while other batches go on
 * - settled: its promise is resolved with its answer or rejected
 */
export class Batcher<Row, Answer> {
  readonly #options: BatchOptions<Row, Answer>;
  readonly #limits: BatchLimits;
  readonly #tightLimits: BatchLimits;
  readonly #queue: GroupQueue<QueuedRow<Row, Answer>>;
  readonly #idleListeners: (() => void)[] = [];
  #queuedBytes = 0;
  #soloRows = 0;
  #soloBytes = 0;
  #flushesInFlight = 0;
  /** Rows in flight, and rows of failed batches until each is settled. */
  #unsettledRows = 0;
  #flushScheduled = false;

  constructor(options: BatchOptions<Row, Answer>) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#tightLimits = { ...this.#limits, ...options.tighter?.limits };
    this.#queue = new GroupQueue({
      groupOf: ({ group }) => group,
      inOrder: options.inOrder !== undefined,
      monotonic: options.monotonic,
    });
  }

  /** Resolves with the row's own answer; rejects with its own error only, never with one that another row caused. */
  submit(row: Row): Promise<Answer> {
    const options = this.#options;
    const text = options.text(row);
    if (
      this.#queue.size + this.#soloRows >= this.#limits.waitingRows ||
      this.#queuedBytes + this.#soloBytes + text.length > this.#limits.waitingBytes
    )
      return Promise.reject(options.overloaded());
    return new Promise<Answer>((resolve, reject) => {
      const group = options.group(row);
      const weight = options.weight?.(row) ?? 1;
      this.#queue.push(group, { row, text, submittedAt: options.monotonic(), group, weight, resolve, reject });
      this.#queuedBytes += text.length;
      this.#scheduleFlush();
    });
  }

  /** Resolves when no row is queued or unsettled. */
  drained(): Promise<void> {
    return this.#isIdle() ? Promise.resolve() : new Promise((resolve) => this.#idleListeners.push(resolve));
  }

  #isIdle(): boolean {
    return this.#queue.size + this.#unsettledRows === 0;
  }

  /** Waits one microtask, so that rows submitted in the same turn of the event loop share the first flush. */
  #scheduleFlush(): void {
    if (this.#flushScheduled || !this.#canFlush()) return;
    this.#flushScheduled = true;
    queueMicrotask(() => {
      this.#flushScheduled = false;
      this.#flushWhilePossible();
    });
  }

  #canFlush(): boolean {
    if (this.#queue.readySize === 0) return false;
    if (this.#flushesInFlight === 0) return true;
    const limits = this.#limitsNow();
    return this.#flushesInFlight < limits.inFlight && this.#queue.readySize >= limits.minSecondBatch;
  }

  #limitsNow(): BatchLimits {
    return this.#options.tighter?.when() ? this.#tightLimits : this.#limits;
  }

  #flushWhilePossible(): void {
    while (this.#canFlush()) void this.#flush(this.#takeBatch());
  }

  #takeBatch(): Batch<Row, Answer> {
    const limits = this.#limitsNow();
    let bytes = 0;
    let weight = 0;
    return this.#queue.take((batch, next) => {
      if (batch.length >= limits.rows) return false;
      const fits = bytes + next.text.length <= limits.bytes && weight + next.weight <= limits.weight;
      if (batch.length > 0 && !fits) return false;
      bytes += next.text.length;
      weight += next.weight;
      this.#queuedBytes -= next.text.length;
      return true;
    });
  }

  async #flush(batch: Batch<Row, Answer>): Promise<void> {
    if (batch.length === 0) return;
    this.#flushesInFlight += 1;
    this.#unsettledRows += batch.length;
    const groups = groupsOf(batch);
    try {
      const answers = await this.#options.flush(batch);
      if (answers.length !== batch.length)
        throw new Error(`batch of ${batch.length} rows got ${answers.length} answers`);
      this.#flushesInFlight -= 1;
      this.#queue.release(groups);
      this.#answer(batch, answers);
      return;
    } catch (error) {
      // A systemic error would meet every row again. After any other, the rows are called one by one to find those at fault,
      // while other batches go on.
      if (this.#options.isSystemic(error)) this.#rejectBatch(batch, groups, error);
      else void this.#callOneByOne(batch);
    }
    this.#flushesInFlight -= 1;
    this.#scheduleFlush();
    this.#notifyIfIdle();
  }

  /**
   * The next flush leaves before the callers of this one continue: what they do with their answers takes longer than sending
   * a flush, and the database would be idle meanwhile.
   */
  #answer(batch: Batch<Row, Answer>, answers: readonly Answer[]): void {
    const resolveAll = (): void => {
      batch.forEach((queued, index) => queued.resolve(answers[index] as Answer));
      this.#unsettledRows -= batch.length;
      this.#notifyIfIdle();
    };
    if (!this.#canFlush()) return resolveAll();
    this.#flushWhilePossible();
    setImmediate(resolveAll);
  }

  #rejectBatch(batch: Batch<Row, Answer>, groups: ReadonlySet<string>, error: unknown): void {
    for (const queued of batch) queued.reject(error);
    for (const group of groups) this.#rejectBlocked(group, error);
    this.#queue.release(groups);
    this.#unsettledRows -= batch.length;
  }

  #rejectBlocked(group: string, error: unknown): void {
    for (const queued of this.#queue.takeBlocked(group)) {
      this.#queuedBytes -= queued.text.length;
      queued.reject(error);
    }
  }

  async #callOneByOne(batch: Batch<Row, Answer>): Promise<void> {
    const groups = groupsOf(batch);
    this.#soloRows += batch.length;
    for (const { text } of batch) this.#soloBytes += text.length;
    let failedAlike = 0;
    for (let queued = batch.shift(); queued; queued = batch.shift()) {
      const { group } = queued;
      try {
        queued.resolve(await this.#options.solo(queued));
        failedAlike = 0;
      } catch (error) {
        if (this.#options.mayRetry?.(error, queued)) {
          batch.push(queued, ...(this.#options.inOrder ? takeGroup(batch, group) : []));
          continue;
        }
        if (!this.#options.isSystemic(error)) this.#queue.countFailure(group);
        queued.reject(error);
        if (this.#options.inOrder?.stops(error)) {
          this.#rejectSolo(takeGroup(batch, group), error);
          this.#rejectBlocked(group, error);
        }
        failedAlike = this.#options.shared?.(error) ? failedAlike + 1 : 0;
        if (failedAlike >= FAILED_ALIKE_STOPS) this.#rejectSolo(batch.splice(0), error);
      }
      this.#settledSolo(queued);
    }
    this.#queue.release(groups);
    this.#scheduleFlush();
    this.#notifyIfIdle();
  }

  #rejectSolo(batch: Batch<Row, Answer>, error: unknown): void {
    for (const queued of batch) {
      queued.reject(error);
      this.#settledSolo(queued);
    }
  }

  #settledSolo({ text }: QueuedRow<Row, Answer>): void {
    this.#unsettledRows -= 1;
    this.#soloRows -= 1;
    this.#soloBytes -= text.length;
  }

  #notifyIfIdle(): void {
    if (!this.#isIdle()) return;
    for (const resolve of this.#idleListeners.splice(0)) resolve();
  }
}

export type BatchOptions<Row, Answer> = {
  /** Runs one batch; must return exactly one answer for each row, in the order of the rows. */
  flush(rows: readonly SubmittedRow<Row>[]): Promise<Answer[]>;
  /** Runs one row alone, after its batch failed, on a connection of its own. */
  solo(row: SubmittedRow<Row>): Promise<Answer>;
  /** Whether a row that failed alone may be called once more, after the others of its batch. */
  mayRetry?(error: unknown, row: SubmittedRow<Row>): boolean;
  /** The group of a row: batches are filled round robin over groups. */
  group(row: Row): string;
  /**
   * A group's rows keep their order: they are in one flush at a time, one by one too, and when one of them fails with an
   * error that `stops`, all rows of the group behind it get that error instead of overtaking it.
   */
  inOrder?: { stops(error: unknown): boolean };
  /** True for failures of a lone row that the next rows most likely share: after three in a row the rest of the batch gets the error untried. */
  shared?(error: unknown): boolean;
  /** The row as it is sent; its length counts for the bounds of bytes. */
  text(row: Row): string;
  /** Rows that this row's call writes; 1 by default. */
  weight?(row: Row): number;
  /** True for failures that no row caused (the database is away): every row of the batch gets the error as it is. */
  isSystemic(error: unknown): boolean;
  /** The error for a row that exceeds the bounds of waiting rows: the caller answers 503. */
  overloaded(): Error;
  /** Milliseconds that never step. */
  monotonic(): number;
  limits?: Partial<BatchLimits>;
  tighter?: TighterLimits;
};

/** Limits that replace the usual ones while `when` returns true. */
export type TighterLimits = { when(): boolean; limits: Partial<BatchLimits> };

export type BatchLimits = {
  /** Rows in a batch: past 200 the transaction's length costs more latency than the round trip saves. */
  rows: number;
  /** Bytes in a batch: one JSON argument of a few MiB parses in milliseconds; more stalls other calls. */
  bytes: number;
  /** Sum of the weights in a batch. */
  weight: number;
  /** Flushes in flight at once. */
  inFlight: number;
  /**
   * Rows that start a flush beside one already in flight; fewer wait for its return. Flushes of a few rows cost PostgreSQL
   * twice the time per row. CPU per accepted row, server and PostgreSQL together, at 64 and 256 callers: 286 and 265 µs
   * with 20, 255 and 242 µs with 48.
   */
  minSecondBatch: number;
  /** Rows waiting: some seconds of work at the lowest measured speed. */
  waitingRows: number;
  waitingBytes: number;
};

const LIMITS: BatchLimits = {
  rows: 200,
  bytes: 4 * 1024 * 1024,
  weight: 1_000,
  inFlight: 2,
  minSecondBatch: 48,
  waitingRows: 20_000,
  waitingBytes: 64 * 1024 * 1024,
};

/** After this many lone rows in a row failed with an error that others share, the rest of the batch is not tried. */
const FAILED_ALIKE_STOPS = 3;

type Batch<Row, Answer> = QueuedRow<Row, Answer>[];

/** A row with its text and when it was submitted, by the monotonic clock. */
export type SubmittedRow<Row> = { row: Row; text: string; submittedAt: number };

type QueuedRow<Row, Answer> = SubmittedRow<Row> & {
  group: string;
  weight: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

const groupsOf = (batch: readonly { group: string }[]): Set<string> => new Set(batch.map(({ group }) => group));

/** Takes the rows of a group out of a batch, in their order. */
function takeGroup<Row, Answer>(batch: Batch<Row, Answer>, group: string): Batch<Row, Answer> {
  const taken = batch.filter((queued) => queued.group === group);
  const rest = batch.filter((queued) => queued.group !== group);
  batch.splice(0, batch.length, ...rest);
  return taken;
}
