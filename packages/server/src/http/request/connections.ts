import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The open connections of a server, each with the answer to its last request. */
export class Connections {
  /** Null while no request has come. */
  readonly #answers = new Map<Socket, ServerResponse | null>();

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#answers.set(socket, null);
      socket.once("close", () => this.#answers.delete(socket));
    });
    server.on("request", (request, answer) => this.#answers.set(request.socket, answer));
  }

  /**
   * Breaks off all but those whose whole request is being answered, as if their clients had. A connection that has sent nothing yet,
   * or half a request, is none of those that Node takes for idle.
   */
  endIncomplete(): void {
    for (const [socket, answer] of this.#answers) {
      if (answer !== null && !answer.req.complete) answer.req.destroy(new Error("the process stops"));
      else if (answer === null || answer.writableFinished) socket.destroy();
    }
  }
}
