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

describe("names that come late", () => {
  const OLD = { name: "Ana Alt", username: "ana.alt" };
  const NEW = { name: "Ana Neu", username: "ana.neu" };
  const seconds = (ms: number) => String(Math.floor(ms / 1_000));
  const ofField = (field: string, value: object) => {
    const callback = callbackOf(mine.account, value) as { entry: { changes: object[] }[] };
    const entry = callback.entry.map((one) => ({
      ...one,
      changes: one.changes.map((change) => ({ ...change, field })),
    }));
    return { ...callback, entry };
  };
  type Late = { digits: string; wamid: string; at: number; user: object };
  it.each<[string, string, (late: Late) => object, boolean]>([
    [
      "a status",
      "11",
      ({ digits, wamid, at, user }) =>
        callbackOf(mine.account, {
          ...beside(digits, OLD, user),
          ...statusOf(wamid, "sent", at, { recipient_id: digits }),
        }),
      false,
    ],
    [
      "a message",
      "12",
      ({ digits, at, user }) =>
        callbackOf(mine.account, { ...textFrom(digits, "wamid.late.12", "Hi", at), ...beside(digits, OLD, user) }),
      false,
    ],
    [
      "a message of a person without a number",
      "13",
      ({ at, user }) => {
        const { messages } = textFrom("", "wamid.late.13", "Hi", at) as { messages: object[] };
        const contacts = [{ profile: OLD, ...user }];
        return callbackOf(mine.account, { contacts, messages: [{ ...messages[0], from: undefined }] });
      },
      true,
    ],
    [
      "a file of the history",
      "14",
      ({ digits, at, user }) =>
        ofField("history", {
          ...textFrom(digits, "wamid.late.14", "Hi", at - 86_400_000),
          ...beside(digits, OLD, user),
        }),
      false,
    ],
    [
      "a call",
      "15",
      ({ digits, at, user }) =>
        ofField("calls", {
          ...beside(digits, OLD, user),
          calls: [
            { id: "wacid.late", from: digits, event: "connect", direction: "USER_INITIATED", timestamp: seconds(at) },
          ],
        }),
      false,
    ],
    [
      "a setting",
      "16",
      ({ digits, at, user }) =>
        ofField("user_preferences", {
          ...beside(digits, OLD, user),
          user_preferences: [
            { wa_id: digits, category: "marketing_messages", value: "stop", timestamp: Number(seconds(at)) },
          ],
        }),
      false,
    ],
  ])(
    "with %s do not replace those said since, and are kept where there are none",
    async (_what, n, late, unnumbered) => {
      const [digits, user] = [`155574610${n}`, { user_id: `US.4610${n}` }];
      const { contactId, wamid } = unnumbered ? { contactId: "", wamid: "" } : await sentTo(`+${digits}`);
      const at = now() - 60_000;
      const person = async () => (unnumbered ? await find(user.user_id) : await contact(contactId));
      // What is older comes first, between, and last.
      const callback = () => late({ digits, wamid, at, user });
      expect((await postCallback(gateway, callback())).status).toBe(200);
      await expect.poll(person, PATIENCE).toMatchObject({ profile_name: OLD.name, username: OLD.username });
      const { messages } = textFrom(digits, `wamid.new.${n}`, "Hi", now()) as { messages: object[] };
      const said = { ...messages[0], ...(unnumbered && { from: undefined }) };
      const contacts = [{ profile: NEW, ...user, ...(unnumbered ? {} : { wa_id: digits }) }];
      await tell({ contacts, messages: [said] });
      await expect.poll(person, PATIENCE).toMatchObject({ profile_name: NEW.name, username: NEW.username });
      const again = JSON.stringify(callback())
        .replaceAll("wamid.late", "wamid.later")
        .replaceAll("wacid.late", "wacid.later");
      expect((await postCallback(gateway, again.replaceAll('"sent"', '"delivered"'))).status).toBe(200);
      await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);
      await expect
        .poll(() => mine.rows("select from job where kind = 'ingress.later' and completed_at is null"), PATIENCE)
        .toEqual([]);
      await expect.poll(() => waitingEvidence(gateway.database.url), PATIENCE).toEqual([]);
      expect(await person()).toMatchObject({ profile_name: NEW.name, username: NEW.username });
      // What is newer in a status is learned.
      if (unnumbered) return;
      gateway.clock.advance(2_000);
      const newer = {
        ...beside(digits, { name: "Ana" }, user),
        ...statusOf(wamid, "read", now(), { recipient_id: digits }),
      };
      await tell(newer);
      await expect.poll(person, PATIENCE).toMatchObject({ profile_name: "Ana", username: NEW.username });
    },
  );

  it("beside statuses of a message to somebody who has lost the number since are those of its next owner", async () => {
    const digits = "15557461021";
    const text = (of: string, at: number) => {
      const { messages } = textFrom(digits, `wamid.${of}`, "Hi", at) as { messages: object[] };
      return {
        ...beside(digits, { name: of }, { user_id: `US.${of}` }),
        messages: [{ ...messages[0], from_user_id: `US.${of}` }],
      };
    };
    await tell(text("FORMER", now() - 60_000));
    const { contactId, wamid } = await sentTo(`+${digits}`);
    await tell(text("NEXT", now()));
    gateway.clock.advance(3_000);
    const names = beside(digits, { name: "NEXT", username: "next" }, { user_id: "US.NEXT" });
    await tell({
      ...names,
      ...statusOf(wamid, "delivered", now(), { recipient_id: digits, recipient_user_id: "US.NEXT" }),
    });
    await tell({
      ...beside(digits, { name: "NEXT", username: "next" }),
      ...statusOf(wamid, "read", now(), { recipient_id: digits }),
    });
    await mine.becomes(
      (await mine.call("GET", `/v1/messages?contact_id=${contactId}&direction=outbound`)).body.data[0].id,
      "read",
    );
    await expect.poll(() => waitingEvidence(gateway.database.url), PATIENCE).toEqual([]);
    expect(await contact(contactId)).toMatchObject({ user_id: "US.FORMER", profile_name: "FORMER", username: null });
    expect(await find(`+${digits}`)).toMatchObject({ user_id: "US.NEXT", profile_name: "NEXT" });
  });
});

it("a name is as long as a client's at most, and ends between characters", async () => {
  const long = `${"N".repeat(255)}😀`.padEnd(100_000, "N");
  const digits = "15557461031";
  await tell({ ...textFrom(digits, "wamid.long", "Hi", now()), ...beside(digits, { name: long, username: long }) });
  await expect
    .poll(() => find(digits), PATIENCE)
    .toMatchObject({ profile_name: "N".repeat(255), username: "N".repeat(255) });
  const { contactId, wamid } = await sentTo("+15557461032");
  const status = statusOf(wamid, "sent", now(), { recipient_id: "15557461032" });
  await tell({ ...beside("15557461032", { name: long }), ...status });
  await expect.poll(() => contact(contactId), PATIENCE).toMatchObject({ profile_name: "N".repeat(255) });
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
