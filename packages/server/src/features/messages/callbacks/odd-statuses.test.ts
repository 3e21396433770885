import { afterAll, describe, expect, it } from "vitest";
import { statusOf } from "../../../testing/callback.ts";
import { testEngine } from "../../../testing/engine.ts";
import { REPORTED_PATIENCE, reportingOf } from "../testing/reported.ts";
import { startSenders } from "../testing/senders.ts";
import { joinParked, OF_INBOUND_MESSAGE } from "./status.store.ts";

// Statuses that say nothing of how far a message came, or are of a message that was not sent.
const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
const { tell, text, shown, history, forget, setAside, events, close } = reportingOf(gateway);
const engine = testEngine(gateway.database.url);
afterAll(close);

const status = (id: string, word: string, more: object = {}) => statusOf(id, word, gateway.clock.now(), more);
const entries = ({ history: all }: { history: { status: string }[] }) => all.map((entry) => entry.status).toSorted();
const parked = async () =>
  (await engine.rows("select 1 from parked_status where provider_message_id like 'wamid.in.%'")).length;

describe("deleted and warning", () => {
  it.each(["accepted", "delivered"])(
    "are in the history and events of a message that is %s, once, and change nothing else",
    async (before) => {
      const seen = await events(mine);
      const { id } = (await mine.send("+15557430001")).body;
      const { provider_message_id: wamid } = await mine.becomes(id, "accepted");
      if (before === "delivered") await tell(mine, status(wamid, "delivered"));
      await mine.becomes(id, before);
      const shownBefore = await shown(mine, wamid);
      for (const word of ["deleted", "warning", "deleted"]) await tell(mine, status(wamid, word));
      expect(entries(await history(mine, wamid))).toEqual(
        ["accepted", "deleted", "warning", ...(before === "delivered" ? [before] : [])].toSorted(),
      );
      expect(await shown(mine, wamid)).toEqual(shownBefore);
      const odd = () =>
        seen()
          .filter(({ kind }) => kind === "message_deleted" || kind === "warning")
          .map(({ kind, category, data }) => [kind, category, data.status, data.error, data.message.status])
          .toSorted();
      await expect.poll(odd, REPORTED_PATIENCE).toEqual([
        ["message_deleted", "message_status", "deleted", null, before],
        ["warning", "message_status", "warning", null, before],
      ]);
      await tell(mine, status(wamid, "read"));
      await mine.becomes(id, "read");
    },
  );

  it("do not settle a lost answer", async () => {
    const to = "+15557430002";
    gateway.simulator.addFault({ kind: "reset", accept: true, recipient: to });
    const { id } = (await mine.send(to)).body;
    await mine.becomes(id, "unknown");
    const [sent] = gateway.simulator.sent({ to }).data;
    const tellOf = (word: string) =>
      tell(mine, status(sent?.id ?? "", word, { biz_opaque_callback_data: sent?.opaque ?? "" }));
    for (const word of ["deleted", "warning"]) await tellOf(word);
    const read = async () => (await mine.call("GET", `/v1/messages/${id}`)).body;
    expect(entries(await read())).toEqual(["deleted", "unknown", "warning"]);
    expect(await read()).toMatchObject({ status: "unknown", final: false });
    expect(await mine.rows("select state from dispatch")).toHaveLength(1);
    await tellOf("delivered");
    await mine.becomes(id, "delivered");
  });
});

describe("a status of an inbound message", () => {
  it.each(["of this version", "of an earlier one"])(
    "is set aside and changes nothing, where its row is %s",
    async (version) => {
      const id = `wamid.in.${version}`;
      await tell(mine, text("15557430003", id));
      await shown(mine, id);
      if (version !== "of this version") await forget(mine);
      const message = await shown(mine, id);
      const before = (await setAside()).length;
      const sent = (await mine.send("+15557430004")).body;
      const { provider_message_id: wamid } = await mine.becomes(sent.id, "accepted");
      // Beside one that is taken, at once; then behind another one, through the queue.
      await tell(mine, status(id, "read"), status(wamid, "delivered"));
      await mine.becomes(sent.id, "delivered");
      await tell(mine, status(id, "failed", { errors: [{ code: 131_031, title: "Account locked" }] }), { unheard: [] });
      const reasons = async () => (await setAside()).filter((reason) => reason === OF_INBOUND_MESSAGE);
      await expect
        .poll(async () => (await reasons()).length, REPORTED_PATIENCE)
        .toBe(version === "of this version" ? 2 : 4);
      expect((await setAside()).length).toBe(before + 3);
      expect(await history(mine, id)).toEqual({ ...message, history: [] });
      const kinds = await mine.rows<{ kind: string }>(
        "select e.kind from event e join message m on m.workspace_id = e.workspace_id and m.id = e.message_id where not m.outbound",
      );
      expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(["messages"]));
      expect((await mine.rows<{ status: string }>("select status from business_account"))[0]?.status).toBe("connected");
      expect(await theirs.rows("select 1 from event")).toEqual([]);
    },
  );

  it("that came before it waits no longer than until the next look, and is set aside", async () => {
    const before = (await setAside()).length;
    await tell(mine, status("wamid.in.later", "read"));
    await expect.poll(parked, REPORTED_PATIENCE).toBe(1);
    await tell(mine, text("15557430005", "wamid.in.later"));
    const message = await shown(mine, "wamid.in.later");
    const { db, clock } = gateway.app;
    await expect
      .poll(async () => {
        await db.call(joinParked, [{ up_to: new Date(clock.now() + 3_600_000).toISOString() }], clock.now());
        return await parked();
      }, REPORTED_PATIENCE)
      .toBe(0);
    expect(await history(mine, "wamid.in.later")).toEqual({ ...message, history: [] });
    expect((await setAside()).length).toBe(before + 1);
    const [row] = (await gateway.operator("GET", "/admin/v1/quarantine?limit=1")).body.data;
    expect(row).toMatchObject({
      reason: OF_INBOUND_MESSAGE,
      provider_phone_number_id: mine.account.providerPhoneNumberId,
    });
  });
});
