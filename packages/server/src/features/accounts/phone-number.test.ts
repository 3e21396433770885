import { beforeEach, describe, expect, it } from "vitest";
import { connect, gateway, simulator, useDemo, workspaceId } from "./testing/demo.ts";

useDemo();

describe("phone numbers", () => {
  const two = [
    { id: "2001", display_phone_number: "+1 555-200-0001" },
    { id: "2002", display_phone_number: "+1 555-200-0002", throughput: 1_000 },
  ];
  beforeEach(() => {
    simulator.addAccount({ waba_id: "9200", name: "Two", business_id: "7200", token: "EAATWO", phone_numbers: two });
  });
  const connectTwo = () => connect(workspaceId, { provider_account_id: "9200", access_token: "EAATWO" });

  it("have one default, moved by PATCH and never just taken away", async () => {
    await connectTwo();
    const call = gateway.as(workspaceId);
    const list = (await call("GET", "/v1/phone-numbers")).body.data;
    expect(list.filter((one: { is_default: boolean }) => one.is_default)).toHaveLength(1);
    const other = list.find((one: { is_default: boolean }) => !one.is_default);
    const first = list.find((one: { is_default: boolean }) => one.is_default);
    expect(await call("PATCH", `/v1/phone-numbers/${first.id}`, { body: { is_default: false } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/is_default" }] },
    });
    const patched = await call("PATCH", `/v1/phone-numbers/${other.id}`, {
      body: { is_default: true, description: "Support" },
    });
    expect(patched).toMatchObject({ status: 200, body: { is_default: true, description: "Support" } });
    expect((await call("GET", `/v1/phone-numbers/${first.id}`)).body.is_default).toBe(false);
    expect(await gateway.senders.resolve(workspaceId)).toMatchObject({ phone: other.phone });
    expect((await call("PATCH", `/v1/phone-numbers/${other.id}`, { body: { description: null } })).body).toMatchObject({
      is_default: true,
      description: null,
    });
    expect((await call("PATCH", `/v1/phone-numbers/${other.id}`, { body: { lane: 1 } })).status).toBe(400);
    // A later import keeps what is ours.
    await connectTwo();
    expect((await call("GET", `/v1/phone-numbers/${other.id}`)).body.is_default).toBe(true);
  });

  it("move the default under many at once without an error", async () => {
    await connectTwo();
    const call = gateway.as(workspaceId);
    const ids = (await call("GET", "/v1/phone-numbers")).body.data.map((one: { id: string }) => one.id);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        call("PATCH", `/v1/phone-numbers/${ids[n % 2]}`, { body: { is_default: true } }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(
      (await call("GET", "/v1/phone-numbers")).body.data.filter((one: { is_default: boolean }) => one.is_default),
    ).toHaveLength(1);
  });

  it("are found for sending by id, by phone and by lane, for each workspace its own", async () => {
    await connectTwo();
    const other = await gateway.workspace();
    await connect(other);
    // Asked together, answered in one call.
    const asked = [workspaceId, await gateway.workspace(), other].map((one) => gateway.senders.ofWorkspace(one));
    const [mine = [], none = [], theirs = []] = await Promise.all(asked);
    expect([mine.length, none.length, theirs.length]).toEqual([2, 0, 1]);
    expect(await gateway.senders.resolve(workspaceId, "+15552000002")).toMatchObject({
      providerPhoneNumberId: "2002",
      usable: true,
      reason: null,
    });
    expect(await gateway.senders.resolve(workspaceId, theirs[0]!.phone)).toBeNull();
    const list = (await gateway.as(workspaceId)("GET", "/v1/phone-numbers")).body.data;
    expect(await gateway.senders.resolve(workspaceId, list[0].id)).toMatchObject({ phone: list[0].phone });
    const lanes = await gateway.senders.ofLanes([...mine, ...theirs].map((one) => one.lane).concat(999_999));
    expect(lanes.size).toBe(3);
    expect(lanes.get(theirs[0]!.lane)).toMatchObject({
      workspaceId: other,
      providerPhoneNumberId: "1055",
      throughputPerSecond: 80,
      usable: true,
    });
    expect(lanes.get(mine.find((one) => one.phone.endsWith("2"))!.lane)).toMatchObject({
      workspaceId,
      throughputPerSecond: 1_000,
    });
    // A token is read only under its own workspace.
    expect(await gateway.token(other, mine[0]!.businessAccountId)).toBeNull();
  });

  it("that the provider lists no more cannot send", async () => {
    await connectTwo();
    simulator.addAccount({
      waba_id: "9200",
      name: "Two",
      business_id: "7200",
      token: "EAATWO",
      phone_numbers: two.slice(0, 1),
    });
    await connectTwo();
    const senders = await gateway.senders.ofWorkspace(workspaceId);
    expect(senders.find((one) => one.providerPhoneNumberId === "2002")).toMatchObject({
      usable: false,
      reason: "number_disconnected",
    });
  });

  it("are listed in pages", async () => {
    await connectTwo();
    const call = gateway.as(workspaceId);
    const first = (await call("GET", "/v1/phone-numbers?limit=1")).body;
    const second = (await call("GET", `/v1/phone-numbers?limit=1&cursor=${first.next_cursor}`)).body;
    expect([first.data.length, second.data.length, second.next_cursor]).toEqual([1, 1, null]);
    expect(first.data[0].id > second.data[0].id).toBe(true);
    expect((await call("GET", "/v1/business-accounts?cursor=nonsense")).status).toBe(400);
  });
});
