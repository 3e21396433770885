import { afterAll, beforeAll, expect, it } from "vitest";
import { newUuid } from "../../lib/ids.ts";
import { withClient } from "../../testing/client.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { emptyEvents } from "./emptied.store.ts";
import { emptyOldEvents } from "./emptied.ts";

// Account events as earlier versions wrote them: with all that the provider said of people.
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway();
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const HOUR_MS = 3_600_000;
const SECRET = { history: [{ threads: [{ id: "15550001111", messages: [{ text: { body: "secret" } }] }] }] };

/** Events of a workspace, one a second before `ago`, all of one provider's event. */
async function wrote(
  of: Sender,
  event: string,
  more: object = {},
  { count = 1, ago = HOUR_MS } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => newUuid(gateway.clock.now() - ago - n * 1_000));
  const [account] = await of.rows<{ account: object }>("select row_to_json(a) as account from business_account a");
  await withClient(gateway.database.url, async (client) => {
    await client.query("select set_config('app.workspace_id', $1, false)", [of.uuid]);
    await client.query(
      `insert into event (workspace_id, id, era, kind, sequence, resource_id, occurred_at, state, created_at)
       select $1, u.id, 0, 'account_changed', nextval('conversation_sequence'), $3, now(), $4, now()
       from unnest($2::uuid[]) u(id)`,
      [
        of.uuid,
        ids,
        newUuid(0),
        { business_account: account?.account, provider_event: event, detail: SECRET, ...more },
      ],
    );
  });
  return ids;
}
const detailOf = async (of: Sender, [id = ""]: readonly string[]) =>
  (await of.rows<{ detail: unknown }>("select state->'detail' as detail from event where id = $1", [id]))[0]?.detail;
const secrets = async (of: Sender) => (await of.rows("select 1 from event where state::text like '%secret%'")).length;
/** Records that another version has used its functions a while ago. */
const usedByOther = (ago: string) =>
  gateway.app.db.sql.run(
    `insert into function_use (name, last_used) values ('take_reports_0000000000', clock_timestamp() - $1::interval)
     on conflict (name) do update set last_used = excluded.last_used`,
    [ago],
  );

it("takes what was said of people out of them, in every workspace, and leaves what is of the business and of this version", async () => {
  await usedByOther("1 minute");
  const old = await wrote(mine, "history", {}, { count: 4_500 });
  const others = await Promise.all(
    ["calls", "smb_app_state_sync", "user_preferences", "standby"].map((one) => wrote(theirs, one)),
  );
  const ofBusiness = await wrote(mine, "ACCOUNT_RESTRICTION", { detail: { restriction_info: [] } });
  const reduced = await wrote(mine, "history", { detail: { history: [{ errors: [] }] }, is_reduced: true });
  await emptyOldEvents(gateway.app);
  expect([await secrets(mine), await secrets(theirs)]).toEqual([0, 0]);
  expect(await detailOf(mine, old)).toEqual({});
  for (const one of others) expect(await detailOf(theirs, one)).toEqual({});
  expect(await detailOf(mine, ofBusiness)).toEqual({ restriction_info: [] });
  expect(await detailOf(mine, reduced)).toEqual({ history: [{ errors: [] }] });
});

it("goes on while processes of an earlier version write more, and ends when there are none any more", async () => {
  await usedByOther("1 hour");
  await emptyOldEvents(gateway.app);
  const late = await wrote(mine, "calls", {}, { ago: 0 });
  await emptyOldEvents(gateway.app);
  expect(await detailOf(mine, late)).toEqual({});
  // Committed late: its id is older than events that have been looked at.
  const later = await wrote(mine, "calls", {}, { ago: 60_000 });
  await usedByOther("4 hours");
  await emptyOldEvents(gateway.app);
  expect(await detailOf(mine, later)).toEqual({});
  const never = await wrote(mine, "calls", {}, { ago: 0 });
  await emptyOldEvents(gateway.app);
  expect(await detailOf(mine, never)).toEqual(SECRET);
  // An earlier version is installed again for a while.
  await usedByOther("4 hours");
  await withClient(gateway.database.url, async (client) => {
    await client.query("select set_config('app.workspace_id', $1, false)", [mine.uuid]);
    await client.query("update emptied_event set done_at = clock_timestamp() - interval '5 hours'");
  });
  await emptyOldEvents(gateway.app);
  expect(await detailOf(mine, never)).toEqual({});
});

it("takes over what an event is besides, whatever stands in it", async () => {
  await usedByOther("1 minute");
  gateway.clock.advance(60_000);
  const number = "num_0198c5d2b1f07c3a9e4d2f6a8b7c9d01";
  const odd = [
    "null",
    "7",
    '"secret"',
    '["secret"]',
    String.raw`{"history":"secret \u0000 \ud83d \\u0000"}`,
    `{"history":"${"secret ".repeat(400_000)}"}`,
  ];
  const ids = (await Promise.all(odd.map(() => wrote(mine, "history", {}, { ago: 0 })))).flat();
  await withClient(gateway.database.url, async (client) => {
    await client.query("select set_config('app.workspace_id', $1, false)", [mine.uuid]);
    for (const [n, id] of ids.entries())
      await client.query(
        `update event set state = json_build_object('business_account', state->'business_account', 'provider_event', 'history',
           'detail', $2::text::json, 'phone_number_id', $3::text) where id = $1`,
        [id, odd[n], number],
      );
  });
  await emptyOldEvents(gateway.app);
  const rows = await mine.rows<{ state: object }>("select state from event where id = any($1)", [ids]);
  const { state } = (await mine.rows<{ state: { business_account: object } }>("select state from event limit 1"))[0]!;
  for (const row of rows)
    expect(row.state).toEqual({
      business_account: state.business_account,
      provider_event: "history",
      detail: {},
      phone_number_id: number,
    });
  expect(rows).toHaveLength(odd.length);
});

it.each(["request", "answer"] as const)("is gone on with where its call was cut at the %s", async (at) => {
  await usedByOther("1 minute");
  gateway.clock.advance(60_000);
  const old = await wrote(mine, "calls", {}, { count: 30, ago: 0 });
  const caught = gateway.databaseProxy.hold("empty_events", at);
  const round = emptyOldEvents(gateway.app).catch(() => {});
  (await caught).cut();
  await round;
  await emptyOldEvents(gateway.app);
  expect(await secrets(mine)).toBe(0);
  expect(await detailOf(mine, old)).toEqual({});
});

it("gets to the workspaces behind one that has more than a call can look at, in steps that end", async () => {
  await usedByOther("1 minute");
  const [first, second] = [await gateway.sender(), await gateway.sender()].toSorted((a, b) =>
    a.uuid < b.uuid ? -1 : 1,
  ) as [Sender, Sender];
  // Looked at in each call, and nothing of people.
  await wrote(first, "flows", { detail: { of: "flow ".repeat(150_000) } }, { count: 80, ago: 0 });
  const [late] = await wrote(second, "calls", {}, { ago: 0 });
  const started = performance.now();
  for (let call = 0; call < 2; call++) {
    const ask = { others_until: new Date().toISOString() };
    await gateway.app.db.call(emptyEvents, [ask], gateway.clock.now());
  }
  expect(performance.now() - started).toBeLessThan(8_000);
  expect(await detailOf(second, [late ?? ""])).toEqual({});
});
