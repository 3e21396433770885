import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = { headers: IncomingHttpHeaders; text: string; body: ReturnType<typeof JSON.parse> };

export type Receiver = {
  url: string;
  received: Received[];
  /** How it answers from now on; at first with 200. */
  answer(handler: (response: ServerResponse, request: Received) => void): void;
  /** Resolves when it has received `count` requests in all. */
  got(count: number): Promise<void>;
  close(): Promise<void>;
};

/** A subscriber that keeps each request that it receives. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  let handler: (response: ServerResponse, request: Received) => void = (response) => void response.end();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const one = { headers: request.headers, text, body: JSON.parse(text) };
      received.push(one);
      handler(response, one);
      for (const { count, resolve } of waiting) if (received.length >= count) resolve();
      waiting = waiting.filter(({ count }) => count > received.length);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer(next) {
      handler = next;
    },
    got: (count) =>
      received.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Resolves when the head of an answer, body outstanding, has come to this process's HTTP client; no receiver can know it. */
export function headCame(): Promise<void> {
  return new Promise((resolve) => {
    const came = (): void => {
      unsubscribe("undici:request:headers", came);
      resolve();
    };
    subscribe("undici:request:headers", came);
  });
}
