import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Pair, startPair, template } from "../testing/provider.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());
beforeEach(async () => {
  pair.simulator.reset();
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const NEW = {
  name: "parcel_here",
  language: "de",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Hallo {{1}}, dein Paket ist da.", example: { body_text: [["Ana"]] } }],
};
const submit = (change: Record<string, unknown> = {}) =>
  pair.call("POST", "/v26.0/9001/message_templates", { ...NEW, ...change });
const list = async (query = "") => (await pair.call("GET", `/v26.0/9001/message_templates${query}`)).body;
const events = () => pair.receiver.changes().map((change) => change.value);

test("submitted, pending, approved by control, sendable; the callback's id is an integer beyond 2^53", async () => {
  const { status, body } = await submit();
  expect([status, body.status, body.category]).toEqual([200, "PENDING", "UTILITY"]);
  const message = template("+15550001111", "parcel_here", [
    { type: "body", parameters: [{ type: "text", text: "Ana" }] },
  ]);
  message.template.language.code = "de";
  expect((await pair.send(message)).body.error.code).toBe(132001);
  const decided = await pair.call("POST", `/sim/templates/${body.id}/decide`, { status: "APPROVED" });
  expect(decided.body).toMatchObject({ id: body.id, status: "APPROVED", reported: true });
  expect((await pair.send(message)).status).toBe(200);
  await pair.receiver.until(() => pair.receiver.posts.length > 0);
  expect(pair.receiver.posts[0]?.raw).toContain(`"message_template_id":${body.id},`);
  expect(BigInt(body.id)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
  expect(String(Number(body.id))).not.toBe(body.id);
  expect((await pair.call("GET", `/v26.0/${body.id}`)).body).toMatchObject({ ...NEW, id: body.id, status: "APPROVED" });
});

test("approved by itself after the review delay, unless it was decided or deleted meanwhile", async () => {
  // Longer than the calls below take on a busy machine: the review must not end before the decision and the deletion.
  pair.simulator.setDelays({ reviewMs: 2_000 });
  await submit();
  const { id } = (await submit({ name: "rejected_first" })).body;
  pair.simulator.decideTemplate(id, { status: "REJECTED", reason: "SCAM" });
  await submit({ name: "deleted_first" });
  await pair.call("DELETE", "/v26.0/9001/message_templates?name=deleted_first");
  await submit({ name: "last_one" });
  const seen = () => events().map((value) => `${value["event"]} ${value["message_template_name"]}`);
  await pair.receiver.until(() => seen().includes("APPROVED last_one"));
  expect(seen().toSorted()).toEqual([
    "APPROVED last_one",
    "APPROVED parcel_here",
    "PENDING_DELETION deleted_first",
    "REJECTED rejected_first",
  ]);
  expect((await list("?name=rejected_first")).data).toMatchObject([{ status: "REJECTED", rejected_reason: "SCAM" }]);
});

test("pages follow each other without gaps while templates come and go", async () => {
  for (let n = 0; n < 5; n += 1) await submit({ name: `page_${n}` });
  const names: string[] = [];
  let path: string | undefined = "/v26.0/9001/message_templates?limit=3&fields=name";
  while (path !== undefined) {
    const { body } = await pair.call("GET", path);
    expect(Object.keys(body.data[0]).toSorted()).toEqual(["id", "name"]);
    names.push(...body.data.map((one: { name: string }) => one.name));
    // Deleted while we read: those behind it must not shift onto the page already read.
    if (names.length === 3) await pair.call("DELETE", "/v26.0/9001/message_templates?name=order_ready");
    expect(body.paging.cursors.after).toBeTypeOf("string");
    path = body.paging.next?.slice(pair.simulator.url.length);
  }
  expect(names).toHaveLength(11);
  expect(new Set(names).size).toBe(11);
  expect((await list("?status=PENDING&limit=2")).data).toHaveLength(2);
  expect((await list("?after=foreign")).error.code).toBe(131059);
});

test("delete: one language by id, all by name; the name is locked afterwards", async () => {
  const german = (await submit()).body.id;
  const english = (await submit({ language: "en_US" })).body.id;
  pair.simulator.decideTemplate(english, { status: "APPROVED" });
  const remove = (query: string) => pair.call("DELETE", `/v26.0/9001/message_templates?${query}`);
  expect((await remove(`name=parcel_here&hsm_id=${german}`)).body).toEqual({ success: true });
  expect((await list("?name=parcel_here")).data).toMatchObject([{ language: "en_US" }]);
  expect((await remove("name=parcel_here")).body).toEqual({ success: true });
  expect((await remove("name=parcel_here")).body.error).toMatchObject({ code: 100 });
  expect((await submit()).body.error).toMatchObject({ code: 100, error_subcode: 2388023 });
});

test("an edit replaces the content and goes back to review", async () => {
  const id = "1689556908129832";
  const components = [{ type: "BODY", text: "Changed {{1}} now.", example: { body_text: [["it"]] } }];
  expect((await pair.call("POST", `/v26.0/${id}`, { components })).body.success).toBe(true);
  expect((await pair.call("GET", `/v26.0/${id}`)).body).toMatchObject({ status: "PENDING", components });
  expect((await pair.call("POST", `/v26.0/${id}`, { components })).body.error.error_subcode).toBe(2388039);
});

test("limits count characters, and an emoji is one", async () => {
  const textOf = (body: number, footer: number) => ({
    components: [
      { type: "BODY", text: "🎉".repeat(body) },
      { type: "FOOTER", text: "🎉".repeat(footer) },
    ],
  });
  expect((await submit(textOf(1_024, 60))).status).toBe(200);
  expect((await submit({ name: "b", ...textOf(1_025, 60) })).body.error.error_subcode).toBe(2388040);
  expect((await submit({ name: "c", ...textOf(1_024, 61) })).body.error.error_subcode).toBe(2388073);
});

describe("a submission that does not fit is refused", () => {
  const bodyText = (text: string) => ({ components: [{ type: "BODY", text }] });
  test.each([
    [{ name: "Big" }, undefined],
    [{ category: "NEWS" }, undefined],
    [{ language: "german" }, undefined],
    [{ components: [] }, undefined],
    [{ components: ["BODY"] }, undefined],
    [bodyText("{{1}} leads"), 2388299],
    [bodyText("trails {{1}}"), 2388299],
    [bodyText("gap {{1}} and {{3}}."), 2388072],
    [bodyText("x".repeat(1025)), 2388040],
    [{ name: "order_ready", language: "en_US" }, 2388024],
  ])("%j", async (change, subcode) => {
    const { status, body } = await submit(change);
    expect([status, body.error.code, body.error.error_subcode]).toEqual([400, 100, subcode]);
  });
});
