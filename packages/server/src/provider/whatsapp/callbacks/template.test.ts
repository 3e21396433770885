import { describe, expect, test } from "vitest";
import { changesOf, parseChange } from "../testing/changes.ts";

const TEMPLATE = {
  kind: "template",
  providerAccountId: "9001",
  providerTemplateId: "1689556908129832",
  reported: expect.objectContaining({ part: expect.objectContaining({ entry: 0, change: 0 }) }),
};
const REPORTED_MS = 1_790_000_100_000;

test("no digit of the id is lost", () => {
  expect(changesOf("callback-template-big-id")).toMatchObject([{ providerTemplateId: "9223372036854775807" }]);
});

test.each([
  ["approved", "approved"],
  ["rejected", "rejected"],
  ["pending", "pending"],
  ["in-appeal", "in_appeal"],
  ["paused", "paused"],
  ["disabled", "disabled"],
  ["flagged", "flagged"],
  ["pending-deletion", "pending_deletion"],
  ["deleted", "deleted"],
  ["limit-exceeded", "limit_exceeded"],
  ["locked", "locked"],
  ["archived", "archived"],
])("%s is news of that status", (name, kind) => {
  expect(changesOf(`callback-template-${name}`)).toMatchObject([{ ...TEMPLATE, at: REPORTED_MS, news: { kind } }]);
});

test.each([
  ["reinstated", {}],
  ["unarchived", {}],
  ["components", { body: expect.any(String) }],
  ["components-full", { body: expect.any(String) }],
])("after %s only the template itself shows what is new", (name, more) => {
  expect(changesOf(`callback-template-${name}`)).toEqual([{ ...TEMPLATE, at: REPORTED_MS, news: null, ...more }]);
});

test("account and id suffice", () => {
  expect(changesOf("callback-template-without-name")).toMatchObject([
    { ...TEMPLATE, news: { kind: "approved", reason: null, detail: null } },
  ]);
});

describe("the reason", () => {
  const news = (name: string): unknown => {
    const [change] = changesOf(`callback-template-${name}`);
    return change?.kind === "template" ? change.news : null;
  };

  test("of a rejection, with what to do", () => {
    expect(news("rejected")).toEqual({
      kind: "rejected",
      reason: "INVALID_FORMAT",
      detail: { rejection_info: { reason: "Leading variable", recommendation: "Add words before it." } },
    });
    expect(news("rejected-scam")).toEqual({ kind: "rejected", reason: "SCAM", detail: null });
  });

  test("of a pause is its title", () => {
    expect(news("second-pause")).toMatchObject({ reason: "SECOND_PAUSE", detail: { other_info: expect.anything() } });
  });

  test("may be missing", () => {
    expect(news("approved")).toEqual({ kind: "approved", reason: null, detail: null });
    expect(news("pending-deletion")).toMatchObject({ reason: null });
  });

  test("keeps what the provider adds", () => {
    const value = { event: "PAUSED", reason: "NONE", message_template_id: 1, review: { by: "person" } };
    expect(parseChange("message_template_status_update", value)).toMatchObject([
      { at: null, news: { detail: { review: { by: "person" } } } },
    ]);
  });
});

test("quality: the scores", () => {
  expect(changesOf("callback-each-template-quality")).toMatchObject([
    { news: { kind: "template_quality_changed", previous: "unknown", current: "green" } },
    { news: { previous: "green", current: "yellow" } },
    { news: { previous: "yellow", current: "red" } },
    { news: { previous: "red", current: "unknown" } },
  ]);
});

test("category: what it is and will be, and since or from when", () => {
  const changed = { kind: "template_category_changed", previous: "utility", current: "marketing" };
  expect(changesOf("callback-template-category-impending")).toMatchObject([
    { news: { ...changed, effectiveAt: 1_790_086_400_000 } },
  ]);
  expect(changesOf("callback-template-category")).toMatchObject([{ news: { ...changed, effectiveAt: null } }]);
});

describe("of a change that is half said the template itself shows the rest", () => {
  const coming = { new_category: "UTILITY", correct_category: "MARKETING" };
  test.each([
    ["message_template_quality_update", { new_quality_score: "RED" }],
    ["message_template_quality_update", { previous_quality_score: null, new_quality_score: "RED" }],
    ["message_template_quality_update", { previous_quality_score: "RED" }],
    ["template_category_update", { new_category: "UTILITY" }],
    ["template_category_update", { previous_category: "UTILITY" }],
    ["template_category_update", { correct_category: "MARKETING" }],
    ["template_category_update", coming],
    ["template_category_update", { ...coming, category_update_timestamp: null }],
    ["template_category_update", { ...coming, category_update_timestamp: "soon" }],
    ["template_category_update", {}],
  ])("%s %j", (field, said) => {
    for (const id of [1689556908129832, "1689556908129832"])
      for (const message_template_language of ["en_US", "en-US", undefined])
        expect(parseChange(field, { message_template_id: id, message_template_language, ...said })).toEqual([
          { ...TEMPLATE, at: null, news: null },
        ]);
  });
});

test("a category that was found in the content is reported, and the template is asked for", () => {
  const field = "template_correct_category_detection";
  const value = { message_template_id: 1689556908129832, category: "UTILITY", correct_category: "MARKETING" };
  const notice = { kind: "notice", event: field, meaning: "changed", asks: false, providerAccountId: "9001" };
  expect(parseChange(field, value, 1_790_000_100)).toMatchObject([
    { ...notice, value },
    { ...TEMPLATE, at: REPORTED_MS, news: null },
  ]);
  expect(parseChange(field, { correct_category: "MARKETING" })).toMatchObject([notice]);
});

describe("what cannot be read", () => {
  const ID = { message_template_id: 1689556908129832 };

  test.each([
    ["message_template_status_update", { event: "REPAINTED" }, "template status with an unknown event"],
    ["message_template_status_update", {}, "template status without event"],
  ])("%s %j is set aside, and the template is asked for all the same", (field, said, reason) => {
    const value = { ...ID, ...said };
    expect(parseChange(field, value)).toEqual([
      { ...TEMPLATE, at: null, news: null },
      {
        kind: "unrecognized",
        reason,
        providerPhoneNumberId: null,
        providerAccountId: "9001",
        value: { field, value },
      },
    ]);
  });

  test("without an id there is nothing to ask for", () => {
    expect(parseChange("message_template_components_update", { message_template_name: "a" })).toMatchObject([
      { kind: "unrecognized", reason: "message_template_components_update without account or template id" },
    ]);
  });
});
