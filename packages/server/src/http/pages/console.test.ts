import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../testing/gateway.ts";
import { rawRequest } from "../testing/raw-request.ts";
import { consoleRoutes } from "./console.ts";

// The first page, requested without a key from the real server.
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const ask = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers });

test("the page needs no key and may run nothing but its own parts", async () => {
  const answer = await ask("/");
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(await answer.text()).toContain("<h1>");
});

test("every address in it leads somewhere here, and none outside", async () => {
  const html = await (await ask("/")).text();
  const addresses = [...html.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, address]) => address ?? "");
  expect(addresses).toEqual(
    expect.arrayContaining(["docs", "openapi.json", "console/console.css", "console/console.js"]),
  );
  for (const address of addresses) {
    expect(address).not.toMatch(/^(\w+:|\/)/); // relative: the gateway may sit below a path of a proxy
    expect([address, (await ask(`/${address}`)).status]).toEqual([address, 200]);
  }
  const parts = await Promise.all(
    ["/console/console.css", "/console/console.js"].map(async (path) => (await ask(path)).text()),
  );
  for (const text of [html, ...parts]) expect(text).not.toMatch(/(src|href)="https?:|url\(|@import|style="|\son\w+="/);
});

test("what did not change is not sent again", async () => {
  for (const path of ["/", "/console/console.css", "/console/console.js", "/console/icon.svg", "/console/facts.json"]) {
    const etag = (await ask(path)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await ask(path, { "if-none-match": known });
      expect({ status: again.status, etag: again.headers.get("etag"), text: await again.text() }).toEqual({
        status: 304,
        etag,
        text: "",
      });
    }
    expect((await ask(path, { "if-none-match": '"other"' })).status).toBe(200);
  }
});

test("other methods are refused, HEAD is not", async () => {
  const post = await fetch(`${gateway.url}/`, { method: "POST" });
  expect({ status: post.status, allow: post.headers.get("allow") }).toEqual({ status: 405, allow: "GET, HEAD" });
  expect((await fetch(`${gateway.url}/`, { method: "HEAD" })).status).toBe(200);
});

test("the pages are not in the document", async () => {
  const { paths } = JSON.parse(await (await ask("/openapi.json")).text());
  expect(Object.keys(paths).filter((path) => path === "/" || path.startsWith("/console"))).toEqual([]);
});

test("the simulator is named only when the provider is on this machine", async () => {
  expect(await (await ask("/console/facts.json")).json()).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    simulator_url: `${gateway.simulator.url}/sim`,
  });
  const routes = await consoleRoutes({ version: "1.0.0", providerBaseUrl: "https://graph.facebook.com" });
  const facts = routes.find(({ path }) => path === "/console/facts.json");
  const answer = await facts?.handle(rawRequest({}));
  expect(JSON.parse(answer?.body as string)).toEqual({ version: "1.0.0", simulator_url: null });
});
