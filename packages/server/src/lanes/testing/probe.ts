import { vi } from "vitest";
import { BatchedCalls } from "../../db/batched.ts";
import { type Database, openDatabase } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { newUuid } from "../../lib/ids.ts";
import { createLog } from "../../lib/log.ts";
import { withClient } from "../../testing/client.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { type Lanes, startLanes } from "../engine.ts";
import type { Disposition, LaneClaim, LaneKind, LaneSettings, QueueRow } from "../kind.ts";
import { SLOTS, slotOf } from "../lane-kinds.ts";
import { type Notifier, openNotifier } from "../ownership/notifier.ts";
import type { HandedRow } from "../queue.ts";
import {
  addRows,
  beginRows,
  endRows,
  holdKey,
  lookHeld,
  lookJoined,
  lookRows,
  PROBE_FUNCTIONS,
  probeQueue,
} from "./probe.sql.ts";
import { laneSettings } from "./rows.ts";

export type NewRow = { lane: number; recipient?: number; due?: number };
export type Sent = { engine: number; lane: number; key: string; seq: number; attempt: number; itemId: string };
export type TableRow = { lane: number; seq: number; recipient: string; attempt: number; state: number; due: number };

/** How the receiver answers a send; `never` leaves it in flight. */
export type Answer = "done" | "unknown" | "never" | { retryMs: number };

export type ProbeOptions = {
  leaseMs?: number;
  settings?: (lane: number) => Partial<LaneSettings> | null;
  answer?: (row: QueueRow, claim: LaneClaim) => Answer | Promise<Answer>;
  /** Between the committed intent and the write. */
  beforeWrite?: (row: QueueRow) => Promise<void> | void;
  /** Between the answer and the outcome. */
  beforeOutcome?: (row: QueueRow) => Promise<void> | void;
  settleAfterMs?: number;
  /** Recipients may be joined (`Probe.join`): each attempt asks for it. */
  joins?: boolean;
  buffer?: number;
  /** Of the engine, not of its lease. */
  clock?: Clock;
  /** Wraps the engine's database, to lose an answer for instance. */
  database?: (db: Database) => Database;
};

export type Engine = { lanes: Lanes; db: Database; notifier: Notifier; stop(): Promise<void> };

/** A database with the queue, and engines on it that share one receiver. */
export type Probe = {
  database: TestDatabase;
  db: Database;
  /** Every row that was written to the receiver, in order. */
  sent: Sent[];
  add(rows: readonly NewRow[]): Promise<number[]>;
  /** The same, and gives the rows as the call that has committed them may hand them over. */
  addToHand(rows: readonly NewRow[]): Promise<HandedRow[]>;
  table(): Promise<TableRow[]>;
  held(): Promise<{ lane: number; recipient: string; seq: number }[]>;
  /** A hold as a former owner would have left it. */
  hold(held: { lane: number; recipient: number; seq: number; until: number }): Promise<void>;
  /** The recipients are one person from now on. */
  join(recipients: readonly number[]): Promise<void>;
  intents(): Promise<{ message_id: string; attempt: number; n: number }[]>;
  engine(options?: ProbeOptions): Promise<Engine>;
  /** Waits until every slot is worked; leaves no trace. */
  warm(): Promise<void>;
  stop(): Promise<void>;
};

export const WORKSPACE = newUuid(1_700_000_000_000);

const queued = (row: NewRow) => ({
  lane: row.lane,
  due: row.due === undefined ? null : new Date(row.due).toISOString(),
  workspace_id: WORKSPACE,
  message_id: newUuid(Date.now()),
  recipient: row.recipient ?? 1,
});

export const rowText = (row: NewRow): string => JSON.stringify(queued(row));

/** As many new rows, by their number from 0. */
export const many = (count: number, of: (n: number) => NewRow): NewRow[] =>
  Array.from({ length: count }, (_, n) => of(n));

export const seqsOf = (sent: readonly Sent[]): number[] => sent.map(({ seq }) => seq);

export async function startProbe(): Promise<Probe> {
  const database = await testDatabase();
  const { appRole, engineRole } = await migrate(database.url, {
    functions: PROBE_FUNCTIONS,
    slots: SLOTS,
    now: Date.now(),
  });
  await withClient(database.url, (client) =>
    client.query(
      `create table probe_intent (message_id uuid, attempt smallint, worker uuid); grant insert on probe_intent to "${engineRole}";
      create table probe_joined (recipient bigint primary key, person bigint); grant select on probe_joined to "${engineRole}"`,
    ),
  );
  const open = (): Database => openDatabase({ url: database.url, appRole, onError: () => undefined });
  const db = open();
  const sent: Sent[] = [];
  const engines: Engine[] = [];

  const addToHand: Probe["addToHand"] = async (rows) => {
    const added = rows.map(queued);
    const answers = await db.call(addRows, added, Date.now());
    return added.map(({ lane, workspace_id, message_id, recipient }, index) => ({
      slot: slotOf(lane),
      lane,
      seq: answers[index]?.seq ?? 0,
      workspace_id,
      item_id: message_id,
      event_id: null,
      key: String(recipient),
      expires_at: null,
    }));
  };
  const add: Probe["add"] = async (rows) => (await addToHand(rows)).map(({ seq }) => seq);
  const table: Probe["table"] = () => db.call(lookRows, [], Date.now());

  async function engine(options: ProbeOptions = {}): Promise<Engine> {
    const own = options.database?.(open()) ?? open();
    const log = createLog("silent");
    const notifier = await openNotifier(database.url, log);
    const clock = options.clock ?? systemClock();
    const number = engines.length;
    const kind = probeKind(own, options, (row, attempt) =>
      sent.push({ engine: number, lane: row.lane, key: row.key ?? "", seq: row.seq, attempt, itemId: row.itemId }),
    );
    const lanes = await startLanes({
      kinds: [kind],
      roles: ["dispatch"],
      version: "0.0.0",
      leaseMs: options.leaseMs ?? 12_000,
      ...(options.buffer === undefined ? {} : { buffer: options.buffer }),
      db: own,
      clock,
      log,
      notifier,
      random: Math.random,
    });
    let stopped = false;
    const started = {
      lanes,
      db: own,
      notifier,
      async stop() {
        if (stopped) return;
        stopped = true;
        await lanes.stop();
        await notifier.close();
        await own.close();
      },
    };
    engines.push(started);
    return started;
  }

  return {
    database,
    db,
    sent,
    engine,
    add,
    addToHand,
    table,
    held: () => db.call(lookHeld, [], Date.now()),
    hold: async (held) =>
      void (await db.call(
        holdKey,
        [{ ...held, workspace_id: WORKSPACE, until: new Date(held.until).toISOString() }],
        Date.now(),
      )),
    join: (recipients) =>
      withClient(database.url, async (client) => {
        const values = recipients.map((recipient) => `(${recipient}, ${recipients[0]})`);
        await client.query(`insert into probe_joined values ${values.join(", ")}`);
      }),
    intents: () =>
      db.sql.query("select message_id, attempt, count(*)::int as n from probe_intent group by message_id, attempt"),
    async warm() {
      await add(Array.from({ length: SLOTS }, (_, lane) => ({ lane })));
      await vi.waitUntil(async () => (await table()).length === 0, { timeout: 30_000, interval: 20 });
      sent.length = 0;
    },
    async stop() {
      await Promise.all(engines.map((one) => one.stop()));
      await db.close();
      await database.drop();
    },
  };
}

function probeKind(db: Database, options: ProbeOptions, write: (row: QueueRow, attempt: number) => void): LaneKind {
  const clock = systemClock();
  const begin = new BatchedCalls({ db, clock, fn: beginRows, group: () => "" });
  const end = new BatchedCalls({ db, clock, fn: endRows, group: () => "" });
  const joined = new BatchedCalls({ db, clock, fn: lookJoined, group: () => "" });

  async function work(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    const { slot, seq, attempt } = row;
    const { keys } = options.joins ? await joined.submit({ recipient: row.key ?? "0" }) : { keys: null };
    if (keys !== null && keys.length > claim.joinedWith(row)) return { kind: "joined", keys };
    const intent = { slot, seq, workspace_id: row.workspaceId, message_id: row.itemId, attempt };
    const answer = await begin.submit({ ...intent, worker: claim.worker, epoch: claim.epoch, fenced: true });
    if (!answer.verdict) return { kind: "not_ours" };
    await options.beforeWrite?.(row);
    await claim.departure();
    if (!claim.valid()) return await store(row, attempt + 1, { retryMs: 0 });
    write(row, attempt + 1);
    const outcome = (await options.answer?.(row, claim)) ?? "done";
    if (outcome === "never") await new Promise(() => {});
    await options.beforeOutcome?.(row);
    return await store(row, attempt + 1, outcome);
  }

  async function store(row: QueueRow, attempt: number, outcome: Answer): Promise<Disposition> {
    const due = clock.now() + (typeof outcome === "object" ? outcome.retryMs : 60_000);
    await end.submit({
      slot: row.slot,
      lane: row.lane,
      seq: row.seq,
      workspace_id: row.workspaceId,
      recipient: row.key,
      attempt,
      outcome: typeof outcome === "object" ? "retry" : outcome,
      due: new Date(due).toISOString(),
    });
    return outcome === "done" ? { kind: "done" } : { kind: "later", due, holdsKey: typeof outcome === "object" };
  }

  return {
    name: "dispatch",
    role: "dispatch",
    queue: probeQueue,
    inFlight: 263, // of which one lane alone has 201
    settings: (lanes) =>
      Promise.resolve(
        new Map(
          lanes.flatMap((lane) => {
            const more = options.settings ? options.settings(lane) : {};
            return more === null
              ? []
              : [[lane, laneSettings({ fairShareKey: WORKSPACE, workspaceId: WORKSPACE, ...more })] as const];
          }),
        ),
      ),
    work,
    settle: (row) => store(row, row.attempt, "unknown"),
    settleAfterMs: options.settleAfterMs ?? 45_000,
  };
}
