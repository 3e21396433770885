import type { IncomingHttpHeaders } from "node:http";
import { type buildConnector, Client, type Dispatcher } from "undici";
import type { Clock } from "../clock.ts";

/** One connection, opened when it is first used and again when its server has closed it. */
type Socket = {
  client: Client;
  busy: boolean;
  /** When the connection was opened, on the monotonic clock. */
  openedAt: number;
};

type Post = { options: Dispatcher.DispatchOptions; handler: Dispatcher.DispatchHandler };

export type SocketsOptions = {
  origin: string;
  connect: buildConnector.connector;
  clock: Clock;
  /** Most of them; further posts wait for one. */
  most: number;
  idleMs: number;
  longestMs: number;
  headerBytes: number;
};

/**
 * The sockets of one owner: one post at a time on each, the one used last first, so that the others fall idle. A socket that
 * was closed is forgotten. undici's `Pool` has a queue of 16 KiB for each owner, one client more than is in use, and keeps those
 * without a connection: a thousand endpoints that each get an event now and then took 60 MiB more of a process.
 */
export class Sockets {
  readonly #options: SocketsOptions;
  readonly #all = new Set<Socket>();
  /** The one used last at the end. */
  readonly #free: Socket[] = [];
  /** While all are busy. */
  readonly #waiting: Post[] = [];

  constructor(options: SocketsOptions) {
    this.#options = options;
  }

  /** As of undici's dispatchers. */
  dispatch(options: Post["options"], handler: Post["handler"]): void {
    const socket = this.#youngFree() ?? (this.#all.size < this.#options.most ? this.#open() : null);
    if (socket === null) this.#waiting.push({ options, handler });
    else this.#send(socket, { options, handler });
  }

  #send(socket: Socket, { options, handler }: Post): void {
    socket.busy = true;
    socket.client.dispatch(options, new Watched(handler, () => this.#ended(socket)));
  }

  #ended(socket: Socket): void {
    socket.busy = false;
    const next = this.#waiting.shift();
    if (next) this.#send(socket, next);
    else if (this.#all.has(socket)) this.#free.push(socket);
  }

  #youngFree(): Socket | undefined {
    const { clock, longestMs } = this.#options;
    for (let socket = this.#free.pop(); socket; socket = this.#free.pop()) {
      if (clock.monotonic() - socket.openedAt < longestMs) return socket;
      this.#all.delete(socket);
      socket.client.close().catch(() => {}); // nothing of it is under way
    }
    return undefined;
  }

  #open(): Socket {
    const { origin, connect, clock, idleMs, headerBytes } = this.#options;
    const client = new Client(origin, {
      connect,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      maxHeaderSize: headerBytes,
      // The deadline of a post covers the whole exchange: timers for each phase restart with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const socket = { client, busy: false, openedAt: clock.monotonic() };
    const closed = (): void => this.#closed(socket);
    client.on("connect", () => (socket.openedAt = clock.monotonic()));
    client.on("disconnect", closed);
    client.on("connectionError", closed);
    this.#all.add(socket);
    return socket;
  }

  // A busy one connects again, or its post has failed and is about to end.
  #closed(socket: Socket): void {
    if (socket.busy || !this.#all.delete(socket)) return;
    const at = this.#free.indexOf(socket);
    if (at !== -1) this.#free.splice(at, 1);
  }

  /** Waits for the posts in flight. */
  async close(): Promise<void> {
    await Promise.all(this.#clients().map((client) => client.close()));
  }

  /** Posts in flight end with an error. */
  async destroy(): Promise<void> {
    await Promise.all(this.#clients().map((client) => client.destroy()));
  }

  /** All of them, from now on with the posts that wait. */
  #clients(): Client[] {
    const all = [...this.#all];
    this.#all.clear();
    this.#free.length = 0;
    for (const [n, post] of this.#waiting.splice(0).entries()) this.#send(all[n % all.length] as Socket, post); // all were busy, so there are some
    return all.map(({ client }) => client);
  }
}

/** Passes on what is reported of a post, and before its end that its socket is free. */
class Watched implements Dispatcher.DispatchHandler {
  readonly #handler: Post["handler"];
  readonly #ended: () => void;

  constructor(handler: Post["handler"], ended: () => void) {
    this.#handler = handler;
    this.#ended = ended;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#handler.onResponseStart?.(controller, status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#ended();
    this.#handler.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#ended();
    this.#handler.onResponseError?.(controller, error);
  }
}
