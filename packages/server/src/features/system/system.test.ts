import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../lib/duration.ts";
import { type Gateway, ORDER_READY, type Sender, startGateway } from "../../testing/gateway.ts";

let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

async function system() {
  // What was kept is old by then.
  gateway.clock.advance(5_000);
  const { status, body } = await gateway.operator("GET", "/admin/v1/system");
  expect(status).toBe(200);
  return body;
}
const queueOf = (body: { queues: { kind: string }[] }, kind: string) => body.queues.find((one) => one.kind === kind);
const KINDS = ["dispatch", "deliver", "ingest", "task", "redeliver", "fetch"];

describe("the state of the installation", () => {
  it("has the process with its roles and all slots, the queues, the database and its migrations", async () => {
    await expect
      .poll(async () => (await system()).queues.map((one: { slots_owned: number }) => one.slots_owned), {
        timeout: 20_000,
      })
      .toEqual(KINDS.map(() => 64));
    const body = await system();
    expect(body.processes).toEqual([
      {
        id: expect.any(String),
        roles: ["api", "ingress", "dispatch", "deliver", "maintenance"],
        version: body.version,
        slots: Object.fromEntries(KINDS.map((kind) => [kind, 64])),
        lease_expires_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(body.queues.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(KINDS.toSorted());
    expect(body.database.size_bytes).toBeGreaterThan(1_000_000);
    expect(body.database.version).toMatch(/^\d+\./);
    expect(body.migrations).toEqual({
      applied: expect.any(Number),
      latest: expect.stringMatching(/^\d{4}_/),
      pending: [],
    });
  });

  it("says since when the oldest work waits, and nothing of what is for later", async () => {
    const send_at = new Date(gateway.clock.now() + HOUR_MS).toISOString();
    const body = { to: "+15559001234", type: "template", template: ORDER_READY, send_at };
    expect((await mine.call("POST", "/v1/messages", { body })).status).toBe(202);
    expect(queueOf(await system(), "dispatch")).toMatchObject({ oldest_due_at: null });
  });

  it("shows work that no process does, since when it waits", async () => {
    const idle = await startGateway({}, { roles: ["api", "maintenance"] });
    try {
      const sender = await idle.sender();
      const sent = (await sender.send("+15559001235")).body;
      const { status, body } = await idle.operator("GET", "/admin/v1/system");
      const slots = expect.objectContaining({ dispatch: 0 });
      expect([status, body.processes]).toEqual([
        200,
        [expect.objectContaining({ roles: ["api", "maintenance"], slots })],
      ]);
      const dispatch = queueOf(body, "dispatch");
      expect(dispatch).toMatchObject({ slots: 64, slots_owned: 0, oldest_due_at: sent.created_at });
    } finally {
      await idle.stop();
    }
  });

  it("is the operator's alone", async () => {
    expect((await mine.call("GET", "/admin/v1/system")).status).toBe(401);
    expect((await gateway.as(null)("GET", "/admin/v1/system")).status).toBe(401);
  });
});
