import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * `well` forwards calls to the simulator, `silent` never answers, `broken` answers 503 without an error body, `page` 200 with a page of
 * an edge; a number is the code of an error of the provider itself, which says nothing of the account.
 */
export type Mood = "well" | "silent" | "broken" | "page" | 1 | 2 | 4;

/** A proxy before the simulator, for faults of management calls that the simulator does not have. */
export type TestProvider = {
  url: string;
  /** Changes the mood, and breaks the calls that hang. `of`: towards the calls with these tokens only. */
  become(mood: Mood, of?: readonly string[]): void;
  /** Paths of the calls so far, without the version. */
  asked: string[];
  close(): Promise<void>;
};

export async function openTestProvider(behind: () => string): Promise<TestProvider> {
  let mood: Mood = "well";
  let tokens: ReadonlySet<string> | null = null;
  const hanging = new Set<ServerResponse>();
  const asked: string[] = [];
  const server = createServer((incoming, answer) => {
    asked.push((incoming.url ?? "").replace(/^\/v[0-9.]+/, "").replace(/\?.*/, ""));
    const token = incoming.headers.authorization?.replace("Bearer ", "") ?? "";
    if (mood === "well" || (tokens && !tokens.has(token))) forward(incoming, answer, behind());
    else if (mood === "silent") hanging.add(answer);
    else refuse(answer, mood);
  });
  const release = (): void => {
    for (const answer of hanging) answer.destroy();
    hanging.clear();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // bound to a TCP port just now
    become(next, of) {
      mood = next;
      tokens = of ? new Set(of) : null;
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

function refuse(answer: ServerResponse, mood: Exclude<Mood, "well" | "silent">): void {
  if (typeof mood === "string") {
    answer.writeHead(mood === "page" ? 200 : 503, { "content-type": "text/html" }).end("<h1>Sorry</h1>");
    return;
  }
  const error = { message: `(#${mood}) Try again later`, type: "OAuthException", code: mood, fbtrace_id: "A" };
  answer.writeHead(mood === 2 ? 503 : 400, { "content-type": "application/json" }).end(JSON.stringify({ error }));
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
