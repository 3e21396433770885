import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../packages/server/src/db/database.ts";
import { readRoles } from "../../packages/server/src/db/migrate.ts";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { sqlState } from "../../packages/server/src/lib/cause.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { type TestDatabase, testDatabase } from "../../packages/server/src/testing/database.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// Two workspaces that are as alike as can be: the same people, the same provider ids, the same idempotency keys. Whatever a
// function does with interleaved rows of both, each sees its own rows and none of the other's.

const PEOPLE = ["+15551230001", "+15551230002", "+15551230003"];
const NOW = Date.now();
const AT = new Date(NOW).toISOString();
const WORKER = newUuid(NOW);
const SLOTS = 64;

let database: TestDatabase;
let db: Database;
let tenants: [Tenant, Tenant];

beforeAll(async () => {
  database = await testDatabase();
  const roles = await readRoles(database.url);
  db = openDatabase({ url: database.url, appRole: roles?.appRole ?? "", onError: () => {} });
  await db.sql.run(
    "insert into worker (id, roles, version, expires_at) values ($1, '{dispatch}', 'test', now() + interval '1 hour')",
    [WORKER],
  );
  await db.sql.run("update slot set owner = $1, epoch = 1", [WORKER]);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const call = <Answer extends object>(name: string, rows: readonly object[]): Promise<Answer[]> => {
  const fn = HOT_FUNCTIONS.find((each) => each.name === name);
  if (!fn) throw new Error(`no function ${name}`);
  return db.call<Answer>(
    fn,
    rows.map((row) => JSON.stringify(row)),
    NOW,
  );
};

/** Whose row it is (0 or 1), and one of a few people, keys and provider ids that both have. */
const mixed = fc.array(
  fc.record({ whose: fc.constantFrom(0, 1), person: fc.nat(2), key: fc.option(fc.nat(3), { nil: null }) }),
  {
    minLength: 2,
    maxLength: 12,
  },
);
type Mixed = { whose: number; person: number; key: number | null };
const owner = ({ whose }: { whose: number }): Tenant => tenants[whose === 0 ? 0 : 1];
const RUNS = { numRuns: 12 };

async function check(property: (rows: Mixed[]) => Promise<void>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(mixed, async (rows) => {
      tenants = [await makeTenant(db, PEOPLE[0] ?? "", NOW), await makeTenant(db, PEOPLE[0] ?? "", NOW)];
      await property(rows);
      await expectWalls();
    }),
    RUNS,
  );
}

type Accepted = { outcome: string; resource: string; contact_id: string; slot: number };

const acceptRow = (row: Mixed, more: object = {}): { row: Mixed; id: string; text: object } => {
  const tenant = owner(row);
  const id = newUuid(NOW);
  return {
    row,
    id,
    text: {
      workspace_id: tenant.workspace,
      id,
      public_id: `msg_${id}`,
      key: row.key === null ? null : `0${row.key}`,
      fingerprint: "00",
      phone: PEOPLE[row.person],
      contact_id: null,
      user_id: null,
      new_contact_id: newUuid(NOW),
      phone_number_id: tenant.number,
      sender: "+15550000000",
      type: "template",
      content: { of: row.whose },
      template_id: tenant.template,
      template_revision: 1,
      category: "utility",
      reply_to: null,
      reference: `of ${row.whose}`,
      send_at: null,
      expires_at: null,
      resend_once: false,
      now: AT,
      activity: { action: "message.create", actor_type: "system" },
      ...more,
    },
  };
};

async function accept(rows: readonly Mixed[]) {
  const asked = rows.map((row) => acceptRow(row));
  const texts = asked.map(({ text }) => text);
  // Two rows of one batch with one key are refused together (21000) and then called one by one, as the batcher does.
  const answers = await call<Accepted>("accept_messages", texts).catch(async (error: unknown) => {
    if (sqlState(error) !== "21000") throw error;
    const alone: Accepted[] = [];
    for (const text of texts) alone.push(...(await call<Accepted>("accept_messages", [text])));
    return alone;
  });
  return asked.map((one, index) => ({ ...one, answer: answers[index] as Accepted }));
}

describe("rows of two workspaces in one call do not meet", () => {
  it("accept_messages: keys, contacts and messages are each workspace's own", async () => {
    await check(async (rows) => {
      const first = new Map<string, string>();
      for (const { row, id, answer } of await accept(rows)) {
        const key = `${row.whose} ${row.key}`;
        const earlier = row.key === null ? undefined : first.get(key);
        // A replay names the first of the own workspace, never the other's with the same key.
        expect(answer).toMatchObject(
          earlier === undefined ? { outcome: "accepted", resource: id } : { outcome: "replay", resource: earlier },
        );
        if (earlier === undefined) first.set(key, `msg_${id}`);
      }
    });
  });

  it("accept_messages: ids of the other's number, template, contact or message are unknown", async () => {
    await check(async (rows) => {
      const others = await accept(rows.map((row) => ({ ...row, key: null })));
      for (const { row, answer, id } of others) {
        const mine = { whose: 1 - row.whose, person: row.person, key: null };
        const theirs = owner(row);
        const outcomes = await call<Accepted>("accept_messages", [
          acceptRow(mine, { phone_number_id: theirs.number }).text,
          acceptRow(mine, { template_id: theirs.template }).text,
          acceptRow(mine, { phone: null, contact_id: answer.contact_id }).text,
          acceptRow(mine, { reply_to: id }).text,
        ]);
        expect(outcomes.map(({ outcome }) => outcome)).toEqual([
          "sender_unavailable",
          "template_not_found",
          "reference_not_found",
          "reference_not_found_reply_to",
        ]);
      }
    });
  });

  it("begin_sends, settle_sends: an attempt is begun and settled for its own workspace alone", async () => {
    await check(async (rows) => {
      const sent = await accept(rows.map((row) => ({ ...row, key: null })));
      const queue = await queueRows("dispatch", "message_id");
      const intents = sent.map(({ row, id }) => {
        const place = queue.get(id);
        return {
          slot: place?.slot,
          seq: place?.seq,
          workspace_id: owner(row).workspace,
          message_id: id,
          attempt: 0,
          worker: WORKER,
          epoch: 1,
          state: 0,
        };
      });
      // The other workspace's name on the row begins nothing and shows nothing.
      const crossed = intents.map((intent, index) => ({
        ...intent,
        workspace_id: owner({ whose: 1 - (sent[index]?.row.whose ?? 0) }).workspace,
      }));
      for (const answer of await call("begin_sends", crossed))
        expect(answer).toMatchObject({ outcome: "no", content: null });
      const begun = await call<{ outcome: string; content: string }>("begin_sends", intents);
      expect(begun.map(({ outcome, content }) => [outcome, content])).toEqual(
        sent.map(({ row }) => ["go", JSON.stringify({ of: row.whose })]),
      );

      const results = intents.map((intent, index) => ({
        ...intent,
        attempt: 1,
        outcome: "accepted",
        at: AT,
        // The provider's ids are the same in both workspaces.
        provider_message_id: `wamid.${sent.slice(0, index).filter(({ row }) => row.whose === sent[index]?.row.whose).length}`,
        error: null,
        due: null,
        lane: 1,
        recipient: "1",
      }));
      await call(
        "settle_sends",
        results.map((result, index) => ({
          ...result,
          outcome: "expired",
          provider_message_id: null,
          workspace_id: crossed[index]?.workspace_id,
        })),
      );
      expect((await queueRows("dispatch", "message_id")).size).toBe(queue.size);
      await call("settle_sends", results);
      for (const { row, id } of sent) expect(await ranks(owner(row), id)).toEqual([3]);
      for (const { row, id } of sent) expect(await ranks(owner({ whose: 1 - row.whose }), id)).toEqual([]);

      // Statuses by the provider's id reach the message of the workspace they were routed to.
      const reported = await call<{ message_id: string }>(
        "report_statuses",
        results.map(({ workspace_id, provider_message_id }) => ({
          workspace_id,
          message_id: null,
          provider_message_id,
          bit: 16,
          at: AT,
          error: null,
          pricing: null,
        })),
      );
      expect(reported.map(({ message_id }) => message_id)).toEqual(sent.map(({ id }) => id));
    });
  });

  it("receive_messages: one person writes to both, and each has their own contact, window and message", async () => {
    await check(async (rows) => {
      const asked = rows.map((row, index) => ({
        workspace_id: owner(row).workspace,
        id: newUuid(NOW),
        phone_number_id: owner(row).number,
        // Both workspaces may hear the same provider id.
        provider_message_id: `wamid.in.${row.key ?? `x${index}`}`,
        new_contact_id: newUuid(NOW),
        phone: PEOPLE[row.person],
        wa_id: PEOPLE[row.person]?.slice(1),
        user_id: null,
        name: `known to ${row.whose}`,
        type: "text",
        content: { of: row.whose },
        reply_to_provider_id: null,
        opens_window: true,
        at: AT,
      }));
      const answers = await call<{ outcome: string }>("receive_messages", asked);
      const seen = new Set<string>();
      for (const [index, { outcome }] of answers.entries()) {
        const mark = `${asked[index]?.workspace_id} ${asked[index]?.provider_message_id}`;
        expect(outcome).toBe(seen.has(mark) ? "repeated" : "received");
        seen.add(mark);
      }
      for (const whose of [0, 1]) {
        const names = await db.read(owner({ whose }).workspace, (sql) =>
          sql.query<{ name: string }>("select distinct name from contact where name is not null"),
        );
        expect(names).toEqual(rows.some((row) => row.whose === whose) ? [{ name: `known to ${whose}` }] : []);
      }
    });
  });

  it("load_deliveries, deliver_outcomes: an endpoint hears and is blamed for its own workspace's events alone", async () => {
    await check(async (rows) => {
      await accept(rows.map((row) => ({ ...row, key: null, person: 1 + (row.person % 2) })));
      const queue = [...(await queueRows("deliver", "event_id")).entries()];
      const load = queue.map(([event_id, place]) => ({ ...place, event_id, conversation: "1", body: true }));
      const other = (workspace: string): Tenant => (tenants[0].workspace === workspace ? tenants[1] : tenants[0]);
      const crossed = await call<Record<string, unknown>>(
        "load_deliveries",
        load.map((row) => ({ ...row, workspace_id: other(row.workspace_id).workspace })),
      );
      for (const answer of crossed) expect(answer).toMatchObject({ endpoint_id: null, kind: null, contact: null });
      const own = await call<{ endpoint_id: string; contact: { workspace_id: string } }>("load_deliveries", load);
      for (const [index, answer] of own.entries()) {
        const mine = tenants.find(({ workspace }) => workspace === load[index]?.workspace_id);
        expect(answer.endpoint_id).toBe(mine?.endpoint);
        expect(answer.contact.workspace_id).toBe(mine?.workspace);
      }
      const outcome = (row: (typeof load)[number], workspace: string, endpoint: string) => ({
        slot: row.slot,
        seq: row.seq,
        workspace_id: workspace,
        delivery_id: newUuid(NOW),
        event_id: row.event_id,
        endpoint_id: endpoint,
        kind: "contact_created",
        created_at: AT,
        result: "gone",
        due: null,
        entry: null,
        record: false,
      });
      // Another's name on the row deletes no queue row and switches no endpoint off.
      await call(
        "deliver_outcomes",
        load.map((row) => ({
          ...outcome(row, other(row.workspace_id).workspace, own[0]?.endpoint_id ?? ""),
          result: "dropped",
        })),
      );
      expect((await queueRows("deliver", "event_id")).size).toBe(queue.length);
      const [first] = load;
      if (!first) return;
      const mine = tenants.find(({ workspace }) => workspace === first.workspace_id) as Tenant;
      await call("deliver_outcomes", [
        outcome(first, other(first.workspace_id).workspace, mine.endpoint),
        outcome(first, mine.workspace, mine.endpoint),
      ]);
      expect(await enabled(mine)).toEqual([false]);
      expect(await enabled(other(mine.workspace))).toEqual([true]);
    });
  });

  it("begin_tasks, end_tasks, touch_keys, upsert_templates, disconnect_accounts: another's name on a row does nothing", async () => {
    await check(async () => {
      const [one, two] = tenants;
      const before = await whole(one);
      await call("end_tasks", [
        {
          slot: 0,
          seq: 1,
          workspace_id: two.workspace,
          job_id: newUuid(NOW),
          outcome: "done",
          error: null,
          due: null,
          attempt: 0,
          crashed: false,
        },
      ]);
      await call("begin_tasks", [{ slot: 0, seq: 1, workspace_id: two.workspace, job_id: newUuid(NOW) }]);
      await call("touch_keys", [{ workspace_id: two.workspace, key_id: newUuid(NOW), at: AT }]);
      const [disconnected] = await call<{ changed: boolean }>("disconnect_accounts", [
        { workspace_id: two.workspace, id: one.account, reason: "test", provider_event: null, tell: true },
      ]);
      expect(disconnected?.changed).toBe(false);
      await expect(
        call("upsert_templates", [
          {
            workspace_id: two.workspace,
            business_account_id: one.account,
            id: newUuid(NOW),
            provider_template_id: "1",
            name: "hello",
            language: "en",
            category: "marketing",
            status: "rejected",
            quality: "red",
            parameter_format: "positional",
            components: [],
            rejection_reason: null,
            first: false,
            read_at: AT,
          },
        ]),
      ).rejects.toMatchObject({ code: "23503" });
      expect(await whole(one)).toEqual(before);
    });
  });
});

type Place = { slot: number; lane: number; seq: number; workspace_id: string };

/** The queue rows of both workspaces, as each of them sees its own. */
async function queueRows(table: string, item: string): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  for (const { workspace } of tenants) {
    const rows = await db.read(workspace, (sql) =>
      sql.query<Place & { item: string }>(`select slot, lane, seq, workspace_id, ${item} as item from ${table}`),
    );
    for (const { item: id, ...place } of rows) places.set(id, place);
  }
  return places;
}

const ranks = async (tenant: Tenant, id: string): Promise<number[]> =>
  (
    await db.read(tenant.workspace, (sql) =>
      sql.query<{ rank: number }>("select rank from message_state where id = $1", [id]),
    )
  ).map(({ rank }) => rank);

const enabled = async (tenant: Tenant): Promise<boolean[]> =>
  (
    await db.read(tenant.workspace, (sql) => sql.query<{ enabled: boolean }>("select enabled from webhook_endpoint"))
  ).map((row) => row.enabled);

const whole = (tenant: Tenant): Promise<object[]> =>
  db.read(tenant.workspace, (sql) =>
    sql.query(
      `select (select json_agg(a.*) from business_account a) as accounts, (select json_agg(t.*) from template t) as templates,
         (select json_agg(w.*) from webhook_endpoint w) as endpoints, (select count(*) from event) as events`,
    ),
  );

/** Whatever was written: every row refers to rows of its own workspace, and says whose it is in its content too. */
async function expectWalls(): Promise<void> {
  for (const [whose, tenant] of tenants.entries()) {
    const [found] = await db.read(tenant.workspace, (sql) =>
      sql.query<Record<string, number>>(
        `select
           (select count(*) from message m where m.content->>'of' <> $1) as foreign_content,
           (select count(*) from message m where not exists (select from contact c where c.id = m.contact_id)) as foreign_contact,
           (select count(*) from message m where m.phone_number_id <> $2) as foreign_number,
           (select count(*) from message_state s where not exists (select from message m where m.id = s.id)) as foreign_state,
           (select count(*) from message m where not exists (select from message_state s where s.id = m.id)) as stateless,
           (select count(*) from history h where not exists (select from message m where m.id = h.message_id)) as foreign_history,
           (select count(*) from event e where e.message_id is not null and not exists (select from message m where m.id = e.message_id)) as foreign_event,
           (select count(*) from deliver d where not exists (select from event e where e.id = d.event_id)) as foreign_delivery,
           (select count(*) from deliver d where d.lane <> $3 or d.slot <> $3 % ${SLOTS}) as foreign_lane,
           (select count(*) from dispatch d where d.lane <> $4) as foreign_sender,
           (select count(*) from conversation v where not exists (select from contact c where c.id = v.contact_id)) as foreign_conversation,
           (select count(*) from provider_message p where not exists (select from message m where m.id = p.message_id)) as foreign_provider_id,
           (select count(*) from attempt a where not exists (select from message m where m.id = a.message_id)) as foreign_attempt`,
        [String(whose), tenant.number, tenant.endpointLane, tenant.numberLane],
      ),
    );
    expect(Object.entries(found ?? {}).filter(([, count]) => count !== 0)).toEqual([]);
  }
}
