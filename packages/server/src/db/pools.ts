import pg from "pg";
import { CONNECT_MS, connectionOptions, GOODBYE_MS, hangUp, isConnectionLoss, isReadOnlyServer } from "./connect.ts";
import { HotCall, type HotStatement } from "./hot-call.ts";
import { Reachability } from "./reachability.ts";
import { Timeouts } from "./timeouts.ts";

/** Connections of the main pool: two flushes of each batcher and some requests; more only queue inside PostgreSQL on few cores. */
const WORK_CONNECTIONS = 14;
/**
 * Calls that are few go to these, the first that is free: each server process has memory of its own for what it has planned, and work
 * that is spread over many processes finds it cold in each.
 */
const FIRST_CONNECTIONS = 2;
/** Rows whose batch failed are called one by one on these, so that other batches do not wait for them. */
const SOLO_CONNECTIONS = 4;
/** Probes, slots, upkeep, and questions about lost calls, each of which may wait for its call to end: they must not queue behind work. */
const CONTROL_CONNECTIONS = 4;
/** Renewing the lease waits for nothing else; the second connection is for the renewal after one that hangs. */
const LEASE_CONNECTIONS = 2;

/** The server ends a statement after 8 s (`statement_timeout`) and reports it: without an answer by then the connection is dead. */
const CALL_MS = 8_500;
/** Time for one more try after a loss, which leaves a moment to find out whether that one committed. */
const RETRY_MS = 10_000;
/** A call and all that follows its loss: clients are promised an answer within 12 s, and writing it takes time too. */
const END_MS = 11_000;
/** A statement about the lease, once it has a connection: the interval of renewals, the next of which uses another connection. */
const LEASE_CALL_MS = 2_000;
/** The same for a process that is stopping, which must have ended within 10 s. */
const STOPPING_CALL_MS = 2_000;
const STOPPING_RETRY_MS = 2_500;
const STOPPING_END_MS = 3_500;
const STOPPING_CONNECT_MS = 1_500;
/** A new connection has to plan each function again, some 100 ms in all: connections of one burst are kept for the next. */
const IDLE_MS = 300_000;
/** The pools' own limit is later than ours, because only ours records the silence. */
const POOL_CONNECT_MS = CONNECT_MS + 500;

/** Monotonic milliseconds by which something must be over; a function, because stopping brings it forward. */
export type Deadline = () => number;

/** How long the parts of one operation may take: its statements, its retries after a loss, and finding out what became of them. */
export type Limits = { call: Deadline; retry: Deadline; end: Deadline };

export const POOL_NAMES = ["work", "solo", "control", "lease"] as const;
export type PoolName = (typeof POOL_NAMES)[number];
/** `waiting`: callers that wait for a connection. */
export type PoolUse = { name: PoolName; used: number; idle: number; waiting: number };

/** The process's connection pools. Nothing is connected before the first use; errors of connections go to `onError` too. */
export class Pools {
  /** Those of a name are asked in their order. */
  readonly #pools: Readonly<Record<PoolName, readonly [...first: pg.Pool[], last: pg.Pool]>>;
  readonly #connected = new Set<pg.Client>();
  readonly #reachability: Reachability;
  readonly #timeouts = new Timeouts();
  #stoppingSince = Number.POSITIVE_INFINITY;

  constructor(url: string, onError: (error: Error) => void) {
    this.#reachability = new Reachability(url);
    const open = (name: PoolName, most: number): pg.Pool => this.#open(url, name, most, onError);
    this.#pools = {
      work: [...Array.from({ length: FIRST_CONNECTIONS }, () => open("work", 1)), open("work", WORK_CONNECTIONS)],
      solo: [open("solo", SOLO_CONNECTIONS)],
      control: [open("control", CONTROL_CONNECTIONS)],
      lease: [open("lease", LEASE_CONNECTIONS)],
    };
  }

  #open(url: string, name: string, max: number, onError: (error: Error) => void): pg.Pool {
    const pool = new pg.Pool({
      ...connectionOptions(url, name),
      max,
      connectionTimeoutMillis: POOL_CONNECT_MS,
      idleTimeoutMillis: IDLE_MS,
    });
    // The pool listens only while a connection is idle; an error between two statements would end the process.
    pool.on("error", () => {});
    pool.on("connect", (client) => {
      client.on("error", onError);
      this.#connected.add(client);
      client.on("end", () => void this.#connected.delete(client));
      this.#reachability.connected(client);
    });
    return pool;
  }

  /** The deadlines of an operation that begins now; for one that is running at a stop, counted from the stop. */
  limits(): Limits {
    const begun = performance.now();
    const by = (ms: number, stoppingMs: number) => () =>
      Math.min(begun + ms, Math.max(begun, this.#stoppingSince) + stoppingMs);
    return {
      call: by(CALL_MS, STOPPING_CALL_MS),
      retry: by(RETRY_MS, STOPPING_RETRY_MS),
      end: by(END_MS, STOPPING_END_MS),
    };
  }

  /** Lends a connection; rejects when there is none within 5 s or by the deadline. `reads`: the server may refuse writes. */
  async lend(name: PoolName, by: Deadline, reads = false): Promise<LentConnection> {
    for (;;) {
      if (this.#reachability.inDoubt) await this.#reachability.confirmed();
      const client = await this.#take(freeOf(this.#pools[name]), by);
      if (this.#reachability.isTrusted(client)) {
        const statementBy: Deadline = name === "lease" ? () => Math.min(performance.now() + LEASE_CALL_MS, by()) : by;
        return new LentConnection(client, statementBy, reads, this.#reachability, this.#timeouts);
      }
      discard(client);
    }
  }

  async #take(pool: pg.Pool, by: Deadline): Promise<pg.PoolClient> {
    // An idle connection is available at once.
    if (pool.idleCount > pool.waitingCount) return await pool.connect();
    const askedAt = performance.now();
    const connecting = pool.connect();
    let cancel = (): void => {};
    const late = new Promise<never>((_, reject) => {
      cancel = this.#timeouts.begin(Math.min(CONNECT_MS, by() - askedAt), () => {
        this.#reachability.silent(askedAt);
        reject(new Error(`no connection to the database within ${since(askedAt)} ms`));
        connecting.then((client) => client.release()).catch(() => {});
      });
    });
    try {
      return await Promise.race([connecting, late]);
    } finally {
      cancel();
    }
  }

  /** The process is stopping: from now on all waits are short. */
  hurry(): void {
    if (this.#stoppingSince < Number.POSITIVE_INFINITY) return;
    this.#stoppingSince = performance.now();
    for (const pool of this.#all()) pool.options.connectionTimeoutMillis = STOPPING_CONNECT_MS;
    this.#timeouts.shorten(STOPPING_CALL_MS);
  }

  #all(): pg.Pool[] {
    return POOL_NAMES.flatMap((name) => this.#pools[name]);
  }

  get isAnswering(): boolean {
    return this.#reachability.isAnswering;
  }

  /** What each pool has lent, keeps and owes. */
  use(): PoolUse[] {
    return POOL_NAMES.map((name) => {
      const pools = this.#pools[name];
      const open = sum(pools, ({ totalCount }) => totalCount);
      const idle = sum(pools, ({ idleCount }) => idleCount);
      return { name, used: open - idle, idle, waiting: sum(pools, ({ waitingCount }) => waitingCount) };
    });
  }

  async end(): Promise<void> {
    this.#reachability.close();
    const ended = Promise.all(this.#all().map((pool) => pool.end()));
    let timer: NodeJS.Timeout | null = null;
    // Statements that still run by then get no answer, and connections that are still open lead to a server that does not
    // take their goodbye.
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        for (const client of this.#connected) hangUp(client);
        resolve();
      }, GOODBYE_MS);
    });
    await Promise.race([ended, patience]);
    if (timer && this.#connected.size === 0) clearTimeout(timer);
    this.#timeouts.close();
  }
}

/** A connection that was lent by a pool. */
export class LentConnection {
  readonly #client: pg.PoolClient;
  readonly #by: Deadline;
  readonly #reads: boolean;
  readonly #reachability: Reachability;
  readonly #timeouts: Timeouts;
  #lost = false;
  #released = false;

  constructor(client: pg.PoolClient, by: Deadline, reads: boolean, reachability: Reachability, timeouts: Timeouts) {
    this.#client = client;
    this.#by = by;
    this.#reads = reads;
    this.#reachability = reachability;
    this.#timeouts = timeouts;
  }

  /** True when it broke or leads to a server that takes no writes: no further statement on it can succeed. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Rejects with the driver's error; past the deadline the connection is lost. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    return this.#answerOf(() => this.#client.query<Row>({ text, values: values as unknown[] }));
  }

  /** As `query`, for a hot function. `named`: the statement is parsed and planned once a connection. */
  call<Answer extends object>(statement: HotStatement, values: readonly string[], named: boolean): Promise<Answer[]> {
    return this.#answerOf(() => {
      return new Promise<Answer[]>((resolve, reject) => {
        const answered = resolve as (answers: object[]) => void; // of the columns that the function declares
        this.#client.query(new HotCall(statement, values, named, { resolve: answered, reject }));
      });
    });
  }

  async #answerOf<T>(send: () => Promise<T>): Promise<T> {
    const sentAt = performance.now();
    const cancel = this.#timeouts.begin(this.#by() - sentAt, () => {
      this.#reachability.silent(sentAt);
      hangUp(this.#client, new Error(`the database did not answer within ${since(sentAt)} ms`));
    });
    try {
      const answer = await send();
      this.#reachability.answered(this.#client);
      return answer;
    } catch (error) {
      // The driver creates its errors where it reads the socket: the caller's place says more.
      if (error instanceof Error) Error.captureStackTrace(error);
      const readOnly = !this.#reads && isReadOnlyServer(error);
      this.#lost = this.#lost || readOnly || isConnectionLoss(error);
      if (readOnly) this.#reachability.doubtAll();
      else if (!this.#lost) this.#reachability.answered(this.#client);
      throw error;
    } finally {
      cancel();
    }
  }

  /** Returns it to its pool, or ends it when it is lost; a second call does nothing. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (this.#lost) discard(this.#client);
    else this.#client.release();
  }
}

/** The first that has a connection for one more caller, or may open its only one; else the last, where callers wait. */
const freeOf = (pools: readonly [...pg.Pool[], pg.Pool]): pg.Pool =>
  pools.find(({ idleCount, waitingCount, totalCount }) => idleCount > waitingCount || totalCount === 0) ??
  (pools.at(-1) as pg.Pool);

const sum = (pools: readonly pg.Pool[], of: (pool: pg.Pool) => number): number =>
  pools.reduce((all, pool) => all + of(pool), 0);

const since = (at: number): number => Math.round(performance.now() - at);

/** Removed from its pool and ended without a goodbye, which may never be answered. */
function discard(client: pg.PoolClient): void {
  hangUp(client);
  client.release(true);
}
