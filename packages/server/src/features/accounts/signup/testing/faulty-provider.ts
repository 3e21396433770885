import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * What becomes of a call: `away` is reset before the provider has it; `lost` reaches the provider, whose answer is reset; `held`
 * reaches it too, and its answer never comes; `hang` never reaches it and never ends; `html` is a 503 without an error body; an object
 * is the answer of a provider that did nothing.
 */
export type CallFault = "away" | "lost" | "held" | "hang" | "html" | { status: number; body: object };

/** A proxy before the simulator: single management calls fail as a test says. */
export type FaultyProvider = {
  url: string;
  /** The next `count` calls (all by default) whose method and path, as `POST /90001/subscribed_apps`, fit `which`. */
  fail(which: RegExp, fault: CallFault, count?: number): void;
  mend(): void;
  /** Calls to these accounts and numbers, by id, pass through from now on, and are not in `asked`. */
  ignore(ids: readonly string[]): void;
  /** Method and path of each call, without version and query. */
  asked: string[];
  close(): Promise<void>;
};

export async function openFaultyProvider(behind: () => string): Promise<FaultyProvider> {
  let rules: { which: RegExp; fault: CallFault; left: number }[] = [];
  const hanging = new Set<ServerResponse>();
  const asked: string[] = [];
  const ignored = new Set<string>();
  const server = createServer((incoming, answer) => {
    const call = `${incoming.method} ${(incoming.url ?? "").replace(/^\/v[0-9.]+/, "").replace(/\?.*/, "")}`;
    if (ignored.has(call.split("/")[1] ?? ""))
      return forward(incoming, answer, behind(), (reply) => reply.pipe(answer));
    asked.push(call);
    const rule = rules.find(({ which, left }) => left > 0 && which.test(call));
    if (rule) rule.left -= 1;
    const fault = rule?.fault;
    if (fault === undefined) forward(incoming, answer, behind(), (reply) => reply.pipe(answer));
    else if (fault === "lost") forward(incoming, answer, behind(), () => answer.destroy());
    else if (fault === "held") forward(incoming, answer, behind(), () => hanging.add(answer));
    else if (fault === "away") answer.destroy();
    else if (fault === "hang") hanging.add(answer);
    else if (fault === "html") answer.writeHead(503, { "content-type": "text/html" }).end("<h1>Sorry</h1>");
    else answer.writeHead(fault.status, { "content-type": "application/json" }).end(JSON.stringify(fault.body));
  });
  const mend = (): void => {
    rules = [];
    for (const answer of hanging) answer.destroy();
    hanging.clear();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // bound to a TCP port just now
    fail: (which, fault, count = Number.POSITIVE_INFINITY) => void rules.push({ which, fault, left: count }),
    mend,
    ignore: (ids) => {
      for (const id of ids) ignored.add(id);
    },
    asked,
    async close() {
      mend();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function forward(
  incoming: IncomingMessage,
  answer: ServerResponse,
  to: string,
  onReply: (reply: IncomingMessage) => void,
): void {
  const options = { method: incoming.method, headers: incoming.headers };
  const onward = request(new URL(incoming.url ?? "/", to), options, (reply) => {
    answer.statusCode = reply.statusCode ?? 502;
    for (const [name, value] of Object.entries(reply.headers)) if (value !== undefined) answer.setHeader(name, value);
    onReply(reply);
  });
  onward.on("error", () => answer.destroy());
  incoming.pipe(onward);
}
