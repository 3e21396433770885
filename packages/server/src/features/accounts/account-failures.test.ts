import { describe, expect, it, vi } from "vitest";
import type { ProviderError } from "../../provider/provider.ts";
import { PATIENCE } from "../../testing/patience.ts";
import { accountUuid, startDemo } from "./testing/demo.ts";

const demo = await startDemo();
const { connect, events, gateway, simulator } = demo;

const trouble = (more: Partial<ProviderError> = {}): ProviderError => ({
  class: "token",
  code: "account_disconnected",
  bytesSent: true,
  provider: { code: 190, subcode: 463, title: "Session has expired", details: null, traceId: null },
  httpStatus: 401,
  detail: "provider code 190",
  ...more,
});

describe("trouble of an account", () => {
  const account = async () => (await gateway.as(demo.workspaceId)("GET", "/v1/business-accounts")).body.data[0];
  const report = async (error: ProviderError) =>
    gateway.senders.reportAccountTrouble(
      { workspaceId: demo.workspaceId, businessAccountId: accountUuid((await account()).id), accountChangedAt: 0 },
      error,
    );

  it("a dead token that was in use for a while disconnects at once, with one event however often it is reported", async () => {
    await connect();
    gateway.clock.advance(61_000);
    for (let n = 0; n < 3; n++) {
      await report(trouble());
      gateway.clock.advance(5_000);
    }
    await vi.waitFor(
      async () =>
        expect(await account()).toMatchObject({ status: "disconnected", status_reason: "Session has expired" }),
      PATIENCE,
    );
    await vi.waitFor(
      async () =>
        expect(
          await gateway.rows(demo.workspaceId, "select 1 from job where kind = 'account.check' and not started"),
        ).toHaveLength(1),
      PATIENCE,
    );
    await gateway.work(gateway.kind, demo.workspaceId); // the later reports enqueue a check, which finds it disconnected
    expect(await events()).toMatchObject([{ kind: "signup_revoked", state: { reason: "Session has expired" } }]);
  });

  it("a refusal that may be about an older token is checked with the present one", async () => {
    await connect();
    await report(trouble());
    await vi.waitFor(
      async () =>
        expect(await gateway.rows(demo.workspaceId, "select 1 from job where kind = 'account.check'")).toHaveLength(1),
      PATIENCE,
    );
    await gateway.work(gateway.kind, demo.workspaceId);
    expect((await account()).status).toBe("connected");
    expect(await events()).toEqual([]);
  });

  it("other codes never disconnect; only a check that is refused does", async () => {
    await connect();
    const odd = trouble({
      class: "access",
      provider: { code: 10, subcode: null, title: "Permission", details: null, traceId: null },
    });
    gateway.clock.advance(61_000);
    await report(odd);
    await vi.waitFor(
      async () =>
        expect(await gateway.rows(demo.workspaceId, "select 1 from job where kind = 'account.check'")).toHaveLength(1),
      PATIENCE,
    );
    await gateway.work(gateway.kind, demo.workspaceId);
    expect((await account()).status).toBe("connected");

    simulator.setTokenDeath("9001", 463);
    gateway.clock.advance(5_000);
    await report(odd);
    await vi.waitFor(
      async () =>
        expect(await gateway.rows(demo.workspaceId, "select 1 from job where kind = 'account.check'")).toHaveLength(2),
      PATIENCE,
    );
    await gateway.work(gateway.kind, demo.workspaceId);
    expect((await account()).status).toBe("disconnected");
    expect(await events()).toHaveLength(1);
    expect(await gateway.senders.ofWorkspace(demo.workspaceId)).toMatchObject([{ usable: false }]);
  });

  it("of another workspace's account changes nothing", async () => {
    const { body } = await connect();
    const stranger = await gateway.workspace();
    gateway.clock.advance(61_000);
    gateway.senders.reportAccountTrouble(
      { workspaceId: stranger, businessAccountId: accountUuid(body.id), accountChangedAt: 0 },
      trouble(),
    );
    await vi.waitFor(async () => expect(await gateway.rows(stranger, "select 1 from job")).toHaveLength(1), PATIENCE);
    await gateway.work(gateway.kind, stranger);
    expect((await account()).status).toBe("connected");
  });
});
