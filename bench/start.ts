import type { Figures } from "./figures.ts";
import type { Part, Run } from "./part.ts";
import { cpuMs, mainThreadMs } from "./processes.ts";
import { sendAll } from "./work.ts";

/** A deploy: the process ends by SIGTERM, and another one starts on the same database. */
export const start: Part = {
  name: "start",
  title:
    "SIGTERM until another process on the same database is ready, and what the first request of a route takes beyond its second, of " +
    "those without an id in the path the one that takes most",
  bounds: {
    "CPU ms until ready": { atMost: 2_000 },
    "SIGTERM to ready ms": { atMost: 2_500 },
    "first request, gateway CPU ms": { atMost: 20 },
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

/**
 * Each operation that only reads is asked twice, and a message is sent twice. The gateway compiles the schemas of a route at its first
 * request; the rest of the difference is the database, which plans a statement at its first use by a connection.
 */
async function firstRequests({ urls, tenants, gateways }: Run): Promise<Figures> {
  const [url = ""] = urls;
  const pid = gateways[0]?.pid ?? 0;
  const headers = { authorization: `Bearer ${tenants[0]?.key}`, "content-type": "application/json" };
  const ask = async (path: string, init: RequestInit = {}): Promise<{ cpu: number; ms: number }> => {
    const [cpu, begun] = [mainThreadMs(pid), performance.now()];
    const answer = await fetch(url + path, { ...init, headers });
    await answer.arrayBuffer();
    return { cpu: mainThreadMs(pid) - cpu, ms: performance.now() - begun };
  };
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, { get?: object }> };
  const reads = Object.entries(document.paths).flatMap(([path, { get }]) =>
    get && path.startsWith("/v1/") && !path.includes("{") ? [path] : [],
  );
  const body = JSON.stringify({ to: "+15552010000", type: "text", text: { body: "hello" } });
  const requests = [...reads.map((path) => () => ask(path)), () => ask("/v1/messages", { method: "POST", body })];
  await ask("/v1/no-such-path"); // a connection, and the code of every request
  const beyond: { cpu: number; ms: number }[] = [];
  for (const request of requests) {
    const [first, second] = [await request(), await request()];
    beyond.push({ cpu: first.cpu - second.cpu, ms: first.ms - second.ms });
  }
  return {
    "first request, gateway CPU ms": Math.max(...beyond.map(({ cpu }) => cpu)),
    "first request ms": Math.max(...beyond.map(({ ms }) => ms)),
  };
}
