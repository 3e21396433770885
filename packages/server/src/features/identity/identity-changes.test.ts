import { describe, expect, it } from "vitest";
import { formatId } from "../../lib/ids.ts";
import { callbackOf, postCallback, statusOf, textFrom } from "../../testing/callback.ts";
import { startSenders } from "../messages/testing/senders.ts";
import { changeOf, PATIENCE, peopleOf } from "./testing/people.ts";

const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" });
const { post, hear, hearParent, find, seconds } = peopleOf(gateway, mine);

describe("a change of number", () => {
  it("moves the person, whose old number names nobody; a stranger there is somebody else", async () => {
    const person = await hear("15557780001", "US.MOVER1");
    await post(changeOf("15557780001", "15557780002", seconds(), { old: "US.MOVER1", new: "US.MOVER1B" }));
    expect(await find("+15557780001")).toBeUndefined();
    expect(await find("+15557780002")).toMatchObject({ user_id: "US.MOVER1B", phone: "+15557780002" });
    const next = await hear("15557780001", "US.STRANGER");
    expect(next).not.toBe(person);
    expect(await hear("15557780002", "US.MOVER1B")).toBe(person);
  });

  it.each(["before", "after"])(
    "in the same callback as a text from the old number, %s it, loses neither",
    async (place) => {
      const [from, to] = place === "before" ? ["15557780161", "15557780162"] : ["15557780171", "15557780172"];
      const at = seconds();
      const person = await hear(from, null, { timestamp: String(at - 60) });
      const text = textFrom(from, `wamid.beside.${from}`, "My new number follows", (at - 2) * 1_000);
      const change = changeOf(from, to, at);
      await post(...(place === "before" ? [text, change] : [change, text]));
      expect(
        await mine.rows("select contact_id from message_state where provider_message_id = $1", [
          `wamid.beside.${from}`,
        ]),
      ).toEqual([{ contact_id: person }]);
      expect(await hear(to)).toBe(person);
    },
  );

  it("of hands takes every form of the number from its former owner", async () => {
    const former = await hear("553181000009", "BR.FORMER");
    expect(await hear("5531981000009", "BR.FORMER")).toBe(former);
    expect(await hear("5531981000009", "BR.NEXT")).not.toBe(former);
    for (const form of ["+553181000009", "+5531981000009"])
      expect(await find(form)).toMatchObject({ user_id: "BR.NEXT" });
    expect(await mine.rows("select phone, wa_id, user_id from contact where id = $1", [former])).toEqual([
      { phone: null, wa_id: null, user_id: "BR.FORMER" },
    ]);
  });

  it.each([{ order: [0, 1, 2] }, { order: [2, 1, 0] }, { order: [1, 0, 2, 1] }, { order: [2, 0, 1, 0, 2] }])(
    "over three numbers ends at the last one, in the order $order, while contacts are being merged",
    async ({ order }) => {
      // In the past: a time of the provider that lies ahead counts as now.
      const at = seconds() - 60;
      const move = async (base: string): Promise<void> => {
        const numbers = ["0", "1", "2", "3"].map((digit) => `${base}${digit}`) as [string, string, string, string];
        const person = await hear(numbers[0], null, { timestamp: String(at - 1) });
        const changes = [0, 1, 2].map((n) => changeOf(numbers[n] ?? "", numbers[n + 1] ?? "", at + n));
        for (const n of order) await post(changes[n] ?? {});
        const named = async () =>
          await mine.rows(
            `select i.value, coalesce(c.merged_into, c.id) = (
               select coalesce(p.merged_into, p.id) from contact p where p.id = $2) as is_person
             from identifier i join contact c on c.workspace_id = i.workspace_id and c.id = i.contact_id
             where i.kind = 'phone' and i.until is null and i.value = any($1)`,
            [numbers, person],
          );
        await expect.poll(named, PATIENCE).toEqual([{ value: numbers[3], is_person: true }]);
        const found = await Promise.all(numbers.map(async (number) => (await find(`+${number}`))?.phone ?? null));
        expect(found).toEqual([null, null, null, `+${numbers[3]}`]);
      };
      const bases = Array.from({ length: 8 }, (_, n) => `155578${order.join("").padEnd(3, "9").slice(0, 3)}${n}`);
      await Promise.all(bases.map(move));
    },
  );

  it("ends every form of the old number, and shows the new one", async () => {
    const mover = await hear("541112340031", "AR.MOVER", { timestamp: String(seconds() - 60) });
    expect(await hear("5491112340031", "AR.MOVER", { timestamp: String(seconds() - 59) })).toBe(mover);
    await post(changeOf("5491112340031", "5491112340032", seconds(), { old: "AR.MOVER", new: "AR.MOVER2" }));
    for (const old of ["+541112340031", "+5491112340031"]) expect(await find(old)).toBeUndefined();
    expect(await find("+5491112340032")).toMatchObject({ user_id: "AR.MOVER2", phone: "+5491112340032" });
  });

  it("that is reported again, by another of our numbers and a second later, moves nothing; nor does one to oneself", async () => {
    const at = seconds() - 60;
    const person = await hear("15557780131", null, { timestamp: String(at - 1) });
    await post(changeOf("15557780131", "15557780132", at));
    await post(changeOf("15557780131", "15557780132", at + 1));
    await post(changeOf("15557780132", "15557780132", at + 2));
    expect(await hear("15557780132")).toBe(person);
  });

  it("is not that of the number's former owner, who has another user id", async () => {
    const former = await hear("15557780141", "US.FORMER1", { timestamp: String(seconds() - 60) });
    await post(changeOf("15557780141", "15557780142", seconds() - 30, { old: "US.MOVED1", new: "US.MOVED2" }));
    expect((await find("+15557780142"))?.user_id).toBe("US.MOVED2");
    expect(await hear("15557780141", "US.FORMER1")).toBe(former);
  });

  it.each([null, "US.STALE1"])(
    "makes one of nobody by what is said late of a message to the former owner, user id %s",
    async (userId) => {
      const digit = userId === null ? 0 : 1;
      const [number, before] = [`155577801${digit}51`, `155577801${digit}52`];
      const at = seconds() - 60;
      const former = await hear(number, userId, { timestamp: String(at - 40) });
      const { body } = await mine.send(`+${number}`);
      const { provider_message_id } = await mine.becomes(body.id, "accepted");
      const owner = await hear(before, null, { timestamp: String(at - 30) });
      await post(changeOf(before, number, at));
      await post(statusOf(provider_message_id, "read", (at - 10) * 1_000, { recipient_id: number }));
      await mine.becomes(body.id, "read");
      await gateway.features.services.identityResolver.resolve();
      const rows = await mine.rows("select id from contact where id = any($1) and merged_into is null", [
        [former, owner],
      ]);
      expect(rows).toHaveLength(2);
    },
  );

  it("does not make a stranger of who wrote before it, nor leave their number to the next one", async () => {
    const at = seconds() - 60;
    const mover = await hear("15557780101", null, { timestamp: String(at - 10) });
    await post(changeOf("15557780101", "15557780102", at));
    expect(await hear("15557780101", null, { timestamp: String(at - 5) })).toBe(mover);
    const next = await hear("15557780101", null, { timestamp: String(at + 5) });
    expect(next).not.toBe(mover);
    expect(await find("+15557780102")).toMatchObject({ phone: "+15557780102" });
    expect((await find("+15557780101"))?.id).not.toBe((await find("+15557780102"))?.id);
  });

  it("that comes after what a later owner wrote leaves a late message of the former owner a contact of its own", async () => {
    const at = seconds() - 60;
    await post(changeOf("15557780111", "15557780112", at, { old: "US.LATE1", new: "US.LATE2" }));
    const next = await hear("15557780111", "US.LATE3", { timestamp: String(at + 10) });
    const late = await hear("15557780111", "US.LATE4", { timestamp: String(at + 5) });
    expect(late).not.toBe(next);
    expect(await find("+15557780111")).toMatchObject({ user_id: "US.LATE3" });
  });

  it("of the user id alone says nothing of the number that reports it, and in any order ends at the last id", async () => {
    const at = seconds() - 60;
    const person = await hear("15557780121", "US.ID1", { timestamp: String(at - 10) });
    const noticeOf = (old: string, now: string, second: number): object => ({
      messages: [
        {
          from: "15557780121",
          from_user_id: old,
          id: `wamid.id.${now}`,
          timestamp: String(second),
          type: "system",
          system: { type: "user_changed_user_id", body: "changed", user_id: now, previous_user_id: old },
        },
      ],
    });
    await post(noticeOf("US.ID2", "US.ID3", at + 2));
    await post(noticeOf("US.ID1", "US.ID2", at));
    await expect
      .poll(async () => await find("+15557780121"), PATIENCE)
      .toMatchObject({ id: formatId("con", person), user_id: "US.ID3" });
    expect(await hear("15557780121", "US.ID3")).toBe(person);
    expect(await find("US.ID1")).toMatchObject({ user_id: "US.ID3" });
  });

  it("again and again leaves a person the newest names, and those are fifty at most", async () => {
    const at = seconds() - 600;
    for (let n = 0; n < 60; n += 1)
      await hear(`1555770${String(n).padStart(4, "0")}`, "US.CHANGER", { timestamp: String(at + n) });
    const known =
      "select i.value from identifier i join contact c on c.id = i.contact_id where c.user_id = 'US.CHANGER'";
    const values = (await mine.rows<{ value: string }>(known)).map(({ value }) => value);
    expect(values).toHaveLength(50);
    expect(values).toEqual(expect.arrayContaining(["US.CHANGER", "15557700059"]));
    expect(values).not.toContain("15557700005");
    expect(await find("+15557700059")).toMatchObject({ user_id: "US.CHANGER" });
  });

  it.each([
    { order: [0, 1], apart: 0 },
    { order: [1, 0], apart: 0 },
    { order: [0, 1, 0, 1], apart: 1 },
    { order: [1, 0, 1], apart: 1 },
  ])(
    "without user ids between two people who swap numbers within $apart s, in the order $order, leaves each their own",
    async ({ order, apart }) => {
      const at = seconds() - 60;
      const numbers = ["1", "2"].map((digit) => `155578${order.join("").padEnd(4, "0")}${apart}${digit}`);
      const [one = "", two = ""] = numbers;
      const before = { timestamp: String(at - 10) };
      const [a, b] = [await hear(one, null, before), await hear(two, null, before)];
      const notices = [changeOf(one, two, at), changeOf(two, one, at + apart)];
      for (const n of order) await post(notices[n] ?? {});
      expect([await hear(two), await hear(one)]).toEqual([a, b]);
    },
  );

  it.each([
    { writes: false, is: { mover: false, settled: false } },
    { writes: true, is: { mover: true, settled: false } },
  ])(
    "without user ids onto the number of somebody who has not moved, and from it, is the mover's if they wrote between: $writes",
    async ({ writes, is }) => {
      const at = seconds() - 600;
      const before = { timestamp: String(at - 10) };
      const [a, b, c] = ["1", "2", "3"].map((digit) => `155578${writes ? 1 : 2}00${digit}`) as [string, string, string];
      const [mover, settled] = [await hear(a, null, before), await hear(b, null, before)];
      await post(changeOf(a, b, at));
      const wrote = writes ? await hear(b, null, { timestamp: String(at + 30) }) : mover;
      await post(changeOf(b, c, at + 60));
      const next = await hear(c);
      expect({ wrote, is: { mover: next === mover, settled: next === settled } }).toEqual({ wrote: mover, is });
    },
  );

  it.each([
    { ids: { old: "US.STALE11", new: "US.STALE12" }, digit: 1 },
    { ids: {}, digit: 2 },
  ])("is not undone by what is said later of a message from before it, user ids $ids", async ({ ids, digit }) => {
    const [before, after] = [`15557791${digit}11`, `15557791${digit}12`];
    const mover = await hear(before, ids.old ?? null, { timestamp: String(seconds() - 100) });
    const { body } = await mine.send(`+${before}`);
    const { provider_message_id } = await mine.becomes(body.id, "accepted");
    await post(changeOf(before, after, seconds(), ids));
    gateway.clock.advance(5_000);
    const names = { recipient_id: before, ...(ids.old && { recipient_user_id: ids.old }) };
    await post(statusOf(provider_message_id, "read", gateway.clock.now(), names));
    await mine.becomes(body.id, "read");
    await gateway.features.services.identityResolver.resolve();
    expect(await find(`+${before}`)).toBeUndefined();
    const next = await mine.send(`+${after}`);
    await mine.becomes(next.body.id, "accepted");
    expect(gateway.simulator.sent().data.at(-1)?.to).toBe(`+${after}`);
    expect([(await hear(before)) === mover, await hear(after)]).toEqual([false, mover]);
  });

  it("is not undone by the answer to a send that was under way", async () => {
    gateway.simulator.addFault({ kind: "delay", delayMs: 1_500, recipient: "15557791031" });
    const { body } = await mine.send("+15557791031");
    await gateway.simulator.whenSent(1, ({ to }) => to === "+15557791031");
    await post(changeOf("15557791031", "15557791032", seconds()));
    await mine.becomes(body.id, "accepted");
    await gateway.features.services.identityResolver.resolve();
    expect(await hear("15557791031")).not.toBe(await hear("15557791032"));
  });

  it("of user ids that only `system` names, or of a parent id, is followed", async () => {
    const person = await hear(null, "US.IDONLY1", { timestamp: String(seconds() - 60) });
    const system = { type: "user_changed_user_id", user_id: "US.IDONLY2", previous_user_id: "US.IDONLY1" };
    await post({ messages: [{ id: "wamid.idonly", timestamp: String(seconds() - 30), type: "system", system }] });
    expect(await hear(null, "US.IDONLY2")).toBe(person);
    const child = await hearParent("US.ENT.PAR1");
    const parents = { parent_user_id: "US.ENT.PAR2", previous_parent_user_id: "US.ENT.PAR1" };
    const ids = { type: "user_changed_user_id", user_id: "US.PC2", previous_user_id: "US.PC1", ...parents };
    const sender = { from_user_id: "US.PC1", from_parent_user_id: "US.ENT.PAR1" };
    await post({
      messages: [{ ...sender, id: "wamid.parent", timestamp: String(seconds() - 30), type: "system", system: ids }],
    });
    expect(await hear(null, "US.PC2", { from_parent_user_id: "US.ENT.PAR2" })).toBe(child);
  });

  it("of a user id is followed by the field that was withdrawn, too", async () => {
    const person = await hear(null, "US.UPD1", { timestamp: String(seconds() - 60) });
    const { entry } = callbackOf(mine.account, {
      user_id_update: [{ user_id: { previous: "US.UPD1", current: "US.UPD2" }, timestamp: String(seconds() - 30) }],
    }) as { entry: { changes: object[] }[] };
    const changes = entry[0]?.changes.map((change) => ({ ...change, field: "user_id_update" }));
    const callback = { object: "whatsapp_business_account", entry: [{ ...entry[0], changes }] };
    expect((await postCallback(gateway, callback)).status).toBe(200);
    expect(await hear(null, "US.UPD2")).toBe(person);
  });

  it("leaves what the former owner of a number wrote before it was taken with them", async () => {
    const at = seconds() - 60;
    const [mover, former] = [
      await hear("15557820001", null, { timestamp: String(at - 20) }),
      await hear("15557820002", null, { timestamp: String(at - 20) }),
    ];
    await post(changeOf("15557820001", "15557820002", at));
    expect(await hear("15557820002", null, { timestamp: String(at - 10) })).toBe(former);
    expect(await hear("15557820002", null, { timestamp: String(at + 10) })).toBe(mover);
  });

  it("between two people who swap numbers joins nobody", async () => {
    const at = seconds() - 60;
    const before = { timestamp: String(at - 1) };
    const [a, b] = [await hear("15557786001", "US.SWAP1", before), await hear("15557786002", "US.SWAP2", before)];
    await post(changeOf("15557786001", "15557786002", at, { old: "US.SWAP1", new: "US.SWAP1B" }));
    await post(changeOf("15557786002", "15557786001", at + 1, { old: "US.SWAP2", new: "US.SWAP2B" }));
    expect(await hear("15557786002", "US.SWAP1B")).toBe(a);
    expect(await hear("15557786001", "US.SWAP2B")).toBe(b);
  });
});
