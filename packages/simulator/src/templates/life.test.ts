import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Pair, startPair } from "../testing/provider.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let now = Date.UTC(2026, 5, 1);
let pair: Pair;
beforeAll(async () => {
  pair = await startPair({ clock: { nowMs: () => now } });
});
afterAll(() => pair.close());
beforeEach(async () => {
  pair.simulator.reset();
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const TEXT = [{ type: "BODY", text: "Hallo, dein Paket ist da." }];
const submit = (name: string, more: object = {}) =>
  pair.call("POST", "/v26.0/9001/message_templates", {
    name,
    language: "de",
    category: "UTILITY",
    components: TEXT,
    ...more,
  });
const read = async (id: string, fields: string) => (await pair.call("GET", `/v26.0/${id}?fields=${fields}`)).body;
const submitted = async (name: string, more: object = {}): Promise<string> => (await submit(name, more)).body.id;
const edit = (id: string, change: object) => pair.call("POST", `/v26.0/${id}`, change);
const remove = (query: string) => pair.call("DELETE", `/v26.0/9001/message_templates?${query}`);
const subcodeOf = ({ body }: { body: { error?: { error_subcode?: number } } }) => body.error?.error_subcode;

test("what is submitted beside the definition is stored and shown", async () => {
  const more = {
    message_send_ttl_seconds: 600,
    sub_category: "ORDER_STATUS",
    library_template_name: "delivery_update_1",
    cta_url_link_tracking_opted_out: true,
  };
  const id = await submitted("with_more", more);
  expect(await read(id, Object.keys(more).join())).toEqual({ id, ...more });
  expect((await submit("half_a_second", { message_send_ttl_seconds: "600" })).body.error.code).toBe(100);
});

test("an edit without components keeps the rules of category and time too", async () => {
  const id = await submitted("edited_in_part");
  pair.simulator.decideTemplate(id, { status: "REJECTED", reason: "SCAM" });
  for (const change of [{ message_send_ttl_seconds: 29 }, { category: "NEWS" }])
    expect((await edit(id, change)).body.error.code).toBe(100);
  expect((await edit(id, { message_send_ttl_seconds: 60 })).body.success).toBe(true);
});

describe("limits", () => {
  test("an approved template is edited once in 24 hours and 10 times in 30 days, in its category", async () => {
    const id = await submitted("often_edited");
    const approve = () => pair.simulator.decideTemplate(id, { status: "APPROVED" });
    approve();
    expect(subcodeOf(await edit(id, { category: "MARKETING" }))).toBe(2388039);
    for (let day = 0; day < 10; day += 1) {
      expect((await edit(id, { components: TEXT })).body.success).toBe(true);
      approve();
      expect(subcodeOf(await edit(id, { components: TEXT }))).toBe(2388039);
      now += DAY_MS;
    }
    expect((await edit(id, { components: TEXT })).body.error.error_user_msg).toContain("10 times");
    now += 21 * DAY_MS;
    expect((await edit(id, { components: TEXT })).body.success).toBe(true);
    // One that is not approved is edited as often as it is refused.
    for (let times = 0; times < 3; times += 1) {
      pair.simulator.decideTemplate(id, { status: "REJECTED", reason: "SCAM" });
      expect((await edit(id, { category: "MARKETING" })).body.success).toBe(true);
    }
    expect(await read(id, "category,status")).toEqual({ id, category: "MARKETING", status: "PENDING" });
  });

  test("an account creates so many in an hour, and has so many", async () => {
    pair.simulator.setSettings({ templatesPerHour: 2 });
    await submit("one");
    await submit("two");
    expect((await submit("three")).body.error.code).toBe(80_007);
    now += HOUR_MS;
    expect((await submit("three")).status).toBe(200);
    pair.simulator.setSettings({ templatesPerHour: null, templatesPerAccount: 3 });
    const full = await submit("four");
    expect([full.status, subcodeOf(full)]).toEqual([400, 2388019]);
    expect(full.body.error.error_user_title).toBe("Message template limit exceeded");
    const { body } = await pair.call("GET", "/v26.0/9001/message_templates?summary=message_template_limit");
    expect(body.summary).toEqual({ message_template_limit: 3 });
  });

  test("the name of an approved one is locked for 30 days", async () => {
    const id = await submitted("short_lived");
    pair.simulator.decideTemplate(id, { status: "APPROVED" });
    await remove("name=short_lived");
    now += 30 * DAY_MS - 1;
    expect(subcodeOf(await submit("short_lived"))).toBe(2388023);
    now += 1;
    expect((await submit("short_lived")).status).toBe(200);
  });
});

test("deleted by a list of ids; a disabled one stays", async () => {
  const ids = [await submitted("first"), await submitted("second"), await submitted("third")];
  const list = (some: readonly string[]) => `hsm_ids=${encodeURIComponent(JSON.stringify(some))}`;
  expect((await remove(list(ids.slice(0, 2)))).body).toEqual({ success: true });
  expect((await read(ids[0]!, "id")).error.code).toBe(100);
  expect((await read(ids[2]!, "id")).id).toBe(ids[2]);
  pair.simulator.decideTemplate(ids[2]!, { status: "DISABLED" });
  expect(subcodeOf(await remove("name=third"))).toBe(2388039);
  for (const query of [list([]), "hsm_ids=third", list(Array.from({ length: 101 }, String))])
    expect((await remove(query)).body.error.code).toBe(100);
});

test("low quality pauses twice, the second time for longer, and disables the third time; the owner may unpause", async () => {
  const id = await submitted("disliked");
  pair.simulator.decideTemplate(id, { status: "APPROVED" });
  const lower = async () => (await pair.call("POST", `/sim/templates/${id}/low-quality`)).body;
  const unpause = () => pair.call("POST", `/v26.0/${id}/unpause`);
  expect(subcodeOf(await unpause())).toBe(2388039);
  pair.simulator.setDelays({ firstPauseMs: 0 });
  expect(await lower()).toEqual({ id, status: "PAUSED" });
  await expect.poll(async () => (await read(id, "status")).status).toBe("APPROVED");
  pair.simulator.setDelays({ secondPauseMs: null });
  expect((await lower()).status).toBe("PAUSED");
  expect((await unpause()).body).toEqual({ success: true });
  expect((await lower()).status).toBe("DISABLED");
  expect(await read(id, "status,quality_score{score}")).toMatchObject({
    status: "DISABLED",
    quality_score: { score: "RED" },
  });
  await pair.receiver.until(() => pair.receiver.changes().some(({ value }) => value["event"] === "DISABLED"));
  expect((await pair.call("POST", "/v26.0/9002/unpause")).body.error.code).toBe(100);
});
