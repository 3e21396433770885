import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensurePartitions } from "../../packages/server/src/db/partitions.ts";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { urlOf } from "../../packages/server/src/testing/template.ts";
import { adminUrl } from "./databases.ts";
import { acceptRow, endTaskRow, intentRow, receiveRow, reportRow, templateRow } from "./hot-rows.ts";
import { AT, NOW, type Owned, ownedDatabase } from "./owned.ts";
import { lastNumbers, openStage, STATES, type Stage } from "./plan-states.ts";
import { makeTenant } from "./rows.ts";

// Each hot function on tables as they are in the first minute, after a busy day, and in a backlog: what is known of them was
// learned at another time. What a function does is read from the server itself, by auto_explain with every nested statement.

/** Maintenance and rare operators' reads, which walk a table by design, in bounded pieces; `share_demand`: one row a process. */
const WALKERS = /^(prune_|queue_needs|list_|share_demand|replay_reason)/;
const DAY_MS = 86_400_000;

let database: Owned;
let stage: Stage | null = null;
let why = "";

beforeAll(async () => {
  const url = await adminUrl();
  if (url === null) {
    why = "auto_explain can be loaded by a superuser alone, and the login of DATABASE_URL is none";
    return;
  }
  database = await ownedDatabase();
  for (const days of [44, 28, 13]) await ensurePartitions(database.db.sql, NOW - days * DAY_MS);
  stage = await openStage(urlOf(url, new URL(database.url).pathname.slice(1)));
  if (!stage) why = "the server has no auto_explain";
}, 120_000);
afterAll(async () => {
  await stage?.close();
  await database?.drop();
});

describe("plans of all hot functions", () => {
  it.for(STATES)(
    "go by the index that knows most, to the rows they need alone, on tables $what",
    {
      timeout: 120_000,
    },
    async ({ prepare, mostPages }, context) => {
      if (!stage) return context.skip(why);
      const tenant = await makeTenant(database.db, "+15551230001", NOW);
      await prepare(stage, tenant);
      const { admin, explainer } = stage.session();
      const { explain, called, faults } = explainer;
      explainer.begin();
      const { rows: days } = await admin.query("select from pg_inherits where inhparent = 'event'::regclass");
      expect(days).toHaveLength(60);
      const seen = await lastNumbers(admin);
      const three = [0, 1, 2];
      const { workspace, account, number, numberLane, endpoint, endpointLane } = tenant;
      const uuids = three.map(() => newUuid(NOW));
      const run = uuids[0];

      // A send, from accept to its report.
      const accept = (reply: string | null) =>
        three.map((index) =>
          acceptRow(tenant, {
            ...(reply === null ? { id: uuids[index] } : {}),
            public_id: `msg_${index}`,
            key: `${reply === null ? "a" : "b"}${index}`,
            phone: `+1555123000${index}`,
            reply_to: reply,
          }),
        );
      await explain("accept_messages", accept(null));
      const answers = await explain("accept_messages", accept(uuids[0] ?? ""));
      expect(answers.map((answer) => answer["outcome"])).toEqual(["accepted", "accepted", "accepted"]);
      await explain(
        "read_settled",
        uuids.map((id) => ({ workspace_id: workspace, id })),
      );

      const sends = await explain("dispatch_tail", [{ slot: numberLane % 64, lo: seen.dispatch, most: 1_000 }]);
      expect(sends).toHaveLength(6);
      const intent = (row: Record<string, unknown>) =>
        intentRow({ slot: row["slot"], seq: row["seq"] }, workspace, row["item_id"]);
      const begun = await explain(
        "begin_sends",
        sends.map((row) => ({ ...intent(row), attempt: 0, state: 0 })),
      );
      expect(new Set(begun.map((row) => row["outcome"]))).toEqual(new Set(["go"]));
      const started = await explain(
        "dispatch_started",
        sends.map((row) => ({ slot: row["slot"], seq: row["seq"] })),
      );
      expect(started).toHaveLength(6);
      const outcomes = ["accepted", "failed", "unknown", "retry", "accepted", "accepted"];
      await explain(
        "settle_sends",
        sends.map((row, index) => ({
          ...intent(row),
          attempt: 1,
          outcome: outcomes[index],
          at: AT,
          provider_message_id: outcomes[index] === "accepted" ? `wamid.out.${run}.${index}` : null,
          error: null,
          due: outcomes[index] === "retry" || outcomes[index] === "unknown" ? AT : null,
          lane: numberLane,
          recipient: "1",
        })),
      );
      await explain("dispatch_held", [{ slot: numberLane % 64 }]);
      await explain("dispatch_defer", [
        { slot: numberLane % 64, lane: numberLane, seq: sends[3]?.["seq"], workspace_id: workspace, key: "1", due: AT },
      ]);
      await explain("dispatch_unhold", [
        { slot: numberLane % 64, lane: numberLane, workspace_id: workspace, key: "1", until: AT },
      ]);
      await explain(
        "take_reports",
        [0, 4, 5].map((index) => reportRow(workspace, `wamid.out.${run}.${index}`)),
      );
      await explain("senders_of_lanes", [{ lane: numberLane }]);
      await explain("senders_of_workspaces", [{ workspace_id: workspace }]);
      await explain("find_templates", [
        { workspace_id: workspace, business_account_id: account, name: "hello", language: "en" },
      ]);

      // Inbound, from the callback to the message.
      await explain(
        "store_callbacks",
        uuids.map((id) => ({ id, lane: 5, body: "e30=" })),
      );
      await explain(
        "load_callbacks",
        uuids.map((id) => ({ id })),
      );
      const callbacks = await explain("ingest_tail", [{ slot: 5, lo: seen.ingest, most: 1_000 }]);
      await explain(
        "finish_ingest",
        callbacks.map((row) => ({
          slot: 5,
          seq: row["seq"],
          callback_id: row["item_id"],
          due: null,
          quarantine: [
            {
              id: newUuid(NOW),
              reason: "unowned",
              provider_phone_number_id: "1",
              provider_account_id: null,
              change: null,
            },
          ],
        })),
      );
      await explain("find_listeners", [{ workspace_id: workspace }]);
      await explain("find_routes", [{ provider_phone_number_id: "1", provider_account_id: null }]);
      await explain("replay_quarantine", [{ provider_phone_number_id: "1", provider_account_id: null }]);
      await explain("replay_quarantined", [{ id: uuids[0] }]);
      await explain("replay_due", [{ due: AT, most: 10 }]);
      await explain("join_parked", [{ to: AT }]);
      await explain("trim_parked", [{ workspace_id: workspace, phone_number_id: number }]);
      await explain(
        "take_reports",
        three.map((index) =>
          receiveRow(tenant, `+1555123000${index}`, `wamid.in.${run}.${index}`, {
            name: "A",
            reply_to_provider_id: `wamid.out.${run}.0`,
          }),
        ),
      );

      // Deliveries.
      const deliveries = (
        await explain("deliver_tail", [{ slot: endpointLane % 64, lo: seen.deliver, most: 1_000 }])
      ).slice(0, 3);
      expect(deliveries).toHaveLength(3);
      const place = (row: Record<string, unknown>) => ({
        slot: row["slot"],
        lane: endpointLane,
        seq: row["seq"],
        workspace_id: workspace,
        event_id: row["event_id"],
      });
      await explain("endpoint_lanes", [{ lane: endpointLane }]);
      await admin.query("update webhook_endpoint set ordered = true");
      await explain(
        "load_deliveries",
        deliveries.map((row) => ({ ...place(row), conversation: row["key"], body: true })),
      );
      await explain("deliver_defer", [{ ...place(deliveries[2] ?? {}), due: AT }]);
      await explain(
        "deliver_outcomes",
        deliveries.map((row, index) => ({
          ...place(row),
          delivery_id: row["item_id"],
          endpoint_id: endpoint,
          kind: "sent",
          created_at: AT,
          result: ["succeeded", "retry", "gone"][index],
          due: index === 1 ? AT : null,
          entry: {
            n: 1,
            started_at: AT,
            duration_ms: 1,
            status_code: 200,
            outcome: "succeeded",
            error: null,
            response: null,
          },
          record: true,
        })),
      );

      // The rest of the lanes' reads.
      for (const queue of ["dispatch", "deliver", "ingest", "task"]) {
        await explain(`${queue}_lanes`, [{ slot: 5 }]);
        await explain(`${queue}_fresh`, [{ slot: 5, lane: 5, lo: 0, most: 200 }]);
        await explain(`${queue}_due`, [{ slot: 5, lane: 5, due: "-infinity", seq: 0 }]);
      }
      await explain("task_tail", [{ slot: 5, lo: 0, most: 1_000 }]);
      await explain("begin_tasks", [{ slot: 5, seq: 1, workspace_id: workspace, job_id: newUuid(NOW) }]);
      await explain("end_tasks", [endTaskRow({ slot: 5, seq: 1 }, workspace)]);

      // Keys, audit, accounts, and events of verbs.
      await explain("emit_events", [
        { workspace_id: workspace, kind: "account_changed", resource_id: account, state: {}, conversation: account },
      ]);
      await explain("authenticate_keys", [{ digest: "00" }]);
      await explain("touch_keys", [{ workspace_id: workspace, key_id: newUuid(NOW), at: AT }]);
      await explain("record_activities", [
        { workspace_id: workspace, id: newUuid(NOW), at: AT, actor_type: "system", action: "a.b" },
      ]);
      await explain("claim_routes", [{ kind: "number", provider_id: "x", workspace_id: workspace, id: number }]);
      await explain("disconnect_accounts", [
        { workspace_id: workspace, id: account, reason: "x", provider_event: null, tell: true },
      ]);
      await explain("upsert_templates", [templateRow(workspace, account, {})]);

      const left = HOT_FUNCTIONS.map(({ name }) => name).filter((name) => !called().has(name) && !WALKERS.test(name));
      expect(left).toEqual([]);
      expect(faults(mostPages)).toEqual([]);
    },
  );
});
