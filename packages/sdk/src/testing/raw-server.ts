import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Seen = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };
/** Answers one request; one that does nothing leaves it without an answer. */
export type Answer = (response: ServerResponse) => void;

/** A server that gives the listed answers, one by one; the last one is repeated. */
export async function startRawServer(): Promise<{
  url: string;
  seen: Seen[];
  answers(...next: Answer[]): void;
  close(): Promise<void>;
}> {
  const seen: Seen[] = [];
  let queue: Answer[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      const answer = queue.length > 1 ? queue.shift() : queue[0];
      answer?.(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answers(...next) {
      queue = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** JSON with these headers. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

/** A refusal as the gateway sends it. */
export const problem = (
  status: number,
  code: string,
  retryable: boolean,
  headers: Record<string, string> = {},
): Answer =>
  json(
    status,
    {
      type: `/docs/errors/${code}`,
      title: "Title",
      status,
      detail: "Detail.",
      code,
      request_id: "req-1",
      retryable,
    },
    { "x-request-id": "req-1", ...headers },
  );

/** Any text, as a proxy answers. */
export const text =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": "text/html", ...headers }).end(body);

/** Cuts the connection after half a body. */
export const cut: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
  response.write('{"id":', () => response.destroy());
};
