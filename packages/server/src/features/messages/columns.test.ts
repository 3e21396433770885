import { expect, it } from "vitest";
import { withClient } from "../../testing/client.ts";
import { ORDER_READY } from "../../testing/gateway.ts";
import { LATER_EXAMPLE, type MessageRow, PERSONAL_COLUMNS, withoutPerson } from "./column-lists.ts";
import { COLUMNS } from "./columns.ts";
import { reportingOf } from "./testing/reported.ts";
import { person, startSenders } from "./testing/senders.ts";

const { gateway, mine, theirs } = await startSenders();
const { echo, shown, tell, text } = reportingOf(gateway);

it("are those of the table, with their types", async () => {
  const rows = await mine.rows<{ name: string; type: string; optional: boolean }>(
    `select a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as optional
     from pg_attribute a where a.attrelid = 'message'::regclass and a.attnum > 0 and not a.attisdropped`,
  );
  const stored = rows.map(({ name, type, optional }) => [
    name,
    `${type.replace(" with time zone", "tz")}${optional ? "?" : ""}`,
  ]);
  const declared = Object.entries(COLUMNS).map(([name, { sql }]) => [name, typeof sql === "string" ? sql : sql.sql]);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(declared));
});

/** A key whose message an earlier version accepted returns the same bytes: these fields, in this order, and never another. */
const FIRST_ANSWER =
  "id direction status final to from phone_number_id contact_id type reply_to reference category pricing error " +
  "provider_message_id possible_duplicate created_at estimated_dispatch_at send_at expires_at accepted_at sent_at " +
  "delivered_at read_at failed_at sequence template";

it("add nothing to the answer to a send, which is repeated byte for byte, and all of theirs to the others", async () => {
  const headers = { "x-idempotency-key": "columns" };
  const to = person();
  const [first, again] = [await mine.send(to, {}, headers), await mine.send(to, {}, headers)];
  expect([Object.keys(first.body).join(" "), again.text]).toEqual([FIRST_ANSWER, first.text]);
  const read = (await mine.call("GET", `/v1/messages/${first.body.id}`)).body;
  expect(Object.keys(read).toSorted()).toEqual(
    [...FIRST_ANSWER.split(" "), ...Object.keys(LATER_EXAMPLE), "history"].toSorted(),
  );
});

/** Gives each column that holds something of a person a value in every message of a workspace. */
const fillAll = (workspaceId: string): Promise<void> =>
  withClient(gateway.database.url, async (client) => {
    await client.query("begin");
    await client.query("select set_config('app.workspace_id', $1, true)", [workspaceId]);
    const { rows } = await client.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
       where attrelid = 'message'::regclass and attname = any($1)`,
      [PERSONAL_COLUMNS],
    );
    const filled = rows.map(({ name, type }) => `${name} = coalesce(${name}, '${type === "json" ? "{}" : "x"}')`);
    expect(filled).toHaveLength(PERSONAL_COLUMNS.length);
    await client.query(`update message set ${filled.join(", ")}`);
    await client.query("commit");
  });

it("are emptied in the database as they are in what is returned until then", async () => {
  const group = { group_id: "group-1" };
  for (const of of [mine, theirs]) {
    await tell(
      of,
      text("15552000901", "wamid.C1", { context: { forwarded: true } }),
      text("15552000901", "wamid.C2", group),
    );
    await tell(of, echo(of, "15552000901", "wamid.C3"));
    await shown(of, "wamid.C3");
    const body = { to: "+15552000901", type: "text", text: { body: "Hi" }, reference: "order-17" };
    await of.call("POST", "/v1/messages", { body: { ...body, fallback: { template: ORDER_READY } } });
  }
  const rowsOf = (of: typeof mine) =>
    of.rows<MessageRow>(
      "select * from message where contact_id in (select contact_id from provider_message k join message m on m.id = k.message_id where k.provider_message_id = 'wamid.C1') order by id",
    );
  const said = (await rowsOf(mine)).map(({ outbound, provided }) => [outbound, provided]);
  expect(said).toEqual([
    [false, { context: { forwarded: true } }],
    [false, group],
    [true, { origin: "business_app" }],
    [true, null],
  ]);
  await fillAll(mine.uuid);
  const [before, others] = [await rowsOf(mine), await rowsOf(theirs)];
  const { contact_id } = await shown(mine, "wamid.C1");
  expect((await mine.call("DELETE", `/v1/contacts/${contact_id}`)).status).toBe(204);
  await expect.poll(async () => (await rowsOf(mine)).map(({ content }) => content)).toEqual(before.map(() => null));
  const left = await rowsOf(mine);
  // Of a group the row says so still, without its id; nothing is returned of it.
  const expected = before
    .map(withoutPerson)
    .map((row) => (row.id === before[1]?.id ? { ...row, provided: { group_id: "" } } : row));
  expect(left).toEqual(expected);
  expect(await rowsOf(theirs)).toEqual(others);
});
