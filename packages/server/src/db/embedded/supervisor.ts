import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import type { Cluster } from "./cluster.ts";
import { isRunning, type Postmaster } from "./postmaster.ts";
import { connect, lockSupervisor } from "./session.ts";

const RETRY_MS = 100;

/** The part of a logger that is used here. */
export type EmbeddedLog = { warn: (fields: object, message: string) => void };

export type Watch = { close: () => Promise<void>; onUnexpectedExit: (listener: (reason: string) => void) => void };

/**
 * Detects the end of the server by the end of the supervisor's connection, which works for an adopted server too. When only the
 * connection was lost (one backend crashed, and the server closed all others to recover), it is opened again.
 */
export function watchPostmaster(cluster: Cluster, postmaster: Postmaster, log: EmbeddedLog | undefined): Watch {
  const listeners: Array<(reason: string) => void> = [];
  let closed = false;
  let lost: string | undefined;
  let session = postmaster.session;
  let reconnecting = Promise.resolve();
  attach();

  function attach(): void {
    session.once("end", () => {
      if (!closed) reconnecting = reconnect();
    });
  }

  async function reconnect(): Promise<void> {
    log?.warn({ pid: postmaster.pid }, "the embedded database dropped the supervisor's connection");
    while (!closed && (await isRunning(cluster, postmaster.pid))) {
      const next = await tryConnecting();
      if (next !== null) {
        session = next;
        return closed ? await session.end() : attach();
      }
      await delay(RETRY_MS);
    }
    if (closed) return;
    lost = `the embedded database (process ${postmaster.pid}) ended unexpectedly; see ${cluster.logFile}`;
    for (const listener of listeners) listener(lost);
  }

  async function tryConnecting(): Promise<Client | null> {
    try {
      const next = await connect(cluster);
      await lockSupervisor(cluster, next);
      return next;
    } catch {
      // The server is recovering or ending; the loop tries again.
      return null;
    }
  }

  return {
    async close() {
      closed = true;
      await reconnecting;
      await session.end().catch(() => {});
    },
    onUnexpectedExit(listener) {
      listeners.push(listener);
      if (lost !== undefined) listener(lost);
    },
  };
}
