import pg from "pg";
import { CONNECT_MS, connectionOptions, GOODBYE_MS, hangUp, isConnectionLoss, isReadOnlyServer } from "./connect.ts";
import { openReach } from "./reach.ts";
import { openWaits } from "./waits.ts";

/** Connections of the main pool: two flushes of each batcher and some requests; more only queue inside PostgreSQL on few cores. */
const WORK_CONNECTIONS = 16;
/** Rows whose batch failed go one by one here, out of the main loop's way. */
const SOLO_CONNECTIONS = 4;
/** Probes, slots, upkeep and questions about lost calls, of which each may wait for its call to end: never behind work. */
const CONTROL_CONNECTIONS = 4;
/** Renewing the lease waits for nobody; the second one is for the beat after one that hangs. */
const LEASE_CONNECTIONS = 2;

/** The server ends a statement after 8 s (`statement_timeout`) and says so: who has said nothing by then is not there. */
const CALL_MS = 8_500;
/** One more try after a loss, which leaves a moment to ask what became of it too. */
const RETRY_MS = 10_000;
/** A call and all that follows its loss: clients are told that an answer takes no longer than 12 s, which has to be written too. */
const END_MS = 11_000;
/** A statement about the lease, once it has a connection: the interval of the beats, of which the next one finds another. */
const LEASE_CALL_MS = 2_000;
/** The same for a process that is stopping, which must have ended within 10 s. */
const HURRIED_CALL_MS = 2_000;
const HURRIED_RETRY_MS = 2_500;
const HURRIED_END_MS = 3_500;
const HURRIED_CONNECT_MS = 1_500;
/** A new connection has to begin anew with each function's plan, some 100 ms in all: those of the last burst are kept for the next. */
const IDLE_MS = 300_000;
/** A pool's own limit comes after ours, which knows what the silence means. */
const POOL_GIVES_UP_MS = CONNECT_MS + 500;

/** Monotonic milliseconds by which something must be over; asked anew, because a stop brings it forward. */
export type Deadline = () => number;

/** How long the parts of one operation may take: its statements, those after a loss, and to know what became of them. */
export type Limits = { call: Deadline; retry: Deadline; end: Deadline };

/** A connection that was lent by a pool. */
export type Connection = {
  /** Rejects with the driver's error; past the deadline the connection is lost. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<Row>>;
  /** It broke, or leads where nothing can be written: no further statement on it can succeed. */
  readonly lost: boolean;
  /** Back to its pool, or ended when it is lost; a second time does nothing. */
  release(): void;
};

export type Pools = {
  work: pg.Pool;
  solo: pg.Pool;
  control: pg.Pool;
  lease: pg.Pool;
  /** For an operation that begins now. */
  limits(): Limits;
  /** Lends a connection; rejects when none is to be had in 5 s or by the deadline. `reads`: the server may refuse writes. */
  lend(pool: pg.Pool, by: Deadline, reads?: boolean): Promise<Connection>;
  /** The process stops: from now on nothing is waited for longer than a moment. */
  hurry(): void;
  end(): Promise<void>;
};

/** The process's pools. Nothing is connected before the first use; errors of connections go to `onError` too. */
export function openPools(url: string, onError: (error: Error) => void): Pools {
  const reach = openReach(url);
  const connected = new Set<pg.Client>();
  const heardAt = new WeakMap<pg.Client, number>();
  const waits = openWaits();
  let hurriedAt = Number.POSITIVE_INFINITY;

  const open = (max: number, name: string): pg.Pool => {
    const pool = new pg.Pool({
      ...connectionOptions(url, name),
      max,
      connectionTimeoutMillis: POOL_GIVES_UP_MS,
      idleTimeoutMillis: IDLE_MS,
    });
    // The pool listens only while a connection is idle; one that breaks between two statements would end the process.
    pool.on("error", () => {});
    pool.on("connect", (client) => {
      client.on("error", onError);
      connected.add(client);
      client.on("end", () => void connected.delete(client));
      // No answer yet of the database: a pooler takes connections on its own.
      heardAt.set(client, performance.now());
    });
    return pool;
  };
  const [work, solo] = [open(WORK_CONNECTIONS, "work"), open(SOLO_CONNECTIONS, "solo")];
  const [control, lease] = [open(CONTROL_CONNECTIONS, "control"), open(LEASE_CONNECTIONS, "lease")];
  const all = [work, solo, control, lease];

  function heard(client: pg.Client): void {
    heardAt.set(client, performance.now());
    reach.answered();
  }

  // From the beginning of the operation, or for one that is under way then, from the stop.
  function limits(): Limits {
    const begun = performance.now();
    const by = (ms: number, hurriedMs: number) => () => Math.min(begun + ms, Math.max(begun, hurriedAt) + hurriedMs);
    return {
      call: by(CALL_MS, HURRIED_CALL_MS),
      retry: by(RETRY_MS, HURRIED_RETRY_MS),
      end: by(END_MS, HURRIED_END_MS),
    };
  }

  async function lend(pool: pg.Pool, by: Deadline, reads = false): Promise<Connection> {
    for (;;) {
      if (reach.inDoubt) await reach.open();
      const client = await placeIn(pool, by);
      if ((heardAt.get(client) ?? 0) >= reach.doubtedSince) {
        const statement: Deadline = pool === lease ? () => Math.min(performance.now() + LEASE_CALL_MS, by()) : by;
        return connectionOf(client, statement, reads);
      }
      discard(client);
    }
  }

  async function placeIn(pool: pg.Pool, by: Deadline): Promise<pg.PoolClient> {
    // One that is idle is had at once.
    if (pool.idleCount > pool.waitingCount) return await pool.connect();
    const askedAt = performance.now();
    const patience = Math.min(CONNECT_MS, by() - askedAt);
    const coming = pool.connect();
    let end = (): void => {};
    const late = new Promise<never>((_, reject) => {
      end = waits.begin(patience, () => {
        reach.silent(askedAt);
        reject(new Error(`no connection to the database within ${since(askedAt)} ms`));
        coming.then((client) => client.release()).catch(() => {});
      });
    });
    try {
      return await Promise.race([coming, late]);
    } finally {
      end();
    }
  }

  function connectionOf(client: pg.PoolClient, by: Deadline, reads: boolean): Connection {
    let lost = false;
    let released = false;
    return {
      get lost() {
        return lost;
      },
      async query<Row extends object>(text: string, values?: readonly unknown[]) {
        const sentAt = performance.now();
        const end = waits.begin(by() - sentAt, () => {
          reach.silent(sentAt);
          hangUp(client, new Error(`the database did not answer within ${since(sentAt)} ms`));
        });
        try {
          const result = await client.query<Row>(text, values as unknown[]);
          heard(client);
          return result;
        } catch (error) {
          const readOnly = !reads && isReadOnlyServer(error);
          lost = lost || readOnly || isConnectionLoss(error);
          if (readOnly) reach.doubt();
          else if (!lost) heard(client);
          throw error;
        } finally {
          end();
        }
      },
      release() {
        if (released) return;
        released = true;
        if (lost) discard(client);
        else client.release();
      },
    };
  }

  return {
    work,
    solo,
    control,
    lease,
    limits,
    lend,
    hurry() {
      if (hurriedAt < Number.POSITIVE_INFINITY) return;
      hurriedAt = performance.now();
      for (const pool of all) pool.options.connectionTimeoutMillis = HURRIED_CONNECT_MS;
      waits.hurry(HURRIED_CALL_MS);
    },
    async end() {
      reach.close();
      const ended = Promise.all(all.map((pool) => pool.end()));
      let timer: NodeJS.Timeout | null = null;
      // Who is still out by then is not answered, and who is not gone then has nobody who takes the goodbye.
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          for (const client of connected) hangUp(client);
          resolve();
        }, GOODBYE_MS);
      });
      await Promise.race([ended, patience]);
      if (timer && connected.size === 0) clearTimeout(timer);
      waits.close();
    },
  };
}

const since = (at: number): number => Math.round(performance.now() - at);

/** Out of its pool and ended, without a goodbye that nobody may take. */
function discard(client: pg.PoolClient): void {
  hangUp(client);
  client.release(true);
}
