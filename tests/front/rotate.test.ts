import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "../../packages/server/src/lib/duration.ts";
import { manualClock } from "../../packages/server/src/testing/clock.ts";
import { type Gateway, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";

// Rotating needs no decision: without a body, and with an empty one, the old key or secret goes on for a day.
let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway({}, { clock: manualClock() });
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

const WAYS: [string, { body?: unknown; headers?: Record<string, string> }][] = [
  ["no body", {}],
  ["no body, but its type", { headers: { "content-type": "application/json" } }],
  ["an empty text", { body: "" }],
  ["an empty object", { body: {} }],
];

describe("rotate without a decision", () => {
  it.each(WAYS)("an API key with %s: 201, and the old one ends in a day", async (_name, options) => {
    const old = (await mine.call("POST", "/v1/api-keys", { body: { name: "n", scopes: ["messages:read"] } })).body;
    const rotated = await mine.call("POST", `/v1/api-keys/${old.id}/rotate`, options);
    expect([rotated.status, rotated.body.name]).toEqual([201, "n"]);
    const after = (await mine.call("GET", `/v1/api-keys/${old.id}`)).body;
    expect(after).toMatchObject({
      replaced_by: rotated.body.id,
      expires_at: new Date(gateway.clock.now() + DAY_MS).toISOString(),
    });
  });

  it.each(WAYS)("a signing secret with %s: 200, and the old one signs for a day", async (_name, options) => {
    const body = { url: "https://example.com/hook", events: ["read"] };
    const { id, secret } = (await mine.call("POST", "/v1/webhook-endpoints", { body })).body;
    const rotated = await mine.call("POST", `/v1/webhook-endpoints/${id}/rotate-secret`, options);
    expect([rotated.status, rotated.body.secret === secret]).toEqual([200, false]);
    const log = (await mine.call("GET", `/v1/audit/activity?resource=${id}&action=webhook_endpoint.rotate_secret`))
      .body;
    expect(log.data[0].changes).toEqual({ overlap_seconds: DAY_MS / 1_000 });
  });

  it("with a key: no body and an empty one are the same request", async () => {
    const old = (await mine.call("POST", "/v1/api-keys", { body: { name: "n", scopes: ["messages:read"] } })).body;
    const headers = { "x-idempotency-key": "rotate-once" };
    const first = await mine.call("POST", `/v1/api-keys/${old.id}/rotate`, { headers });
    const again = await mine.call("POST", `/v1/api-keys/${old.id}/rotate`, { headers, body: {} });
    expect([first.status, again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([
      201,
      201,
      first.text,
      "true",
    ]);
  });

  it("what is no object is still 400, and so is no body where one is needed", async () => {
    for (const body of ["null", "[]", '""', "1"]) {
      const reply = await mine.call("POST", `/v1/api-keys/${mine.keyId}/rotate`, { body });
      expect([body, reply.status, reply.body.errors?.[0]?.pointer]).toEqual([body, 400, ""]);
    }
    for (const path of ["/v1/api-keys", "/v1/messages", "/v1/webhook-endpoints"])
      expect([path, (await mine.call("POST", path)).status]).toEqual([path, 400]);
  });
});
