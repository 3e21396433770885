import { beforeEach, describe, expect, it } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import { startDemo } from "../testing/demo.ts";

const demo = await startDemo();
const { connect, gateway, simulator } = demo;

describe("phone numbers", () => {
  const two = [
    { id: "2001", display_phone_number: "+1 555-200-0001" },
    { id: "2002", display_phone_number: "+1 555-200-0002", throughput: 1_000 },
  ];
  beforeEach(() => {
    simulator.addAccount({ waba_id: "9200", name: "Two", business_id: "7200", token: "EAATWO", phone_numbers: two });
  });
  /** Phones of the numbers that sending takes for the default one. */
  const defaults = async (workspaceId: string): Promise<string[]> => {
    const senders = await gateway.senders.ofWorkspace(workspaceId);
    return senders.filter(({ isDefault }) => isDefault).map(({ phone }) => phone);
  };
  const laneOf = async (workspaceId: string, phone: string): Promise<number> => {
    const [row] = await gateway.rows<{ lane: number }>(workspaceId, "select lane from phone_number where phone = $1", [
      phone,
    ]);
    return row!.lane;
  };
  const connectTwo = () => connect(demo.workspaceId, { provider_account_id: "9200", access_token: "EAATWO" });

  it("have one default, which PATCH moves and never removes", async () => {
    await connectTwo();
    const call = gateway.as(demo.workspaceId);
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
    expect(await defaults(demo.workspaceId)).toEqual([other.phone]);
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
    const call = gateway.as(demo.workspaceId);
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

  it("are found for sending by workspace and by lane, each workspace's own", async () => {
    await connectTwo();
    const other = await gateway.workspace();
    await connect(other);
    // Asked together, read in one call.
    const asked = [demo.workspaceId, await gateway.workspace(), other].map((one) => gateway.senders.ofWorkspace(one));
    const [mine = [], none = [], theirs = []] = await Promise.all(asked);
    const usable = { usable: true, reason: null };
    expect(mine).toMatchObject([
      { phone: "+15552000001", ...usable },
      { phone: "+15552000002", ...usable },
    ]);
    expect(none).toEqual([]);
    expect(theirs).toMatchObject([{ phone: "+15559990000", ...usable }]);
    const list = (await gateway.as(demo.workspaceId)("GET", "/v1/phone-numbers")).body.data;
    expect(new Set(list.map(({ id }: { id: string }) => parseId("num", id)))).toEqual(
      new Set(mine.map(({ phoneNumberId }) => phoneNumberId)),
    );
    const [first, second, foreign] = await Promise.all([
      laneOf(demo.workspaceId, "+15552000001"),
      laneOf(demo.workspaceId, "+15552000002"),
      laneOf(other, "+15559990000"),
    ]);
    const lanes = await gateway.senders.ofLanes([first, second, foreign, 999_999]);
    expect(lanes.size).toBe(3);
    expect(lanes.get(foreign)).toMatchObject({
      workspaceId: other,
      providerPhoneNumberId: "1055",
      throughputPerSecond: 80,
      usable: true,
    });
    expect(lanes.get(second)).toMatchObject({
      workspaceId: demo.workspaceId,
      providerPhoneNumberId: "2002",
      throughputPerSecond: 1_000,
    });
    // A token is read only under its own workspace.
    expect(await gateway.token(other, mine[0]!.businessAccountId)).toBeNull();
  });

  it("that the provider no longer lists cannot send", async () => {
    await connectTwo();
    simulator.addAccount({
      waba_id: "9200",
      name: "Two",
      business_id: "7200",
      token: "EAATWO",
      phone_numbers: two.slice(0, 1),
    });
    await connectTwo();
    const senders = await gateway.senders.ofWorkspace(demo.workspaceId);
    expect(senders.find((one) => one.phone === "+15552000002")).toMatchObject({
      usable: false,
      reason: "number_disconnected",
    });
  });

  it("are listed in pages", async () => {
    await connectTwo();
    const call = gateway.as(demo.workspaceId);
    const first = (await call("GET", "/v1/phone-numbers?limit=1")).body;
    const second = (await call("GET", `/v1/phone-numbers?limit=1&cursor=${first.next_cursor}`)).body;
    expect([first.data.length, second.data.length, second.next_cursor]).toEqual([1, 1, null]);
    expect(first.data[0].id > second.data[0].id).toBe(true);
    expect((await call("GET", "/v1/business-accounts?cursor=nonsense")).status).toBe(400);
  });
});
