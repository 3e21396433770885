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

const ID = "1689556908129832";
const NAMED = {
  message_template_id: Number(ID),
  message_template_name: "order_ready",
  message_template_language: "en-US",
};
const say = async (what: string, body: Record<string, unknown>) => {
  const answer = await pair.call("POST", `/sim/templates/${ID}/${what}`, body);
  await pair.simulator.idle();
  return answer;
};
const said = () => pair.receiver.changes().map(({ field, value }) => ({ field, ...value }));
const FIELDS = "status,category,rejected_reason,quality_score,correct_category,previous_category,components";
const state = async () => (await pair.call("GET", `/v26.0/${ID}?fields=${FIELDS}`)).body;

describe("events of the status", () => {
  test.each([
    ["APPROVED", "APPROVED", []],
    ["REJECTED", "REJECTED", ["rejection_info"]],
    ["PENDING", "PENDING", []],
    ["IN_APPEAL", "IN_APPEAL", []],
    ["PAUSED", "PAUSED", ["other_info"]],
    ["DISABLED", "DISABLED", ["disable_info", "other_info"]],
    ["FLAGGED", "APPROVED", []],
    ["REINSTATED", "APPROVED", []],
    ["PENDING_DELETION", "PENDING_DELETION", []],
    ["DELETED", "DELETED", []],
    ["LIMIT_EXCEEDED", "LIMIT_EXCEEDED", []],
    ["LOCKED", "APPROVED", []],
    ["ARCHIVED", "ARCHIVED", []],
    ["UNARCHIVED", "APPROVED", []],
  ])("%s leaves the template %s", async (status, after, extras) => {
    expect((await say("decide", { status })).body).toMatchObject({ id: ID, status: after, reported: true });
    expect(said()).toMatchObject([{ field: "message_template_status_update", event: status, ...NAMED }]);
    const [change] = said();
    expect(Object.keys(change!).filter((key) => key.endsWith("_info"))).toEqual(extras);
    expect((await state()).status).toBe(after);
  });

  test("the second pause is longer, and what is approved after a pause says so", async () => {
    for (const status of ["PAUSED", "APPROVED", "PAUSED"]) await say("decide", { status });
    expect(said().map((change) => Object(change)["other_info"].title)).toEqual([
      "FIRST_PAUSE",
      "UNPAUSE",
      "SECOND_PAUSE",
    ]);
  });

  test("the reason of a rejection is in both, and extras that are given replace the usual ones", async () => {
    await say("decide", { status: "REJECTED", reason: "SCAM" });
    await say("decide", { status: "DISABLED", extra: {} });
    expect(said()).toEqual([
      expect.objectContaining({ event: "REJECTED", reason: "SCAM" }),
      expect.not.objectContaining({ disable_info: expect.anything() }),
    ]);
    await say("decide", { status: "REJECTED", reason: "SCAM" });
    expect((await state()).rejected_reason).toBe("SCAM");
  });
});

test("quality: the score is in the callback and in the template", async () => {
  await say("quality", { score: "GREEN" });
  await say("quality", { score: "RED" });
  const field = "message_template_quality_update";
  expect(said()).toMatchObject([
    { field, previous_quality_score: "UNKNOWN", new_quality_score: "GREEN" },
    { field, previous_quality_score: "GREEN", new_quality_score: "RED" },
  ]);
  expect((await state()).quality_score.score).toBe("RED");
});

test("category: announced a day ahead, then done, and counted from then on", async () => {
  await say("category", { category: "MARKETING", impending: true });
  expect(await state()).toMatchObject({ category: "UTILITY", correct_category: "MARKETING" });
  const [impending] = said();
  expect(impending).toMatchObject({ ...NAMED, correct_category: "MARKETING", new_category: "UTILITY" });
  expect(Object(impending)["category_update_timestamp"]).toBeGreaterThan(Date.now() / 1000 + 86_000);
  await say("category", { category: "MARKETING" });
  expect(said()[1]).toMatchObject({ ...NAMED, previous_category: "UTILITY", new_category: "MARKETING" });
  expect(await state()).toMatchObject({ category: "MARKETING", previous_category: "UTILITY" });
  await pair.send(template("+15550001111"));
  await pair.simulator.idle();
  expect(pair.receiver.statuses()[0]?.["pricing"].category).toBe("marketing");
});

test("components: the callback has the texts, and the template what was given", async () => {
  const components = [
    { type: "HEADER", format: "TEXT", text: "Order" },
    { type: "BODY", text: "Hi {{1}}, it is here." },
    { type: "BUTTONS", buttons: [{ type: "URL", text: "Open", url: "https://shop.example" }] },
  ];
  await say("components", { components });
  expect(said()).toEqual([
    {
      field: "message_template_components_update",
      ...NAMED,
      message_template_title: "Order",
      message_template_element: "Hi {{1}}, it is here.",
      message_template_buttons: [
        {
          message_template_button_type: "URL",
          message_template_button_text: "Open",
          message_template_button_url: "https://shop.example",
        },
      ],
    },
  ]);
  expect((await state()).components).toEqual(components);
  expect((await pair.send(template("+15550001111"))).body.error.code).toBe(132000);
});

test.each([
  ["decide", { status: "PAUSED" }],
  ["quality", { score: "RED" }],
  ["category", { category: "MARKETING" }],
  ["components", {}],
])("%s without a name, without effect, without callback", async (what, body) => {
  const before = await state();
  expect((await say(what, { ...body, without_name: true, apply: false })).body.reported).toBe(true);
  expect(said()).toMatchObject([{ message_template_id: Number(ID) }]);
  expect(said()[0]).not.toHaveProperty("message_template_name");
  expect(said()[0]).not.toHaveProperty("message_template_language");
  expect(await state()).toEqual(before);
  const { reported, update } = (await say(what, { ...body, report: false })).body;
  expect([reported, said().length]).toEqual([false, 1]);
  expect(JSON.stringify(await state()) === JSON.stringify(before)).toBe(what === "components");
  // What was returned can be sent, with the id as the integer that it is on the wire.
  await pair.call("POST", "/sim/updates", update);
  await pair.simulator.idle();
  expect(said()[1]).toMatchObject(NAMED);
});

test("there is no such template", async () => {
  expect((await pair.call("POST", "/sim/templates/1/quality", { score: "RED" })).status).toBe(404);
});
