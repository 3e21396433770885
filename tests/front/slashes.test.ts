import { afterAll, beforeAll, expect, it } from "vitest";
import { type Gateway, OPERATOR_KEY, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { type ApiDocument, operationsOf } from "./operations.ts";

// A path with a slash too many is none of ours, whatever the method: 405 would say that it is one.
let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

const SOME_ID = "con_01jd0000000000000000000000";

/** A path of the document with a slash too many, at each place where one can be. */
function* wrong(path: string): Generator<string> {
  const filled = path.replaceAll(/\{\w+\}/g, SOME_ID);
  yield `${filled}/`;
  // An id that is empty.
  for (const [name] of path.matchAll(/\{\w+\}/g)) yield path.replace(name, "").replaceAll(/\{\w+\}/g, SOME_ID);
}

it("every path with a slash too many is 404 for each method, to key holders alone", async () => {
  const { body: document } = await gateway.as(null)("GET", "/openapi.json");
  const paths = new Set(operationsOf(document as ApiDocument).map(({ path }) => path));
  const calls = [...paths]
    .filter((path) => path.includes("/v1/"))
    // No path takes PUT.
    .flatMap((path) =>
      [...new Set(wrong(path))].map((url, index) => ({ url, method: index === 0 ? "PUT" : "POST" }) as const),
    );
  expect(calls.length).toBeGreaterThan(70);
  const wrongly: unknown[] = [];
  const ask = async ({ url, method }: (typeof calls)[number]): Promise<void> => {
    const bearer = url.includes("/admin/") ? OPERATOR_KEY : mine.key;
    const { status, body } = await gateway.as(bearer)(method, url, { body: {} });
    if (status !== 404 || body?.code !== "not_found") wrongly.push([method, url, status, body?.code]);
  };
  calls.push({ url: "//v1/messages", method: "POST" }, { url: "/v1//messages", method: "POST" });
  while (calls.length > 0) await Promise.all(calls.splice(0, 50).map(ask));
  expect(wrongly).toEqual([]);
  expect((await gateway.as(null)("POST", "/v1/messages/")).status).toBe(401);
});
