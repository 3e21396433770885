import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { openTestProvider, type TestProvider } from "../accounts/testing/test-provider.ts";

let gateway: Gateway;
let provider: TestProvider;
let mine: Sender;
let approved: string;

beforeAll(async () => {
  let behind = "";
  provider = await openTestProvider(() => behind);
  gateway = await startGateway({ API_RATE_LIMIT: "off", PROVIDER_BASE_URL: provider.url });
  behind = gateway.simulator.url;
  gateway.simulator.setDelays({ reviewMs: null });
  mine = await gateway.sender();
  approved = (await mine.call("GET", "/v1/templates?name=order_ready")).body.data[0].id;
});
beforeEach(() => provider.become("well"));
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const PATIENCE = { timeout: 30_000, interval: 20 };
const components = [{ type: "BODY", text: "Your order is here." }];
const definition = (name: string) => ({ name, language: { code: "en_US" }, category: "utility", components });
const requests = (name: string) => [
  () => mine.call("POST", "/v1/templates", { body: definition(name) }),
  () => mine.call("PATCH", `/v1/templates/${approved}`, { body: { components } }),
  () => mine.call("DELETE", `/v1/templates/${approved}`),
];
const open = () => mine.rows("select name from template_submission order by name");

it("an edge of the provider answers for it: 502 which says that it is being settled, then nothing has changed", async () => {
  provider.become("broken");
  for (const request of requests("behind_an_edge")) {
    const { status, body } = await request();
    expect([status, body.code, body.retryable]).toEqual([502, "provider_unavailable", true]);
    expect(body.detail).toContain("is being settled");
  }
  expect(await open()).toEqual([{ name: "behind_an_edge" }, { name: "order_ready" }]);
  const synced = await mine.call("POST", "/v1/templates/sync");
  expect([synced.status, synced.body.data[0].status]).toEqual([200, "failed"]);
  provider.become("well");
  await vi.waitFor(async () => {
    gateway.clock.advance(30_000);
    expect(await open()).toEqual([]);
  }, PATIENCE);
  expect((await mine.call("GET", "/v1/templates?name=behind_an_edge")).body.data).toEqual([]);
  expect((await mine.call("GET", `/v1/templates/${approved}`)).body.status).toBe("approved");
});

it("no byte reaches it: 502 which says that nothing was done, and nothing is left open", async () => {
  await provider.close();
  for (const request of requests("unreached")) {
    const { status, body } = await request();
    expect([status, body.code, body.retryable]).toEqual([502, "provider_unavailable", true]);
    expect(body.detail).toMatch(/^The template was not (submitted|changed|deleted): nothing was sent/);
  }
  expect(await open()).toEqual([]);
});
