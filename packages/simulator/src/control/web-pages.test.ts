import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Pair, startPair, template } from "../testing/provider.ts";

// A web page that a developer looks at can reach what listens on the developer's machine: by a request of its own, and by a
// name of its own that suddenly leads here (DNS rebinding), which makes the simulator the page's own origin.

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());

type Answer = { status: number; text: string };

async function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const sent = request(pair.simulator.url + path, { method, headers });
  sent.end();
  const [response] = await once(sent, "response");
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
  return { status: response.statusCode, text };
}

const own = (): string => new URL(pair.simulator.url).host;
const port = (): string => new URL(pair.simulator.url).port;

test.each([
  ["another site", "https://shop.example"],
  ["another program of this machine", "http://127.0.0.1:3000"],
  ["a page without an origin, such as a file", "null"],
  ["something that is no origin", "::"],
])("what %s posts is refused and changes nothing", async (_name, origin) => {
  await pair.send(template("+15550001111"));
  const before = pair.simulator.stats().requests;
  for (const [method, path] of [
    ["POST", "/sim/reset"],
    ["POST", "/sim/reply"],
    ["PUT", "/sim/delays"],
    ["DELETE", "/sim/faults"],
    ["DELETE", "/sim/accounts/9001"],
    ["POST", "/v26.0/1055/messages?access_token=EAASIMDEMO"],
  ] as const) {
    const { status, text } = await ask(method, path, { origin });
    expect({ path, status }).toEqual({ path, status: 403 });
    expect(JSON.parse(text)).toEqual({ error: { message: expect.stringContaining("another page's Origin") } });
  }
  expect(pair.simulator.stats().requests).toBe(before);
  expect((await pair.call("GET", "/v26.0/9001")).status).toBe(200);
});

test("a name that a page may have made lead here is refused, reading too", async () => {
  await pair.send(template("+15550001111"));
  const before = pair.simulator.stats().requests;
  const rebound = `shop.example:${port()}`;
  for (const [method, path] of [
    ["POST", "/sim/reset"],
    ["GET", "/sim/sent"],
    ["GET", "/%73im/sent?limit=1"],
    ["GET", "/sim"],
    ["GET", "/sim/accounts"],
    ["GET", "/v26.0/dialog/oauth?client_id=42"],
  ] as const) {
    for (const headers of [{ host: rebound }, { host: rebound, origin: `http://${rebound}` }]) {
      const { status, text } = await ask(method, path, headers);
      expect({ path, status }).toEqual({ path, status: 403 });
      expect(JSON.parse(text)).toEqual({ error: { message: expect.stringContaining("Host") } });
    }
  }
  const sending = { host: rebound, origin: `http://${rebound}` };
  expect(await ask("POST", "/v26.0/1055/messages?access_token=EAASIMDEMO", sending)).toMatchObject({ status: 403 });
  expect(pair.simulator.stats().requests).toBe(before);
});

test("programs, the page's own form and every name of this machine are served", async () => {
  const names = [own(), `localhost:${port()}`, `[::1]:${port()}`, `simulator:${port()}`, "LOCALHOST", "demo.localhost"];
  for (const host of names) {
    expect({ host, ...(await ask("GET", "/sim/stats", { host })) }).toMatchObject({ host, status: 200 });
    const { status } = await ask("POST", "/sim/reset", { host, origin: `http://${host.toLowerCase()}` });
    expect({ host, status }).toEqual({ host, status: 200 });
  }
  expect(await ask("POST", "/sim/reset")).toMatchObject({ status: 200 });
  // Graph calls of a gateway may come by any name.
  const path = "/v26.0/9001?access_token=EAASIMDEMO";
  expect(await ask("GET", path, { host: "simulator.default.svc" })).toMatchObject({ status: 200 });
});

test("the host name that it listens on is its own", async () => {
  const named = await startPair({ host: "localhost" });
  try {
    expect((await fetch(`${named.simulator.url}/sim/stats`)).status).toBe(200);
  } finally {
    await named.close();
  }
});
