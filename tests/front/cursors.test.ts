import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Call, Reply } from "../../packages/server/src/testing/call.ts";
import { type Gateway, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";

// A cursor goes on with the list that gave it, for the workspace that got it, with the filters that were asked for.
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let endpoints: string[];
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  endpoints = [await withDeliveries(mine), await withDeliveries(mine)];
  for (const of of [mine, theirs]) {
    for (const reference of ["a", "b", "c"])
      await of.becomes((await of.send("+15558001000", { reference })).body.id, "accepted");
    await of.call("POST", "/v1/api-keys", { body: { name: "second", scopes: ["messages:read"] } });
  }
  // Reads are written to the audit log a moment later: none of these may come between two pages of it.
  await gateway.audited();
});
afterAll(() => gateway.stop());

async function withDeliveries(of: Sender): Promise<string> {
  const body = { url: "https://example.com/hook", events: ["read"] };
  const { id } = (await of.call("POST", "/v1/webhook-endpoints", { body })).body;
  for (let count = 0; count < 3; count++) await of.call("POST", `/v1/webhook-endpoints/${id}/test`);
  return id;
}

/** Lists with more than one row, each of whose cursors belongs to it alone. */
const lists = (): string[] => [
  "/v1/messages?limit=1",
  "/v1/messages?limit=1&to=%2B15558001000",
  "/v1/messages?limit=1&to=%2B15558001000&direction=outbound",
  "/v1/messages?limit=1&direction=outbound",
  "/v1/api-keys?limit=1",
  "/v1/templates?limit=1",
  "/v1/audit/activity?limit=1",
  "/v1/audit/activity?limit=1&resource=message",
  ...endpoints.map((id) => `/v1/webhook-endpoints/${id}/deliveries?limit=1`),
  "/v1/webhook-endpoints?limit=1",
];
const cursorOf = async (call: Call, list: string): Promise<string> => (await call("GET", list)).body.next_cursor;

function expectRefused(reply: Reply, about: unknown): void {
  const [error] = reply.body.errors ?? [];
  expect({ about, status: reply.status, code: reply.body.code, error }).toEqual({
    about,
    status: 400,
    code: "invalid_request",
    error: { pointer: "?cursor", code: "invalid_cursor", detail: expect.stringContaining("without a cursor") },
  });
}

describe("a cursor", () => {
  it("goes on with its list, also with another limit and with the filters in another order", async () => {
    for (const list of lists()) {
      const cursor = await cursorOf(mine.call, list);
      expect(cursor).toMatch(/^[\w-]{27}$/);
      const next = await mine.call("GET", `${list}&cursor=${cursor}`);
      expect([list, next.status, next.body.data.length]).toEqual([list, 200, 1]);
      const more = await mine.call("GET", `${list.replace("limit=1", "limit=2")}&cursor=${cursor}`);
      expect([list, more.status, more.body.data[0]]).toEqual([list, 200, next.body.data[0]]);
    }
    const cursor = await cursorOf(mine.call, "/v1/messages?limit=1&to=%2B15558001000&direction=outbound");
    const other = await mine.call("GET", `/v1/messages?cursor=${cursor}&direction=outbound&to=%2b15558001000`);
    expect(other.body.data.map(({ reference }: { reference: string }) => reference)).toEqual(["b", "a"]);
  });

  it("is 400 with its pointer on every other list, and with other filters", async () => {
    for (const list of lists()) {
      const cursor = await cursorOf(mine.call, list);
      for (const other of lists().filter((one) => one !== list))
        expectRefused(await mine.call("GET", `${other}&cursor=${cursor}`), [list, other]);
    }
  });

  it("is 400 for another workspace, whose own one goes on", async () => {
    for (const list of ["/v1/messages?limit=1", "/v1/api-keys?limit=1", "/v1/audit/activity?limit=1"]) {
      const cursor = await cursorOf(mine.call, list);
      expectRefused(await theirs.call("GET", `${list}&cursor=${cursor}`), list);
      const own = await cursorOf(theirs.call, list);
      expect((await theirs.call("GET", `${list}&cursor=${own}`)).status).toBe(200);
    }
    const workspaces = await cursorOf(gateway.operator, "/admin/v1/workspaces?limit=1");
    expectRefused(await gateway.operator("GET", `/admin/v1/audit?limit=1&cursor=${workspaces}`), "operator");
    const keys = `/admin/v1/workspaces/${mine.id}/api-keys?limit=1`;
    expectRefused(
      await gateway.operator(
        "GET",
        `/admin/v1/workspaces/${theirs.id}/api-keys?cursor=${await cursorOf(gateway.operator, keys)}`,
      ),
      keys,
    );
  });

  it("not issued by the server is 400: changed, shortened, padded, or of the form that was once taken", async () => {
    const list = "/v1/messages?limit=1";
    const cursor = await cursorOf(mine.call, list);
    const flipped = cursor
      .split("")
      .map((letter, place) => cursor.slice(0, place) + (letter === "A" ? "B" : "A") + cursor.slice(place + 1));
    const [id] = (await mine.call("GET", list)).body.data.map((row: { id: string }) => row.id);
    const byHand = [
      "",
      "x",
      cursor.slice(1),
      `${cursor}A`,
      `${cursor}=`,
      ` ${cursor}`,
      "A".repeat(27),
      "a".repeat(22),
      "!".repeat(27),
      id,
    ];
    for (const bad of [...flipped, ...byHand])
      expectRefused(await mine.call("GET", `${list}&cursor=${encodeURIComponent(bad)}`), bad);
    expectRefused(await mine.call("GET", `${list}&cursor=${"a".repeat(200)}`), "long");
  });

  it("leads through all rows once", async () => {
    const references: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await mine.call("GET", `/v1/messages?limit=2&to=%2B15558001000${cursor}`);
      references.push(...body.data.map(({ reference }: { reference: string }) => reference));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(references).toEqual(["c", "b", "a"]);
  });
});
