import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The open connections of a server, each with the answer to its last request. */
export class Connections {
  /** Null while no request has come. */
  readonly #last = new Map<Socket, ServerResponse | null>();
  /** Of connections on which requests came before the answer to an earlier one was written: the answers to those. */
  readonly #earlier = new WeakMap<Socket, ServerResponse[]>();

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#last.set(socket, null);
      socket.once("close", () => {
        const last = this.#last.get(socket);
        this.#last.delete(socket);
        for (const answer of this.#earlier.get(socket) ?? []) abandon(answer);
        if (last) abandon(last);
      });
    });
    server.on("request", ({ socket }, answer) => {
      const last = this.#last.get(socket);
      if (last && !last.writableFinished) this.#keep(socket, last);
      if (last !== undefined) this.#last.set(socket, answer);
    });
  }

  /**
   * Breaks off all but those whose whole request is being answered, as if their clients had. A connection that has sent nothing yet,
   * or half a request, is none of those that Node takes for idle.
   */
  endIncomplete(): void {
    for (const [socket, last] of this.#last) {
      if (last !== null && !last.req.complete) last.req.destroy(new Error("the process stops"));
      else if (last === null || last.writableFinished) socket.destroy();
    }
  }

  #keep(socket: Socket, answer: ServerResponse): void {
    const unwritten = (this.#earlier.get(socket) ?? []).filter((earlier) => !earlier.writableFinished);
    this.#earlier.set(socket, [...unwritten, answer]);
  }
}

/**
 * Closes an answer that waits behind another one of a connection that is gone. Node closes only the answer whose turn it is: those
 * behind it would wait for ever, with all that is given back when they end.
 */
function abandon(answer: ServerResponse): void {
  if (answer.socket !== null || answer.writableFinished || answer.destroyed) return;
  answer.destroyed = true;
  answer.emit("close");
}
