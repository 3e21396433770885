import { afterAll, beforeAll, expect, it } from "vitest";
import { newUuid } from "../../lib/ids.ts";
import { withClient } from "../../testing/client.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
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
});
