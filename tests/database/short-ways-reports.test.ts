import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HandedEvent } from "../../packages/server/src/features/events/handed-event.ts";
import { claimOf } from "../../packages/server/src/features/identity/reported-identifiers.ts";
import { settleSends } from "../../packages/server/src/features/messages/dispatch/settle.store.ts";
import { REPORTS } from "../../packages/server/src/features/threads/status.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { waitForLocks } from "../../packages/server/src/testing/patience.ts";
import { callHot, type Row } from "./hot-examples.ts";
import { acceptRow, intentRow, receiveRow, reportRow } from "./hot-rows.ts";
import { AT, NOW, type Owned, ownedDatabase, WORKER } from "./owned.ts";
import { makeTenant, type Tenant } from "./rows.ts";
import { callbackOf, choices, type Fillers, type History, inBothWays, type Run } from "./two-ways.ts";

// As short-ways.test.ts, of what the provider says of sends. That usual rows do take the short way is tested by plans.test.ts.

let database: Owned;
let client: Client;
beforeAll(async () => {
  database = await ownedDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** What a row of another workspace is that changes nothing of the histories. */
const FILLERS: Fillers = {
  settle_sends: ({ workspace }) => ({
    ...NO_SEND,
    workspace_id: workspace,
    message_id: newUuid(NOW),
    outcome: "waits",
  }),
  take_reports: (tenant) => reportRow(tenant, `wamid.of.no.message.${newUuid(NOW)}`),
  take_callbacks: (tenant) => callbackOf(tenant, [reportRow(tenant, `wamid.of.no.message.${newUuid(NOW)}`)]),
};
const NO_SEND = { slot: 0, seq: 0, attempt: 0, at: AT, lane: 0, recipient: 0, due: AT };

const tenantOf = (): Promise<Tenant> => makeTenant(database.db, "+15551230000", NOW);

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

describe("a row that is alone does what it does beside others", () => {
  it.each(SEEDS)("what becomes of sends, and what is reported of them (%i)", async (seed) => {
    const { alone, together } = await inBothWays(database, client, FILLERS, sends(seed));
    expect(alone.answers.length).toBeGreaterThan(50);
    expect(alone).toEqual(together);
  });
});

const WAITING = "select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))";

it("a row that changes between its reading and its writing is read again", async () => {
  const tenant = await tenantOf();
  await waitForLocks(database.url, settleSends.installed);
  const query = (text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    database.db.transaction(tenant.workspace, (sql) => sql.query<Row>(text, values as readonly string[]));
  const call = (name: string, rows: readonly object[]): Promise<Row[]> => callHot(client, name, rows);
  const [send = {}] = await begun({ call, query, tenant, id: () => newUuid(NOW) }, PHONES.slice(0, 1));
  const message = String(send["message_id"]);
  await withClient(database.url, async (holder) => {
    await holder.query("begin");
    await callHot(holder, "take_reports", [{ ...reportRow(tenant, "wamid.other"), message_id: message }]);
    const settled = callHot(client, "settle_sends", [accepted(tenant, send, 0)]);
    await expect.poll(async () => (await holder.query(WAITING)).rows).toHaveLength(1);
    await holder.query("commit");
    expect(await settled).toMatchObject([{ done: true, sent_twice: true }]);
  });
  const state = "select s.seen, s.provider_message_id from message_state s where s.id = $1";
  const seen = REPORTS.accepted.bit | REPORTS.delivered.bit;
  expect(await query(state, [message])).toEqual([{ seen, provider_message_id: "wamid.other" }]);
  const events = await query("select e.kind from event e where e.message_id = $1 order by 1", [message]);
  expect(events).toEqual([{ kind: "accepted" }, { kind: "delivered" }]);
});

it("an event that is handed over has all that a look-up gives of it, and of its endpoint", async () => {
  const tenant = await tenantOf();
  const query = (text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    database.db.transaction(tenant.workspace, (sql) => sql.query<Row>(text, values as readonly string[]));
  const call = (name: string, rows: readonly object[]): Promise<Row[]> => callHot(client, name, rows);
  const [send = {}] = await begun({ call, query, tenant, id: () => newUuid(NOW) }, PHONES.slice(0, 1));
  const pricing = { type: "regular", category: "utility" };
  const status = { ...reportRow(tenant, "wamid.0"), pricing, at: later(2_345) };
  const message = (id: string, more: object) => callbackOf(tenant, [receiveRow(tenant, String(PHONES[0]), id, more)]);
  await call("take_callbacks", [message("wamid.first", {})]);
  const handed = [
    await call("settle_sends", [{ ...accepted(tenant, send, 0), hands: true }]),
    await call("take_callbacks", [{ ...callbackOf(tenant, [{ ...status, bit: REPORTS.sent.bit }]), hands: true }]),
    await call("take_callbacks", [{ ...callbackOf(tenant, [status]), hands: true }]),
    await call("take_callbacks", [
      {
        ...message("wamid.in", { reply_to_provider_id: "wamid.0", provided: { context: { forwarded: true } } }),
        hands: true,
      },
    ]),
  ].map(([answer]) => answer?.["handed"] as HandedEvent);
  expect(handed.map(({ kind, to }) => [kind, to.length])).toEqual([
    ["accepted", 1],
    ["sent", 1],
    ["delivered", 1],
    ["messages", 1],
  ]);
  for (const { id, to, ...event } of handed)
    for (const { delivery_id: _delivery, ...of } of to) {
      const place = { workspace_id: tenant.workspace, slot: of.slot, lane: of.lane, seq: of.seq, event_id: id };
      const [loaded] = await call("load_deliveries", [
        { ...place, conversation: "0", joined: 0, body: true, contact_id: null },
      ]);
      const { workspace_id: _workspace, ...body } = event;
      const endpoint = { endpoint_id: of.endpoint_id, version: of.version, enabled: true, behind: null, keys: null };
      // This client reads a bigint as text.
      const { ordered, sequence, ...rest } = loaded ?? {};
      expect({ ...rest, sequence: Number(sequence) }).toEqual({ ...body, ...endpoint });
      expect(ordered).toBe(false);
    }
});

const PHONES = ["+15551230001", "+15551230002", "+15551230003", "+15551230004"];
const later = (ms: number): string => new Date(NOW + ms).toISOString();
const provider = (code: number) => ({ provider: { code } });

/** Messages to a few people, of which everything is said in any order, and mostly what is usual. */
const sends =
  (seed: number): History =>
  async (run) => {
    const choose = choices(seed);
    const messages = await begun(run);
    for (let step = 0; step < 70; step++) {
      const index = choose([...messages.keys()]);
      const send = messages[index] as Row;
      const usual = choose([true, true, false]);
      if (choose([true, true, true, false]))
        await run.take(
          "settle_sends",
          usual
            ? accepted(run.tenant, send, index)
            : { ...accepted(run.tenant, send, index), ...choose(unusual(index)) },
        );
      else {
        const report = {
          ...reportRow(run.tenant, `wamid.${index}`),
          ...choose(said(String(send["message_id"]), index)),
        };
        if (choose([true, false])) await run.take("take_reports", report);
        else {
          const more = choose([false, false, false, true]) ? [reportRow(run.tenant, "wamid.not.ours")] : [];
          await run.take("take_callbacks", callbackOf(run.tenant, [report, ...more], run.id(`callback ${step}`)));
        }
      }
    }
  };

async function begun(run: Pick<Run, "call" | "query" | "tenant" | "id">, phones = [...PHONES, ...PHONES, ...PHONES]) {
  const { tenant } = run;
  const rows = phones.map((phone, index) =>
    acceptRow(tenant, { phone, id: run.id(`message ${index}`), resend_once: index % 5 === 4 }),
  );
  await run.call("accept_messages", rows);
  const sends = await run.query(
    "select d.slot, d.lane, d.seq, d.message_id, d.recipient from dispatch d where d.workspace_id = $1 order by d.seq",
    [tenant.workspace],
  );
  await run.call(
    "begin_sends",
    sends.map((send) => ({
      ...intentRow({ slot: send["slot"], seq: send["seq"] }, tenant.workspace, send["message_id"]),
      attempt: 0,
      state: 0,
      asked: false,
    })),
  );
  return sends;
}

const accepted = (tenant: Tenant, send: Row, index: number) => ({
  ...send,
  workspace_id: tenant.workspace,
  attempt: 1,
  outcome: "accepted",
  at: later(1_000),
  provider_message_id: `wamid.${index}`,
  worker: WORKER,
});

const unusual = (index: number): object[] => [
  { provider_message_id: `wamid.${index}.again` },
  ...[1, 2, 3].map(() => ({ takes_thread: true })),
  ...[1, 2, 9].map((digit) => claimOf({ waId: `1555123000${digit}`, userId: null, parentUserId: null }, "")),
  claimOf({ waId: null, userId: "US.ONE", parentUserId: null }, "portfolio"),
  { attempt: 0 },
  { attempt: 2 },
  { provider_message_id: null },
  ...[
    null,
    { code: "recipient_opted_out", ...provider(131_050) },
    { code: "thread_not_owned", ...provider(131_070) },
    { code: "rejected", ...provider(131_030) },
  ].map((error) => ({ outcome: "failed", provider_message_id: null, error })),
  ...["unknown", "silence", "retry", "waits", "expired", "canceled", "unwritten"].map((outcome) => ({
    outcome,
    provider_message_id: null,
    due: later(60_000),
  })),
];

const said = (message_id: string, index: number): object[] => [
  ...([REPORTS.sent, REPORTS.delivered, REPORTS.read, REPORTS.failed] as const).flatMap(({ bit }) => [
    { bit },
    { bit, message_id, at: later(2_000) },
    { bit, pricing: { type: "regular", bit } },
    {
      bit,
      ...claimOf({ waId: `1555123000${(index % 4) + 1}`, userId: null, parentUserId: null }, ""),
      username: "ana",
    },
    { bit, conversation: { id: "c", origin: { type: "utility" } } },
    { bit, error: { code: "rejected", ...provider(131_000) } },
  ]),
  { kind: "copy" },
  { message_id, provider_message_id: `wamid.${index}.other` },
];
