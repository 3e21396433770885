import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `well` forwards calls to the simulator, `silent` never answers, `broken` answers 503 without an error body. */
export type Mood = "well" | "silent" | "broken";

/** A proxy before the simulator, for faults of management calls that the simulator does not have. */
export type TestProvider = {
  url: string;
  /** Changes the mood, and breaks the calls that hang. */
  become(mood: Mood): void;
  /** Paths of the calls so far, without the version. */
  asked: string[];
  close(): Promise<void>;
};

export async function openTestProvider(behind: () => string): Promise<TestProvider> {
  let mood: Mood = "well";
  const hanging = new Set<ServerResponse>();
  const asked: string[] = [];
  const server = createServer((incoming, answer) => {
    asked.push((incoming.url ?? "").replace(/^\/v[0-9.]+/, "").replace(/\?.*/, ""));
    if (mood === "well") forward(incoming, answer, behind());
    else if (mood === "broken") answer.writeHead(503, { "content-type": "text/html" }).end("<h1>Sorry</h1>");
    else hanging.add(answer);
  });
  const release = (): void => {
    for (const answer of hanging) answer.destroy();
    hanging.clear();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // bound to a TCP port just now
    become(next) {
      mood = next;
      release();
    },
    asked,
    async close() {
      release();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function forward(incoming: IncomingMessage, answer: ServerResponse, to: string): void {
  const options = { method: incoming.method, headers: incoming.headers };
  const onward = request(new URL(incoming.url ?? "/", to), options, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  incoming.pipe(onward);
}
