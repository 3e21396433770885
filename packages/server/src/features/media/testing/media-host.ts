import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const FILES = "/whatsapp_business/attachments";

/** Answers in the host's place; returns false to leave the request to it. */
export type Answer = (response: ServerResponse, asked: IncomingMessage) => boolean;

/** Stands before the simulator, as the provider of a gateway, so that the host of its files can be a bad one. */
export class MediaHost {
  /** How it answers requests for files; null: as the simulator does. */
  answer: Answer | null = null;
  /** The simulator's address, to be set before the first request. */
  target = "";
  readonly #server: Server;

  constructor() {
    this.#server = createServer((asked, response) => {
      response.on("error", () => undefined);
      if (asked.url?.startsWith(FILES) === true && this.answer?.(response, asked) === true) return;
      this.#pass(asked, response);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens on TCP
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  // The head goes on as it came: by its Host the simulator gives addresses of files, which so lead here.
  #pass(asked: IncomingMessage, response: ServerResponse): void {
    const { method, headers } = asked;
    const passed = request(new URL(asked.url ?? "/", this.target), { method, headers, setHost: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    asked.pipe(passed);
  }
}
