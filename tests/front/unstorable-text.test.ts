import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, OPERATOR_KEY, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { good, ORDER_UPDATE, person, rowsOf } from "./requests.ts";

// Text that PostgreSQL cannot store is refused by validation, at any place in a body.
let gateway: Gateway;
let mine: Sender;
let foreign: { id: string };
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.sender();
  const theirs = await gateway.sender();
  foreign = (await theirs.send(person())).body;
  await theirs.becomes(foreign.id, "accepted");
});
afterAll(() => gateway.stop());

describe("NUL and lone surrogates", () => {
  const routes = (): [string, string, object][] => [
    [
      "/v1/messages",
      mine.key,
      {
        ...good(),
        template: ORDER_UPDATE,
        reference: "r",
        from: mine.phoneNumberId,
        on_unknown: "hold",
        send_at: "2027-01-01T00:00:00Z",
        reply_to: foreign.id,
      },
    ],
    ["/v1/messages", mine.key, { to: person(), type: "text", text: { body: "Hi" } }],
    ["/v1/webhook-endpoints", mine.key, { url: "https://example.com/hook", events: ["*"], description: "d" }],
    ["/v1/api-keys", mine.key, { name: "n", scopes: ["*"] }],
    ["/v1/business-accounts", mine.key, { provider_account_id: "1", access_token: "t" }],
    ["/admin/v1/workspaces", OPERATOR_KEY, { name: "n" }],
  ];

  it("are 400 with their pointer at every string and every name of every body, and leave nothing", async () => {
    const before = await rowsOf(gateway);
    let tried = 0;
    for (const [path, bearer, body] of routes()) {
      for (const bad of ["\u0000", "a\u0000b", "\ud800", "x\udc00", "\udc00\ud800"]) {
        for (const { value, pointer } of spoiled(body, bad)) {
          const reply = await gateway.as(bearer)("POST", path, { body: value });
          const at = reply.body?.errors?.[0]?.pointer;
          expect({ path, bad, pointer, status: reply.status, code: reply.body?.code, at }).toEqual({
            path,
            bad,
            pointer,
            status: 400,
            code: "invalid_request",
            at: pointer,
          });
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(150);
    expect(await rowsOf(gateway)).toEqual(before);
  });

  it("pairs and what only looks like them pass", async () => {
    const reference = "😀 \\u0000 \\ud800 \u00e9\ufffd";
    const reply = await mine.send(person(), { reference });
    expect([reply.status, reply.body.reference]).toEqual([202, reference]);
    expect((await mine.call("GET", `/v1/messages?reference=${encodeURIComponent(reference)}`)).body.data).toHaveLength(
      1,
    );
  });
});

/** The value once for each of its strings and names, with `bad` put there; the pointer that the refusal must name. */
function* spoiled(value: unknown, bad: string, pointer = ""): Generator<{ value: unknown; pointer: string }> {
  if (typeof value === "string") yield { value: bad, pointer };
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const one of spoiled(inner, bad, `${pointer}/${name}`))
      yield {
        value: Array.isArray(value) ? value.with(Number(name), one.value) : { ...value, [name]: one.value },
        pointer: one.pointer,
      };
  }
  if (!Array.isArray(value)) yield { value: { ...value, [bad]: 1 }, pointer };
}
