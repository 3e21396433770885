import { expect, test } from "vitest";
import { callbackOf, postCallback } from "../../testing/callback.ts";
import { startSenders } from "../messages/testing/senders.ts";

const { gateway, mine, theirs, sentTo } = await startSenders({ API_RATE_LIMIT: "off" });

const asked = encodeURIComponent;
const find = async (phone: string, of = mine): Promise<string[]> =>
  (await of.call("GET", `/v1/contacts?phone=${asked(phone)}`)).body.data.map(({ id }: { id: string }) => id);

/** One German number as people write and copy it. */
const FORMS = [
  "+49301234567",
  "\u202a+49 30 1234567\u202c",
  "\u2066+49\u00a030\u00a01234567\u2069",
  "\ufeff+49\u200b30\u200b1234567",
  "+49 30/1234567",
  "+49 (0)30/123.45.67\ufe0f",
  "＋４９３０１２３４５６７",
  "+٤٩٣٠١٢٣٤٥٦٧",
  "tel:+49-30-1234567",
];

test("a number is one person's whatever is copied along with it, wherever it is read", async () => {
  const first = await mine.call("POST", "/v1/contacts", { body: { phone: FORMS[1], name: "Ana" } });
  expect(first).toMatchObject({ status: 201, body: { phone: "+49301234567" } });
  const { id } = first.body;
  for (const form of FORMS) {
    const again = await mine.call("POST", "/v1/contacts", { body: { phone: form } });
    expect([form, again.status, again.text.includes(id)]).toEqual([form, 409, true]);
    expect(await find(form)).toEqual([id]);
    const filter = { field: "phone", op: "eq", value: form };
    const segment = await mine.call("POST", "/v1/segments", { body: { name: `s ${form}`, filter } });
    expect([form, segment.body.count]).toEqual([form, 1]);
    const sent = await mine.send(form);
    expect(sent).toMatchObject({ status: 202, body: { to: "+49301234567", contact_id: id } });
    expect((await mine.call("GET", `/v1/messages?to=${asked(form)}&limit=100`)).body.data).toContainEqual(
      expect.objectContaining({ id: sent.body.id }),
    );
    expect(await find(form, theirs)).toEqual([]);
  }
  await expect.poll(() => sentTo("+49301234567").length).toBe(FORMS.length);
  const part = { field: "phone", op: "contains", value: "\u202a30/123\u202c" };
  expect((await mine.call("POST", "/v1/segments", { body: { name: "part", filter: part } })).body.count).toBe(1);
  for (const q of ["\u202a30 / 1234567", "49\u201130", "\u200e+49 30 1234567"])
    expect((await mine.call("GET", `/v1/contacts?q=${asked(q)}`)).body.data).toMatchObject([{ id }]);
});

test("a sender is named as any number is, and a callback's person too", async () => {
  const [code, rest] = [mine.account.phone.slice(0, 2), mine.account.phone.slice(2)];
  const from = `\u202a${code}\u00a0${rest}\u202c`;
  const sent = await mine.send("+15552300001", { from });
  expect(sent).toMatchObject({ status: 202, body: { from: mine.account.phone } });
  const wrong = await mine.send("+15552300001", { from: "+1 555 1x" });
  expect(wrong).toMatchObject({ status: 422, body: { code: "reference_not_found", errors: [{ pointer: "/from" }] } });
  expect(wrong.body.detail).toContain("`x` (U+0078)");
  const contact = await mine.call("POST", "/v1/contacts", { body: { phone: "+15552300002" } });
  const message = { from: "\u200e15552300002", id: "wamid.marked", type: "text", text: { body: "Hi" } };
  const timestamp = String(Math.floor(gateway.clock.now() / 1_000));
  const value = { contacts: [{ wa_id: "15552300002\u200e" }], messages: [{ ...message, timestamp }] };
  expect((await postCallback(gateway, callbackOf(mine.account, value))).status).toBe(200);
  const got = await mine.call("GET", `/v1/messages?direction=inbound&contact_id=${contact.body.id}`);
  expect(got.body.data).toMatchObject([{ from: "+15552300002" }]);
});

test("a text that is no number is refused with what is wrong about it, and with nothing else of it", async () => {
  const cases = [
    ["+1555230\u20280003", "U+2028, which cannot be seen"],
    ["0049 30 1234567", "`00` in place of `+`"],
    ["+49 30 1234567/68", "behind the area code"],
    ["+1 555 230 0003 ext 5", "`e` (U+0065)"],
  ] as const;
  for (const [phone, why] of cases) {
    const replies = [await mine.send(phone), await mine.call("POST", "/v1/contacts", { body: { phone } })];
    for (const { status, body } of replies) {
      expect([status, body.code]).toEqual([422, "invalid_phone_number"]);
      expect(body.detail).toContain(why);
      expect(body.detail).not.toContain("1234567");
    }
    const rows = [{ phone }, { phone: "+15552300004" }];
    const batch = await mine.call("POST", "/v1/contacts/batch", { body: { contacts: rows } });
    expect(batch.body.data).toMatchObject([{ index: 0, error: { code: "invalid_phone_number" } }, { index: 1 }]);
    expect(batch.body.data[0].error.detail).toContain(why);
    const filter = { field: "phone", op: "eq", value: phone };
    const segment = await mine.call("POST", "/v1/segments", { body: { name: "none", filter } });
    expect(segment.status).toBe(400);
    expect(segment.body.detail).toContain(why);
  }
});

test("an id is read without what is copied along with it, as a number is", async () => {
  const { id } = (await mine.call("POST", "/v1/contacts", { body: { phone: "+15552300011" } })).body;
  const userId = "US.15552300012";
  const of = await mine.send(userId);
  for (const mark of ["\u200b", "\ufeff", "\u202a", "\u00a0", "\ufe0f"]) {
    const [contact, user] = [`${mark}${id}${mark}`, `${mark}${userId}${mark}`];
    expect(await mine.send(contact)).toMatchObject({ status: 202, body: { contact_id: id } });
    expect(await mine.send(user)).toMatchObject({ status: 202, body: { contact_id: of.body.contact_id } });
    expect((await mine.send(id, { from: `${mark}${mine.phoneNumberId}${mark}` })).status).toBe(202);
    expect(await find(contact)).toEqual([id]);
    expect(await find(user)).toEqual([of.body.contact_id]);
    const messages = [contact, user].map((to) => ({ to, type: "text", text: { body: "Hi" } }));
    const validated = await mine.call("POST", "/v1/messages/validate", { body: messages[0] });
    expect([mark, validated.text.includes("invalid_phone_number")]).toEqual([mark, false]);
  }
  expect((await mine.send(`con_${"\u200b"}x`)).body).toMatchObject({ code: "reference_not_found" });
});
