import type { Figures } from "./figures.ts";
import type { Part, Run } from "./part.ts";
import { cpuMs } from "./processes.ts";
import { sendAll } from "./work.ts";

/** A deploy: the process ends by SIGTERM, and another one starts on the same database. */
export const start: Part = {
  name: "start",
  title:
    "SIGTERM until another process on the same database is ready, and the first request of each route without an id in its path",
  bounds: {
    "CPU ms until ready": { atMost: 2_000 },
    "SIGTERM to ready ms": { atMost: 2_500 },
    "slowest first request ms": { atMost: 20 },
  },
  rounds: 5,
  work: sendAll,
  async round(run) {
    const begun = performance.now();
    await run.restart();
    const ready = performance.now();
    const cpu = cpuMs(run.gateways.map(({ pid }) => pid));
    return { "CPU ms until ready": cpu, "SIGTERM to ready ms": ready - begun, ...(await firstRequests(run)) };
  },
};

/** Each operation that only reads is asked once, and a message is sent. What takes longest counts. */
async function firstRequests({ urls, tenants }: Run): Promise<Figures> {
  const [url = ""] = urls;
  const headers = { authorization: `Bearer ${tenants[0]?.key}` };
  const ask = async (path: string, init: RequestInit = {}): Promise<number> => {
    const begun = performance.now();
    const answer = await fetch(url + path, { ...init, headers: { ...headers, "content-type": "application/json" } });
    await answer.arrayBuffer();
    return performance.now() - begun;
  };
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, { get?: object }> };
  const reads = Object.keys(document.paths).filter((path) => path.startsWith("/v1/") && !path.includes("{"));
  await ask("/v1/no-such-path"); // a connection, and the code of every request
  const times: number[] = [];
  for (const path of reads) if (document.paths[path]?.get) times.push(await ask(path));
  const body = JSON.stringify({ to: "+15552010000", type: "text", text: { body: "hello" } });
  times.push(await ask("/v1/messages", { method: "POST", body }));
  return { "slowest first request ms": Math.max(...times) };
}
