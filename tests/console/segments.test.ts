import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import {
  type Condition,
  filterOf,
  kindOfCondition,
  newCondition,
  withField,
  withOp,
} from "../../packages/console/src/pages/segment/draft.ts";
import { FIELD_NAMES, opsOf } from "../../packages/console/src/pages/segment/fields.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";

// Choices of contacts under names, as a person makes, changes and uses them.

setScene();
beforeAll(async () => {
  for (const [n, body] of [
    { name: "North Shop", tags: ["vip"], attributes: { city: "Recife", orders: 3 } },
    { name: "East Shop", tags: ["vip"], attributes: { city: "Olinda", orders: 9 } },
    { name: "South Shop", tags: ["new"], attributes: { city: "Recife" } },
  ].entries())
    await mine.call("POST", "/v1/contacts", { body: { phone: `+1555200010${n}`, ...body } });
});

const segmentOf = async (page: Page) => {
  const id = new URL(page.url()).pathname.split("/").at(-1);
  return (await mine.call("GET", `/v1/segments/${id}`)).body;
};

test("a segment is made, seen to count, edited, and used as a filter", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/contacts");
  await page.getByRole("navigation", { name: "Contacts and segments" }).getByRole("link", { name: "Segments" }).click();
  const pages = page.getByRole("navigation", { name: "Pages" });
  await expect.poll(() => pages.getByRole("link", { name: "Contacts" }).getAttribute("aria-current")).toBe("page");
  await page.getByRole("link", { name: "New segment" }).first().click();
  await page.getByRole("heading", { level: 1, name: "New segment" }).waitFor();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Good shops");
  await page.getByRole("button", { name: "Save" }).click();
  const first = page.getByRole("group", { name: "Condition 1", exact: true });
  await first.getByText("Fill this in.").waitFor();
  await first.getByRole("combobox", { name: "Value" }).fill("vip");
  await page.getByText("2 contacts fit").waitFor();
  await page.getByRole("button", { name: "Add a condition" }).click();
  const second = page.getByRole("group", { name: "Condition 2", exact: true });
  await second.getByRole("combobox", { name: "Field" }).selectOption({ label: "Your own fact" });
  await second.getByRole("textbox", { name: "Name of your own fact" }).fill("orders");
  await second.getByRole("combobox", { name: "Comparison" }).selectOption({ label: "is at least" });
  await second.getByRole("combobox", { name: "Kind of value" }).selectOption({ label: "Number" });
  await second.getByRole("spinbutton", { name: "Value" }).fill("5");
  await page.getByText("1 contact fits").waitFor();
  await page.getByRole("table", { name: "Who fits now" }).getByRole("link", { name: "East Shop" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Good shops" }).waitFor();
  expect(await segmentOf(page)).toMatchObject({
    name: "Good shops",
    filter: {
      all: [
        { field: "tags", op: "contains", value: "vip" },
        { field: "attributes.orders", op: "gte", value: 5 },
      ],
    },
  });
  await page.getByRole("combobox", { name: "How it joins" }).selectOption({ label: "None of this" });
  await page.getByText("2 contacts fit").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByRole("link", { name: "Its contacts" }).click();
  const table = page.getByRole("table", { name: "Contacts" });
  await table.getByRole("link", { name: "South Shop" }).waitFor();
  expect(await table.getByRole("link", { name: "East Shop" }).count()).toBe(0);
  await page.getByRole("button", { name: "Segment Good shops", exact: true }).waitFor();
});

// One of every kind of value, in every kind of group.
const FILTER = {
  any: [
    { all: [{ not: { not: { field: "tags", op: "in", value: ["a, b", "vip"] } } }] },
    { field: "attributes.code", op: "in", value: ["7", 7, true, ""] },
    { field: "attributes.orders", op: "gt", value: 2.5 },
    { field: "name", op: "eq", value: " Two  blanks " },
    { field: "phone", op: "contains", value: "+1555" },
    { field: "email", op: "exists", value: false },
    { field: "marketing_consent", op: "in", value: ["opted_out", "unknown"] },
    { field: "last_inbound_at", op: "within_last", value: "P1DT12H" },
    { field: "created_at", op: "lte", value: "2026-01-31T09:00:12.345+02:00" },
  ],
};

test("a filter of any form is edited in one place, and is the same in all others", async () => {
  const { page } = visitor;
  const { body } = await mine.call("POST", "/v1/segments", { body: { name: "By a program", filter: FILTER } });
  await visitor.signIn(mine.key, `/segments/${body.id}`);
  const number = page.getByRole("group", { name: "Condition 3", exact: true });
  await number.getByRole("spinbutton", { name: "Value" }).fill("3");
  // What is typed counts, whether or not it was added.
  await page.getByRole("group", { name: "Condition 2", exact: true }).getByRole("textbox", { name: "Value" }).fill("8");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("By hand");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const changed = new Map<number, unknown>([
    [1, ["7", 7, true, "", "8"]],
    [2, 3],
  ]);
  const any = FILTER.any.map((one, index) => (changed.has(index) ? { ...one, value: changed.get(index) } : one));
  expect(await segmentOf(page)).toMatchObject({ name: "By hand", filter: { any } });
});

/** A condition that the form has made, with what a person would type. */
function filledIn(field: string, condition: Condition): Condition {
  const kind = kindOfCondition(condition);
  const typed = field === "phone" ? "+15552000100" : kind === "time" ? "2026-01-31T09:00:00.000Z" : "ana";
  const [first = { type: "text", text: kind === "consent" ? "opted_in" : typed } as const] = condition.values;
  return { ...condition, values: [{ ...first, text: first.text || typed }] };
}

test("each operator of each field takes what the form gives it", async () => {
  for (const name of FIELD_NAMES) {
    const condition = withField(newCondition(), name === "attributes" ? "attributes.n" : name);
    for (const op of opsOf(name)) {
      const filter = filterOf(filledIn(name, withOp(condition, op)));
      const { status, body } = await mine.call("POST", "/v1/segments/preview", { body: { filter } });
      expect([filter, status, body.errors]).toEqual([filter, 200, undefined]);
    }
  }
});

test("a fault is said at its condition, and what another has changed meanwhile is not lost", async () => {
  const { page } = visitor;
  const filter = { field: "phone", op: "eq", value: "+15552000100" };
  const { body } = await mine.call("POST", "/v1/segments", { body: { name: "One", filter } });
  await visitor.signIn(mine.key, `/segments/${body.id}`);
  const only = page.getByRole("group", { name: "Condition 1", exact: true });
  await only.getByRole("textbox", { name: "Value" }).fill("12");
  await page.getByRole("button", { name: "Save" }).click();
  await only.getByText(/This takes a phone number/).waitFor();
  await only.getByRole("textbox", { name: "Value" }).fill("+15552000101");
  await mine.call("PATCH", `/v1/segments/${body.id}`, { body: { name: "Changed" } });
  await page.getByRole("button", { name: "Save" }).click();
  const versions = page.getByRole("region", { name: "Both versions" });
  await versions.getByRole("row", { name: "Name Changed You did not change it" }).waitFor();
  await versions.getByRole("row", { name: /^Who is in it .*2000100.*2000101/ }).waitFor();
  await versions.getByRole("button", { name: "Take theirs" }).click();
  await page.getByRole("heading", { level: 1, name: "Changed" }).waitFor();
  expect(await only.getByRole("textbox", { name: "Value" }).inputValue()).toBe("+15552000100");
  await page.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete Changed?" });
  await question.getByText("The contact in it stays").waitFor();
  await question.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { level: 1, name: "Segments" }).waitFor();
  expect((await mine.call("GET", `/v1/segments/${body.id}`)).status).toBe(404);
});

test("a segment of another workspace is none, and who may only read sees why nothing can be changed", async () => {
  const { page } = visitor;
  const filter = { field: "name", op: "exists", value: true };
  const { body } = await mine.call("POST", "/v1/segments", { body: { name: "Mine alone", filter } });
  await visitor.signIn((await stage.gateway.workspace()).key, `/segments/${body.id}`);
  await page.getByRole("heading", { name: "There is no such segment" }).waitFor();
  const reader = await mine.call("POST", "/v1/api-keys", { body: { name: "reader", scopes: ["contacts:read"] } });
  const other = await stage.open();
  await other.signIn(reader.body.key, `/segments/${body.id}`);
  for (const name of ["Save", "Delete"]) {
    const button = other.page.getByRole("button", { name, exact: true });
    await button.waitFor();
    expect([name, await button.getAttribute("title")]).toEqual([name, expect.stringContaining("contacts:write")]);
  }
  await other.leave();
});
