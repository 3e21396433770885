import pg from "pg";
import { sqlState } from "../lib/cause.ts";

/** Connections of the main pool: two flushes of each batcher and some requests; more only queue inside PostgreSQL on few cores. */
const WORK_CONNECTIONS = 16;
/** Rows whose batch failed go one by one here, out of the main loop's way. */
const SOLO_CONNECTIONS = 4;
/** Leases and probes never wait behind work. */
const CONTROL_CONNECTIONS = 2;
/** A connection that cannot be had in this time is "the database is away". */
const CONNECT_TIMEOUT_MS = 5_000;

export type Pools = { work: pg.Pool; solo: pg.Pool; control: pg.Pool; end(): Promise<void> };
export type Connection = pg.PoolClient;

const INT8 = 20;

// bigints here are sequence numbers and counts, far below 2^53; -infinity of timestamps becomes the number -Infinity.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

/** The process's pools. Nothing is connected before the first use; errors of idle connections go to `onError`. */
export function openPools(url: string, onError: (error: Error) => void): Pools {
  const open = (max: number, name: string): pg.Pool => {
    const pool = new pg.Pool({
      connectionString: url,
      max,
      types,
      application_name: `waypost ${name}`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    pool.on("error", onError);
    // The pool listens only while a connection is idle; one that breaks between two statements would end the process.
    pool.on("connect", (client) => void client.on("error", onError));
    return pool;
  };
  const work = open(WORK_CONNECTIONS, "work");
  const solo = open(SOLO_CONNECTIONS, "solo");
  const control = open(CONTROL_CONNECTIONS, "control");
  return { work, solo, control, end: async () => void (await Promise.all([work.end(), solo.end(), control.end()])) };
}

/** One connection outside the pools, for LISTEN and migrations. */
export function openClient(url: string, name: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    types,
    application_name: `waypost ${name}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
}

/** 55P03: a lock was not had in time. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === "55P03";

/**
 * The table whose row's lock was waited for, null when the server does not tell: the innermost line of its context, `while
 * inserting index tuple (0,1) in relation "…"`, in the server's language and quotation marks.
 */
export function lockedTable(error: unknown): string | null {
  const where = error instanceof Error && "where" in error ? String(error.where) : "";
  return /["„“«](\w+)["“”»]/.exec(where.split("\n", 1)[0] ?? "")?.[1] ?? null;
}

/** 40001: somebody committed meanwhile what this call was about to do; nothing of it stays, and the same call again sees it. */
export const isOvertaken = (error: unknown): boolean => sqlState(error) === "40001";

/** The name of a hot function that the server does not know (42883), null for every other error. */
export function missingFunction(error: unknown): string | null {
  if (sqlState(error) !== "42883" || !(error instanceof Error)) return null;
  return /\b([a-z0-9_]+_[0-9a-f]{10})\(/.exec(error.message)?.[1] ?? null;
}

/**
 * True when the connection, not the statement, failed: nothing is known about what it was doing. Class 08 and 57P01–57P03
 * are the server's ways to say so (PostgreSQL documentation, appendix A); the rest are socket errors.
 */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null)
    return state.startsWith("08") || state === "57P01" || state === "57P02" || state === "57P03" || state === "53300";
  return error instanceof Error && !("routine" in error);
}
