import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HandedEvent } from "../../packages/server/src/features/events/handed-event.ts";
import type { InboundRow } from "../../packages/server/src/features/messages/callbacks/inbound.store.ts";
import { takeCallbacks } from "../../packages/server/src/features/messages/callbacks/provider-events.store.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { waitForLocks } from "../../packages/server/src/testing/patience.ts";
import { callHot, type Row } from "./hot-examples.ts";
import { acceptRow, handoverRow, preferenceRow, receiveRow, reportRow } from "./hot-rows.ts";
import { AT, NOW, type Owned, ownedDatabase } from "./owned.ts";
import { makeTenant, type Tenant } from "./rows.ts";
import { callbackOf, choices, type Fillers, type History, inBothWays, type Run } from "./two-ways.ts";

// As short-ways.test.ts, of messages that come in. That usual ones do take the short way is tested by plans.test.ts.

let database: Owned;
let client: Client;
beforeAll(async () => {
  database = await ownedDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await waitForLocks(database.url, takeCallbacks.installed);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** What a row of another workspace is that changes nothing of the histories. */
const FILLERS: Fillers = {
  take_callbacks: (tenant) => callbackOf(tenant, [reportRow(tenant, `wamid.of.no.message.${newUuid(NOW)}`)]),
};

describe("a message that is alone in its callback does what it does beside another callback", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("in any history (%i)", async (seed) => {
    const { alone, together } = await inBothWays(database, client, FILLERS, talks(seed));
    expect(alone.answers.length).toBeGreaterThan(35);
    expect(alone).toEqual(together);
  });
});

const PHONES = ["+15551230001", "+15551230002", "+15551230003"] as const;
const later = (ms: number): string => new Date(NOW + ms).toISOString();

/** People who have written, and a stranger, write whatever may come in, mostly what is usual; between that, what is known of them changes. */
const talks =
  (seed: number): History =>
  async (run) => {
    const choose = choices(seed);
    await known(run);
    for (let step = 0; step < 55; step++) {
      const phone = choose([...PHONES, ...PHONES, "+15551239999"]);
      if (choose([true, true, true, true, false])) {
        const row = receiveRow(run.tenant, phone, `wamid.in.${choose([step, step, step, step - 1])}`, {
          ...(choose([true, false]) ? {} : choose(said(phone, step))),
          id: run.id(`message ${step}`),
          at: later(step * choose([1_000, 1_000, -1_000])),
        });
        const more = choose([[], [], [], [], [receiveRow(run.tenant, "+15551238888", `wamid.more.${step}`, {})]]);
        await run.take("take_callbacks", callbackOf(run.tenant, [row, ...more], run.id(`callback ${step}`)));
      } else await choose(changes(run, phone, step))();
    }
    const events = "select e.kind, e.message_id, e.state from event e where e.workspace_id = $1 order by e.sequence";
    run.note(await run.query(events, [run.tenant.workspace]));
  };

async function known({ tenant, id, call }: Run): Promise<void> {
  const sends = PHONES.map((phone, index) => acceptRow(tenant, { phone, id: id(`sent ${index}`) }));
  await call("accept_messages", sends);
  await call(
    "take_reports",
    PHONES.map((phone, index) => receiveRow(tenant, phone, `wamid.known.${index}`, { id: id(`known ${index}`) })),
  );
}

const said = (phone: string, step: number): Partial<InboundRow>[] => [
  { profile_name: "Ana", username: "ana" },
  { type: "image", content: { image: { id: "1" } }, provided: { context: { forwarded: true } } },
  { type: "reaction", opens_window: false },
  { type: "interactive", words: "yes" },
  ...["hi", "stop", "start", "yes"].map((words) => ({ words })),
  { words: "stop", default_consent: "opted_out" },
  { words: "start", default_consent: "resumed" },
  // Of this person, of another one, of nobody, and its own.
  ...[0, 1, 9].map((index) => ({ reply_to_provider_id: `wamid.known.${index}` })),
  { reply_to_provider_id: `wamid.in.${step}` },
  { provided: { group_id: "group-1" } },
  { provided: { handled_by: "other" } },
  { user_id: `US.${phone.slice(-4)}`, scope: "portfolio" },
  { user_id: `US.${phone.slice(-4)}`, scope: "portfolio", phone: null, wa_id: null },
  { parent_user_id: `US.ENT.${phone.slice(-4)}`, scope: "portfolio" },
  { phone: null },
  {
    phone: `+1555777${phone.slice(-4)}`,
    wa_id: `1555777${phone.slice(-4)}`,
    changes_identity: true,
    previous_wa_id: phone.slice(1),
  },
];

/** What may change between two messages. */
const changes = ({ tenant, query, call, id }: Run, phone: string, step: number): (() => Promise<unknown>)[] => {
  const ofPerson = (change: string) => () => query(change, [tenant.workspace, phone]);
  const contact = (set: string) => ofPerson(`update contact set ${set} where workspace_id = $1 and phone = $2`);
  const workspace = (set: string) => () =>
    query(`update workspace set ${set} where workspace_id = $1`, [tenant.workspace]);
  return [
    ...(["other", "self", "none"] as const).map(
      (owner) => () =>
        call("take_reports", [handoverRow(tenant, phone, { owner, mark: `mark ${step}`, at: later(step * 1_000) })]),
    ),
    () => call("take_reports", [preferenceRow(tenant, phone, { callback_id: id(`preference ${step}`) })]),
    contact("wa_id_at = null"),
    contact("profile_name = 'Bea'"),
    workspace("opt_out_words = '{yes}', opt_in_words = '{hi}'"),
    workspace("opt_out_words = null, opt_in_words = null"),
    ofPerson(
      "delete from conversation v using contact c where v.workspace_id = $1 and c.id = v.contact_id and c.phone = $2",
    ),
    ofPerson(`insert into erased_contact (workspace_id, id, person, erased_at)
      select c.workspace_id, c.id, c.id, '${AT}' from contact c where c.workspace_id = $1 and c.phone = $2 on conflict do nothing`),
    () =>
      query("insert into ingest (slot, lane, callback_id) select $1 % 64, $1, $2", [
        tenant.numberLane,
        id(`callback ${step - 1}`),
      ]),
    () => query("delete from ingest where lane = $1", [tenant.numberLane]),
  ];
};

describe("while another call", () => {
  const WAITING = "select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))";
  const waits = async (holder: Client): Promise<void> => {
    await expect.poll(async () => (await holder.query(WAITING)).rows).toHaveLength(1);
  };
  const take = (by: Client, tenant: Tenant, phone: string, providerId: string): Promise<Row[]> =>
    callHot(by, "take_callbacks", [
      { ...callbackOf(tenant, [receiveRow(tenant, phone, providerId, {})]), hands: true },
    ]);
  const started = async (): Promise<Tenant> => {
    const tenant = await makeTenant(database.db, "+15551230000", NOW);
    for (const [index, phone] of PHONES.entries()) await take(client, tenant, phone, `wamid.known.${index}`);
    return tenant;
  };

  it("takes the same message, it is received once", async () => {
    const tenant = await started();
    await withClient(database.url, async (holder) => {
      await holder.query("begin");
      const [first] = await take(holder, tenant, PHONES[0], "wamid.twice");
      expect(first).toMatchObject({ outcome: "taken", message_ids: [expect.any(String)] });
      const second = take(client, tenant, PHONES[0], "wamid.twice");
      await waits(holder);
      await holder.query("commit");
      expect(await second).toMatchObject([{ outcome: "taken", message_ids: [], handed: null }]);
    });
  });

  it("merges the person into another one, the surviving record is handed over", async () => {
    const tenant = await started();
    const id = async (phone: string): Promise<unknown> =>
      (
        await database.db.transaction(tenant.workspace, (sql) =>
          sql.query<Row>("select c.id from contact c where c.phone = $1", [phone]),
        )
      )[0]?.["id"];
    const [gone, stays] = [await id(PHONES[0]), await id(PHONES[1])];
    await withClient(database.url, async (holder) => {
      await holder.query("begin");
      await holder.query("select set_config('app.workspace_id', $1, true)", [tenant.workspace]);
      await holder.query("update conversation v set last_message_at = last_message_at where v.contact_id = $1", [gone]);
      const call = take(client, tenant, PHONES[0], "wamid.late");
      await waits(holder);
      await holder.query("update contact c set merged_into = $1, phone = null, wa_id = null where c.id = $2", [
        stays,
        gone,
      ]);
      await holder.query("commit");
      const [answer] = await call;
      expect(answer?.["handed"] as HandedEvent).toMatchObject({ contact_id: gone, contact: { id: stays } });
    });
  });
});
