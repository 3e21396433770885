import pg from "pg";
import { sqlState } from "../lib/error-fields.ts";

/** A connection that cannot be had in this time is "the database is away". */
export const CONNECT_MS = 5_000;
/** A peer that is gone is asked for after this long of silence; without it an idle connection would never find out. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** Nobody takes a goodbye on a connection that has gone silent: then its socket is destroyed. */
export const GOODBYE_MS = 500;

const INT8 = 20;

// bigints here are sequence numbers and counts, far below 2^53; -infinity of timestamps becomes the number -Infinity.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

/** What every connection of ours is opened with. */
export const connectionOptions = (url: string, name: string): pg.ClientConfig => ({
  connectionString: url,
  types,
  application_name: `waypost ${name}`,
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
});

/**
 * One connection outside the pools: for LISTEN, migrations and what else takes its time. A statement without an answer
 * within `answerMs` loses the connection. End it by `closeClient`.
 */
export function openClient(url: string, name: string, answerMs: number): pg.Client {
  const client = new pg.Client(connectionOptions(url, name));
  // A connection that breaks between two statements would end the process; the next statement tells.
  client.on("error", () => {});
  const query = client.query.bind(client) as (...statement: unknown[]) => Promise<unknown>;
  // Whoever gets this client, the runner of migrations too, calls it for a promise: the one of its forms that is kept.
  client.query = ((...statement: unknown[]) =>
    answerWithin(client, answerMs, () => query(...statement))) as typeof client.query;
  return client;
}

/** Says goodbye, and waits for no answer to it. */
export async function closeClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => hangUp(client), GOODBYE_MS);
  try {
    await client.end();
  } finally {
    clearTimeout(timer);
  }
}

/** There was no answer in time, where every other loss of a connection is one. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/**
 * Silence for `ms` is the loss of the connection: the socket is destroyed, so that nothing late is taken for the answer to
 * what comes next, and the call rejects with `NoAnswer`.
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
 * Runs `fn` after `ms`, and not before what has arrived by then was read: a process that was stopped for a while finds the
 * answer and the end of its patience at once.
 */
function afterReading(ms: number, fn: () => void): () => void {
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    reading = setImmediate(fn); // timers come before sockets in a turn of the loop, and this after them
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(reading);
  };
}

/** Ends a connection without waiting for the other side. */
export const hangUp = (client: pg.Client, why?: Error): void => void client.connection.stream.destroy(why);

/** 55P03: a lock was not had in time. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === "55P03";

/**
 * A lock not had in time, a statement timeout, a deadlock, a serialization failure: PostgreSQL rolled the statement back, and
 * the same call may succeed in a moment.
 */
export const isTransient = (error: unknown): boolean =>
  ["55P03", "57014", "40P01", "40001"].includes(sqlState(error) ?? "");

/**
 * The table whose row's lock was waited for, null when the server does not tell: the innermost line of its context, `while
 * inserting index tuple (0,1) in relation "…"`, in the server's language and quotation marks.
 */
export function lockedTable(error: unknown): string | null {
  const where = error instanceof Error && "where" in error ? String(error.where) : "";
  return /["„“«](\w+)["“”»]/.exec(where.split("\n", 1)[0] ?? "")?.[1] ?? null;
}

/**
 * 40001 and 40P01: somebody committed meanwhile what this call was about to do, or two waited for each other. Nothing of it
 * stays, and the same call again sees what there is now.
 */
export const isOvertaken = (error: unknown): boolean => ["40001", "40P01"].includes(sqlState(error) ?? "");

/** The name of a hot function that the server does not know (42883), null for every other error. */
export function missingFunction(error: unknown): string | null {
  if (sqlState(error) !== "42883" || !(error instanceof Error)) return null;
  return /\b([a-z0-9_]+_[0-9a-f]{10})\(/.exec(error.message)?.[1] ?? null;
}

/**
 * True when the connection, not the statement, failed: nothing is known about what it was doing. Class 08, 57P01–57P05 and
 * timeouts of idle sessions and transactions are the server's ways to say so (PostgreSQL documentation, appendix A); the
 * rest are socket errors.
 */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return state.startsWith("08") || ENDS_CONNECTION.has(state);
  return error instanceof Error && !("routine" in error);
}

// Shut down, crashed, not yet up, database dropped, session idle, transaction idle, transaction too long, too many clients.
const ENDS_CONNECTION = new Set(["57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "25P04", "53300"]);

/** 25006: this server takes no writes, for instance because another one has become the primary. Nothing was done. */
export const isReadOnlyServer = (error: unknown): boolean => sqlState(error) === "25006";

/** Disk, memory or files ran out (class 53), or a disk failed (58030). No statement's fault, nothing was done, and it may pass. */
export const isShortOfRoom = (error: unknown): boolean => /^(53...|58030)$/.test(sqlState(error) ?? "");
