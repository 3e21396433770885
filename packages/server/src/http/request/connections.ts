import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The open connections of a server, each with its answers that are not written yet, in their order, and at least the last one. */
export class Connections {
  readonly #answers = new Map<Socket, ServerResponse[]>();

  constructor(server: Server) {
    server.on("connection", (socket) => {
      const answers: ServerResponse[] = [];
      this.#answers.set(socket, answers);
      socket.once("close", () => {
        this.#answers.delete(socket);
        for (const answer of answers) abandon(answer);
      });
    });
    server.on("request", (request, answer) => {
      const answers = this.#answers.get(request.socket);
      while (answers?.[0]?.writableFinished === true) answers.shift();
      answers?.push(answer);
    });
  }

  /**
   * Breaks off all but those whose whole request is being answered, as if their clients had. A connection that has sent nothing yet,
   * or half a request, is none of those that Node takes for idle.
   */
  endIncomplete(): void {
    for (const [socket, answers] of this.#answers) {
      const last = answers.at(-1);
      if (last !== undefined && !last.req.complete) last.req.destroy(new Error("the process stops"));
      else if (last === undefined || last.writableFinished) socket.destroy();
    }
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
