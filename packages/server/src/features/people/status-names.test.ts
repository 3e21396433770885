import { describe, expect, it } from "vitest";
import { callbackOf, postCallback, statusOf, textFrom } from "../../testing/callback.ts";
import { startSenders } from "../messages/testing/senders.ts";
import { PATIENCE, peopleOf } from "./testing/people.ts";
import { waitingEvidence } from "./testing/waiting-evidence.ts";

// How people call themselves beside statuses, and numbers that one callback writes in two forms.
const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
const { find, text } = peopleOf(gateway, mine);
gateway.simulator.setSettings({ statusContacts: false });

const tell = async (value: object) => {
  expect((await postCallback(gateway, callbackOf(mine.account, value))).status).toBe(200);
};
const now = () => gateway.clock.now();

async function sentTo(phone: string): Promise<{ id: string; contactId: string; wamid: string }> {
  const { body } = await mine.send(phone);
  const { provider_message_id: wamid } = await mine.becomes(body.id, "accepted");
  return { id: body.id, contactId: body.contact_id, wamid };
}
const contact = async (id: string) => (await mine.call("GET", `/v1/contacts/${id}`)).body;
const beside = (digits: string, profile: object, more: object = {}) => ({
  contacts: [{ profile, wa_id: digits, ...more }],
});

describe("names beside statuses", () => {
  it("are learned with the first status of a new person, and again when they change", async () => {
    const { contactId, wamid } = await sentTo("+15557460001");
    const status = (word: string) => statusOf(wamid, word, now(), { recipient_id: "15557460001" });
    await tell({ ...beside("15557460001", { name: "Ana", username: "ana.s" }), ...status("sent") });
    await expect.poll(() => contact(contactId), PATIENCE).toMatchObject({ profile_name: "Ana", username: "ana.s" });
    const { updated_at } = await contact(contactId);
    // Nothing new, in whatever status.
    gateway.clock.advance(1_000);
    await tell({ ...beside("15557460001", { name: "Ana", username: "ana.s" }), ...status("delivered") });
    await tell({ ...beside("15557460001", {}), ...status("read") });
    await expect.poll(() => waitingEvidence(gateway.database.url), PATIENCE).toEqual([]);
    expect(await contact(contactId)).toMatchObject({ profile_name: "Ana", username: "ana.s", updated_at });
    await tell({ ...beside("15557460001", { name: "Ana Sol" }), ...status("played") });
    await expect.poll(() => contact(contactId), PATIENCE).toMatchObject({ profile_name: "Ana Sol", username: "ana.s" });
    expect(await theirs.rows("select 1 from contact")).toEqual([]);
  });

  it("are not learned from a status of a message that failed, or of a group", async () => {
    const { contactId, wamid } = await sentTo("+15557460002");
    const names = beside("15557460002", { name: "Nobody" });
    const more = { recipient_id: "15557460002" };
    await tell({ ...names, ...statusOf(wamid, "sent", now(), { ...more, recipient_participant_id: "15557460002" }) });
    await tell({ ...names, ...statusOf(wamid, "failed", now(), { ...more, errors: [{ code: 131_026 }] }) });
    await expect.poll(async () => (await mine.rows("select 1 from history where bit = 8")).length, PATIENCE).toBe(1);
    await expect.poll(() => waitingEvidence(gateway.database.url), PATIENCE).toEqual([]);
    expect(await contact(contactId)).toMatchObject({ profile_name: null });
  });
});

describe("a number in two forms", () => {
  it.each([
    ["5531987460003", "553187460003"],
    ["5491157460003", "541157460003"],
    ["5215557460003", "525557460003"],
  ])("(%s, %s) is one person, with the names and ids beside it, and found by both", async (from, wa_id) => {
    const value = textFrom(from, `wamid.forms.${from}`, "Hi", now()) as { messages: object[] };
    const user_id = `XX.${from}`;
    await tell({ ...value, ...beside(wa_id, { name: "Bea", username: "bea" }, { user_id }) });
    await expect
      .poll(() => find(from), PATIENCE)
      .toMatchObject({
        wa_id,
        user_id,
        profile_name: "Bea",
        username: "bea",
      });
    const { id } = (await find(from)) ?? {};
    expect(await find(wa_id)).toMatchObject({ id });
    // The form alone, without the person beside it.
    await tell({ ...(textFrom(from, `wamid.again.${from}`, "Hi", now()) as object), contacts: [] });
    expect((await text(`+${from}`)).body).toMatchObject({ contact_id: id });
    const received = await mine.rows<{ contact_id: string }>(
      "select distinct contact_id from message where sender = $1",
      [`+${from}`],
    );
    expect(received).toHaveLength(1);
  });

  it("joins two records that the client wrote to in either form", async () => {
    const [first, second] = [await sentTo("+5491157460004"), await sentTo("+541157460004")];
    expect(first.contactId).not.toBe(second.contactId);
    const value = textFrom("5491157460004", "wamid.both", "Hi", now());
    await tell({ ...value, ...beside("541157460004", { name: "Cleo" }) });
    await expect
      .poll(
        async () => new Set([(await contact(first.contactId)).id, (await contact(second.contactId)).id]).size,
        PATIENCE,
      )
      .toBe(1);
    expect(await contact(first.contactId)).toMatchObject({ profile_name: "Cleo", windows: [{ open: true }] });
  });
});
