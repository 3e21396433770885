import pg from "pg";
import { sqlState } from "../lib/error-fields.ts";

/** When no connection is available within this time, the database counts as unreachable. */
export const CONNECT_MS = 5_000;
/** After this long without traffic the peer is probed; without it an idle connection would never notice that the peer is gone. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** A silent connection does not acknowledge its end: after this long its socket is destroyed. */
export const GOODBYE_MS = 500;

const INT8 = 20;

/**
 * The parsers of all connections. bigints here are sequence numbers and counts, far below 2^53; -infinity of timestamps becomes
 * the number -Infinity.
 */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

/** The options of every connection. */
export const connectionOptions = (url: string, name: string): pg.ClientConfig => ({
  connectionString: url,
  types,
  application_name: `waypost ${name}`,
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
});

/**
 * One connection outside the pools: for LISTEN, migrations and other long work. A statement without an answer within
 * `answerMs` loses the connection. End it with `closeClient`.
 */
export function openClient(url: string, name: string, answerMs: number): pg.Client {
  const client = new pg.Client(connectionOptions(url, name));
  // An unhandled error between two statements would end the process; the next statement reports it.
  client.on("error", () => {});
  const query = client.query.bind(client) as (...statement: unknown[]) => Promise<unknown>;
  // All users of this client, including the migration runner, call the form that returns a promise; the others are lost.
  client.query = ((...statement: unknown[]) =>
    answerWithin(client, answerMs, () => query(...statement))) as typeof client.query;
  return client;
}

/** Ends the connection; destroys it when the server does not acknowledge the end. */
export async function closeClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => hangUp(client), GOODBYE_MS);
  try {
    await client.end();
  } finally {
    clearTimeout(timer);
  }
}

/** The database did not answer in time. Every other loss of a connection is an answer of some kind. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/**
 * Silence for `ms` is the loss of the connection: the socket is destroyed, so that a late answer is not taken for that to the
 * next statement, and the call rejects with `NoAnswer`.
 */
export async function answerWithin<T>(client: pg.Client, ms: number, call: () => Promise<T>): Promise<T> {
  let silent = false;
  const cancel = afterReading(ms, () => {
    silent = true;
    hangUp(client);
  });
  try {
    return await call();
  } catch (error) {
    throw silent ? new NoAnswer(`the database did not answer within ${ms} ms`, { cause: error }) : error;
  } finally {
    cancel();
  }
}

/**
 * Runs `fn` after `ms`, but not before everything that has arrived by then was read: a process that was stopped for a while
 * finds the answer and the timeout at once.
 */
function afterReading(ms: number, fn: () => void): () => void {
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    reading = setImmediate(fn); // in a turn of the event loop timers come first, then sockets, then this
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(reading);
  };
}

/** Destroys a connection without waiting for the server. */
export const hangUp = (client: pg.Client, why?: Error): void => void client.connection.stream.destroy(why);

/** 55P03: a lock was not available in time. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === "55P03";

/**
 * A lock not available in time, a statement timeout, a deadlock, a serialization failure: PostgreSQL rolled the statement
 * back, and the same call may succeed in a moment.
 */
export const isTransient = (error: unknown): boolean =>
  ["55P03", "57014", "40P01", "40001"].includes(sqlState(error) ?? "");

/**
 * The table whose row's lock was waited for, or null when the server does not name it. Read from the innermost line of the
 * error's context, `while inserting index tuple (0,1) in relation "…"`, which is in the server's language and quotation marks.
 */
export function lockedTable(error: unknown): string | null {
  const where = error instanceof Error && "where" in error ? String(error.where) : "";
  return /["„“«](\w+)["“”»]/.exec(where.split("\n", 1)[0] ?? "")?.[1] ?? null;
}

/**
 * 40001 and 40P01: another transaction has committed a conflicting change, or two waited for each other. Everything was rolled
 * back, and the same call sees the new state when it is repeated.
 */
export const isOvertaken = (error: unknown): boolean => ["40001", "40P01"].includes(sqlState(error) ?? "");

/**
 * 26000 and 42P05: a named statement is not there, or is already there. Between us and the server is a pooler that gives each
 * transaction another of its connections. Nothing was done.
 */
export const isStatementElsewhere = (error: unknown): boolean => ["26000", "42P05"].includes(sqlState(error) ?? "");

/** The name of a hot function that the server does not know (42883), null for every other error. */
export function missingFunction(error: unknown): string | null {
  if (sqlState(error) !== "42883" || !(error instanceof Error)) return null;
  return /\b([a-z0-9_]+_[0-9a-f]{10})\(/.exec(error.message)?.[1] ?? null;
}

/**
 * True when the connection, not the statement, failed: the outcome of the statement is unknown. The server reports it by
 * class 08, 57P01–57P05 and timeouts of idle sessions and transactions (PostgreSQL documentation, appendix A); all other
 * cases are socket errors.
 */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return state.startsWith("08") || ENDS_CONNECTION.has(state);
  return error instanceof Error && !("routine" in error);
}

// Shut down, crashed, not yet up, database dropped, session idle, transaction idle, transaction too long, too many clients.
const ENDS_CONNECTION = new Set(["57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "25P04", "53300"]);

/** 25006: this server accepts no writes, for instance because another one has become the primary. Nothing was done. */
export const isReadOnlyServer = (error: unknown): boolean => sqlState(error) === "25006";

/** Disk, memory or files ran out (class 53), or a disk failed (58030). No statement caused it, nothing was done, and it may pass. */
export const isShortOfRoom = (error: unknown): boolean => /^(53...|58030)$/.test(sqlState(error) ?? "");
