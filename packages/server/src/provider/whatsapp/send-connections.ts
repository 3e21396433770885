import type { Socket } from "node:net";
import { buildConnector, type Pool } from "undici";
import { onStop } from "./stops.ts";

/** The right to a connection that is open, until it is used or given back. */
export type ReservedConnection = { end(): void };

type Connected = Parameters<buildConnector.connector>[1];

/**
 * Opens connections ahead of the sends that need them, so that nothing has to be awaited between a send's intent and its bytes:
 * opening one takes three round trips, and a process that is killed meanwhile leaves a send of which it is not known what became.
 */
export class SendConnections {
  readonly #origin: URL;
  readonly #keepMs: number;
  readonly #connect: buildConnector.connector;
  /** Open, and in no pool yet. */
  readonly #ready: Socket[] = [];
  /** Connections of the pool. */
  #pooled = 0;
  /** Requests of the pool that have or wait for one of its connections. */
  #busy = 0;
  #reserved = 0;
  #closed = false;

  /** A connection that no send uses is closed after `keepMs`. */
  constructor(origin: string, { connectMs, keepMs }: { connectMs: number; keepMs: number }) {
    this.#origin = new URL(origin);
    this.#keepMs = keepMs;
    this.#connect = buildConnector({ timeout: connectMs });
  }

  /** The connector of the pool: it takes what is open already. */
  readonly connector: buildConnector.connector = (options, callback) => {
    const socket = this.#ready.pop();
    if (!socket) return this.#connect(options, callback);
    socket.removeAllListeners("close");
    // Called at once, it would be in the midst of the dispatch, which then writes nothing; by this the bytes leave in the same turn.
    queueMicrotask(() => callback(null, socket));
  };

  /** Counts the connections of the pool, which has `connector`. */
  attach(pool: Pool): void {
    pool.on("connect", () => void (this.#pooled += 1));
    pool.on("disconnect", () => void (this.#pooled -= 1));
  }

  /** A request of the pool begins; the returned function is called when it has ended. */
  begin(): () => void {
    this.#busy += 1;
    return () => void (this.#busy -= 1);
  }

  /**
   * Resolves when a connection is open for one more send. Never rejects: where none can be opened, or the signal fires, the send itself
   * meets that.
   */
  async reserve(signal: AbortSignal): Promise<ReservedConnection> {
    const isOpen = this.#pooled + this.#ready.length - this.#busy > this.#reserved;
    this.#reserved += 1;
    if (!isOpen && !this.#closed) await this.#open(signal);
    let ended = false;
    return {
      end: () => {
        if (!ended) this.#reserved -= 1;
        ended = true;
      },
    };
  }

  #open(signal: AbortSignal): Promise<void> {
    const { protocol, host, hostname, port } = this.#origin;
    return new Promise((resolve) => {
      const forget = onStop(signal, resolve);
      const connected: Connected = (...[error, socket]) => {
        forget();
        if (error === null) this.#keep(socket);
        resolve();
      };
      // As the pool calls it.
      this.#connect({ protocol, host, hostname, port }, connected);
    });
  }

  #keep(socket: Socket): void {
    if (this.#closed) return void socket.destroy();
    this.#ready.push(socket);
    const timer = setTimeout(() => socket.destroy(), this.#keepMs).unref();
    socket.on("error", () => {});
    socket.once("close", () => {
      clearTimeout(timer);
      const at = this.#ready.indexOf(socket);
      if (at >= 0) this.#ready.splice(at, 1);
    });
  }

  close(): void {
    this.#closed = true;
    for (const socket of this.#ready.splice(0)) socket.destroy();
  }
}
