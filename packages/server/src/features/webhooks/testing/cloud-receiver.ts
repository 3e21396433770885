import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type CloudDelivery = { headers: IncomingHttpHeaders; text: string; body: ReturnType<typeof JSON.parse> };

/** A receiver as the provider asks for one: it knows one token and one secret, and refuses all else. */
export type CloudReceiver = {
  url: string;
  token: string;
  secret: string;
  /** How it answers a handshake, once set. */
  handshake: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  /** What it answers to what verifies. */
  status: number;
  /** Paths and queries of its handshakes. */
  asked: URL[];
  /** What verified, and the count of what did not. */
  received: CloudDelivery[];
  refused: number;
  close(): Promise<void>;
};

export async function startCloudReceiver(secret: string, token = "a token"): Promise<CloudReceiver> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://receiver");
    if (request.method === "GET") {
      self.asked.push(url);
      if (self.handshake !== null) return self.handshake(request, response);
      const isKnown = url.searchParams.get("hub.verify_token") === self.token;
      return void response.writeHead(isKnown ? 200 : 403).end(url.searchParams.get("hub.challenge"));
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const signature = `sha256=${createHmac("sha256", self.secret).update(bytes).digest("hex")}`;
      const isRight = request.headers["x-hub-signature-256"] === signature;
      if (isRight) {
        const text = bytes.toString("latin1");
        self.received.push({ headers: request.headers, text, body: JSON.parse(text) });
      } else self.refused += 1;
      response.writeHead(isRight ? self.status : 401).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const self: CloudReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    token,
    secret,
    handshake: null,
    status: 202,
    asked: [],
    received: [],
    refused: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return self;
}
