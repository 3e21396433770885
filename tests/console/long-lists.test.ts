import type { Locator } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { PAGE_SIZE } from "../../packages/console/src/api/queries/keys.ts";
import { REPORTS } from "../../packages/server/src/features/threads/status.ts";
import { testEngine } from "../../packages/server/src/testing/engine.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";

// Lists of a workspace that has been used for a while: 10,000 people with a message each.
const PEOPLE = 10_000;

setScene();
beforeAll(async () => {
  const now = new Date(stage.gateway.clock.now()).toISOString();
  await testEngine(stage.gateway.database.url).rows(FILL, [mine.uuid, PEOPLE, now]);
});

/** The last one is the newest: +15552010000, Person 10000. */
const FILL = `
with people as materialized (
  select $1::uuid as workspace_id, n, t.at, new_uuid(t.at) as id, new_uuid(t.at) as message_id, '1555' || (2000000 + n)::text as digits
  from generate_series(1, $2::int) n
  cross join lateral (select $3::timestamptz - ($2::int - n) * interval '1 millisecond' as at) t),
contacts as (
  insert into contact (workspace_id, id, phone, wa_id, name, created_at, updated_at, is_named)
  select workspace_id, id, '+' || digits, digits, 'Person ' || lpad(n::text, 5, '0'), at, at, true from people),
identifiers as (
  insert into identifier (workspace_id, kind, value, contact_id, source, since, key, loose, rules)
  select workspace_id, 'phone', digits, id, 'import', at, digits, digits, 1 from people),
messages as (
  insert into message (workspace_id, id, outbound, phone_number_id, contact_id, recipient, type, content, sequence, created_at)
  select p.workspace_id, message_id, true, f.id, p.id, '+' || digits, 'text', '{"body":"Hello"}', n, at
  from people p join phone_number f on f.workspace_id = p.workspace_id)
insert into message_state (workspace_id, id, contact_id, conversation, seen, rank, delivered_at)
select workspace_id, message_id, id, n, ${REPORTS.delivered.bit}, ${REPORTS.delivered.rank}, at from people`;

/** Resolves once this is the first row of the table. */
const firstIs = (table: Locator, name: string): Promise<void> =>
  table.getByRole("row").nth(1).getByRole("link", { name }).waitFor();

test.each([
  ["/messages", "Messages", "Id or phone number", "+1 555 201 0000", "+1 555 200 9950", "+1 555 200 0042"],
  ["/contacts", "Contacts", "Name, number or id", "Person 10000", "Person 09950", "Person 00042"],
])("of 10,000 rows %s has a page, the way to older ones and back, and each that is looked for", async (...of) => {
  const [path, title, find, newest, older, one] = of;
  const { page } = visitor;
  await visitor.signIn(mine.key, path);
  const table = page.getByRole("table", { name: title });
  await firstIs(table, newest);
  expect(await table.getByRole("row").count()).toBe(1 + PAGE_SIZE);
  await page.getByRole("link", { name: "Older" }).click();
  await firstIs(table, older);
  await expect.poll(() => page.evaluate("scrollY")).toBe(0);
  await page.reload();
  await firstIs(table, older);
  await page.getByRole("link", { name: "Newest" }).click();
  await firstIs(table, newest);
  const box = page.getByRole("searchbox", { name: find });
  await box.fill(one);
  await box.press("Enter");
  await firstIs(table, one);
  expect(await table.getByRole("row").count()).toBe(2);
});

test("rows stay where they are, at the top and further down, while new messages are counted", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/messages");
  await visitor.live(page);
  const table = page.getByRole("table", { name: "Messages" });
  const row = table.getByRole("link", { name: "+1 555 200 9980" });
  const place = async () => [await page.evaluate("scrollY"), (await row.boundingBox())?.y];
  for (const [from, announced] of [
    [0, "1 new message"],
    [600, "2 new messages"],
  ] as const) {
    await page.evaluate(`scrollTo(0, ${from})`);
    const before = await place();
    expect(before).toEqual([from, expect.any(Number)]);
    await mine.send("+15552000001");
    await page.getByRole("button", { name: announced }).waitFor();
    expect(await place()).toEqual(before);
  }
  await page.getByRole("button", { name: "2 new messages" }).click();
  await firstIs(table, "+1 555 200 0001");
  await expect.poll(() => page.getByRole("button", { name: /new messages?$/ }).count()).toBe(0);
});
