import { describe, expect, it } from "vitest";
import type { AcceptRow } from "../../packages/server/src/features/messages/accept/accept-input.ts";
import { sqlState } from "../../packages/server/src/lib/error-fields.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { acceptRow, endTaskRow, intentRow, receiveRow, reportRow, templateRow } from "./hot-rows.ts";
import { AT, NOW } from "./owned.ts";
import type { Tenant } from "./rows.ts";
import { call, check, db, type Mixed, owner, PEOPLE, queueRows, tenants, useTwoTenants } from "./two-tenants.ts";

// Two workspaces that are as alike as can be: the same people, the same provider ids, the same idempotency keys. Whatever a
// function does with interleaved rows of both, each sees its own rows and none of the other's.

useTwoTenants();

type Accepted = { outcome: string; resource: string; contact_id: string; slot: number };

const asked = (row: Mixed, more: Partial<AcceptRow> = {}): { row: Mixed; id: string; text: object } => {
  const id = newUuid(NOW);
  const text = acceptRow(owner(row), {
    id,
    public_id: `msg_${id}`,
    key: row.key === null ? null : `0${row.key}`,
    phone: PEOPLE[row.person],
    content: { of: row.whose },
    reference: `of ${row.whose}`,
    ...more,
  });
  return { row, id, text };
};

async function accept(rows: readonly Mixed[]) {
  const all = rows.map((row) => asked(row));
  const texts = all.map(({ text }) => text);
  // Two rows of one batch with one key are refused together (21000) and then called one by one, as the batcher does.
  const answers = await call<Accepted>("accept_messages", texts).catch(async (error: unknown) => {
    if (sqlState(error) !== "21000") throw error;
    const alone: Accepted[] = [];
    for (const text of texts) alone.push(...(await call<Accepted>("accept_messages", [text])));
    return alone;
  });
  return all.map((one, index) => ({ ...one, answer: answers[index] as Accepted }));
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
          earlier === undefined ? { outcome: "accepted", resource: null } : { outcome: "replay", resource: earlier },
        );
        expect(await ranks(owner(row), id)).toHaveLength(earlier === undefined ? 1 : 0);
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
          asked(mine, { phone_number_id: theirs.number }).text,
          asked(mine, { template_id: theirs.template }).text,
          asked(mine, { phone: null, contact_id: answer.contact_id }).text,
          asked(mine, { reply_to: id }).text,
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
        const intent = intentRow({ slot: place?.slot, seq: place?.seq }, owner(row).workspace, id);
        return { ...intent, attempt: 0, state: 0 };
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
        "take_reports",
        results.map(({ provider_message_id }, index) =>
          reportRow(owner(sent[index]?.row ?? { whose: 0 }), provider_message_id),
        ),
      );
      expect(reported.map(({ message_id }) => message_id)).toEqual(sent.map(({ id }) => id));
    });
  });

  it("take_reports: one person writes to both, and each has their own contact, window and message", async () => {
    await check(async (rows) => {
      const inbound = rows.map((row, index) =>
        // Both workspaces may hear the same provider id.
        receiveRow(owner(row), PEOPLE[row.person] ?? "", `wamid.in.${row.key ?? `x${index}`}`, {
          profile_name: `known to ${row.whose}`,
          content: { of: row.whose },
        }),
      );
      const answers = await call<{ outcome: string }>("take_reports", inbound);
      const seen = new Set<string>();
      for (const [index, { outcome }] of answers.entries()) {
        const mark = `${inbound[index]?.workspace_id} ${inbound[index]?.provider_message_id}`;
        expect(outcome).toBe(seen.has(mark) ? "repeated" : "received");
        seen.add(mark);
      }
      for (const whose of [0, 1]) {
        const names = await db.read(owner({ whose }).workspace, (sql) =>
          sql.query<{ name: string }>(
            "select distinct profile_name as name from contact where profile_name is not null",
          ),
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
      const own = await call<{ endpoint_id: string; contact: { id: string } }>("load_deliveries", load);
      for (const [index, answer] of own.entries()) {
        const mine = tenants.find(({ workspace }) => workspace === load[index]?.workspace_id);
        expect(answer.endpoint_id).toBe(mine?.endpoint);
        expect(mine && (await contactsOf(mine))).toContain(answer.contact.id);
      }
      const outcome = (row: (typeof load)[number], workspace: string, endpoint: string) => ({
        slot: row.slot,
        seq: row.seq,
        workspace_id: workspace,
        delivery_id: newUuid(NOW),
        event_id: row.event_id,
        endpoint_id: endpoint,
        endpoint_version: 1,
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
      await call("end_tasks", [endTaskRow({ slot: 0, seq: 1 }, two.workspace)]);
      await call("begin_tasks", [{ slot: 0, seq: 1, workspace_id: two.workspace, job_id: newUuid(NOW) }]);
      await call("touch_keys", [{ workspace_id: two.workspace, key_id: newUuid(NOW), at: AT }]);
      const [disconnected] = await call<{ changed: boolean }>("disconnect_accounts", [
        { workspace_id: two.workspace, id: one.account, reason: "test", provider_event: null, with_event: true },
      ]);
      expect(disconnected?.changed).toBe(false);
      await expect(
        call("upsert_templates", [
          templateRow(two.workspace, one.account, { category: "marketing", status: "rejected" }),
        ]),
      ).rejects.toMatchObject({ code: "23503" });
      expect(await whole(one)).toEqual(before);
    });
  });
});

const contactsOf = async (tenant: Tenant): Promise<string[]> => {
  const rows = await db.read(tenant.workspace, (sql) => sql.query<{ id: string }>("select id from contact"));
  return rows.map(({ id }) => id);
};

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
