import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";

/** A request as it reached the provider. */
export type Asked = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };

/** What the stub says in the simulator's place: an answer, or `cut` for a connection that breaks. */
export type Said = { status?: number; body: unknown; headers?: Record<string, string> } | "cut";

/** Stands before the simulator: passes everything on, but for what a test answers itself. */
export type ProviderStub = {
  url: string;
  /** Requests that the test's own answer was asked for. */
  readonly asked: Asked[];
  /** From now on; null from it passes a request on. */
  says(answer: (asked: Asked) => Said | null | Promise<Said | null>): void;
  /** Where everything else goes. */
  standBefore(url: string): void;
  close(): Promise<void>;
};

export async function openProviderStub(): Promise<ProviderStub> {
  let upstream = "";
  let answer: Parameters<ProviderStub["says"]>[0] = () => null;
  const asked: Asked[] = [];
  const server: Server = createServer((incoming, outgoing) => {
    void bodyOf(incoming).then(async (body) => {
      const { method = "", url = "", headers } = incoming;
      const one = { method, path: url, headers, body: body.toString() };
      const said = await answer(one);
      if (said === null) return forward(upstream + url, { method, headers, body }, outgoing);
      asked.push(one);
      if (said === "cut") return incoming.socket.destroy();
      outgoing.writeHead(said.status ?? 200, { "content-type": "application/json", ...said.headers });
      return outgoing.end(typeof said.body === "string" ? said.body : JSON.stringify(said.body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    says(given) {
      asked.length = 0;
      answer = given;
    },
    standBefore(url) {
      upstream = url;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer); // a stream of bytes
  return Buffer.concat(chunks);
}

function forward(
  url: string,
  { method, headers, body }: { method: string; headers: IncomingMessage["headers"]; body: Buffer },
  outgoing: ServerResponse,
): void {
  const passed = request(url, { method, headers: { ...headers, host: new URL(url).host } }, (answered) => {
    outgoing.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(outgoing);
  });
  passed.on("error", () => outgoing.destroy());
  passed.end(body);
}
