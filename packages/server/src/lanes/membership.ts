import type { Role } from "../config.ts";
import type { Sql } from "../db/database.ts";
import { newUuid } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { LANE_KINDS, type LaneKindName, SLOTS } from "./wake.ts";

/**
 * This process's lease and the slots it owns. The worker row is the only lease: renewed on condition that it has not
 * lapsed, so nobody comes back from the dead with slots that others have taken. The database's clock says who may take,
 * our monotonic clock says when we must stop.
 */
export type Membership = {
  readonly worker: string;
  /** True while the lease surely holds: read before each intent and each socket write. */
  valid(): boolean;
  epoch(kind: LaneKindName, slot: number): number | null;
  /** Live processes with a role, ourselves included; at least 1. */
  live(role: Role): number;
  /** Tries to take slots now, for instance because another worker has just let go of some. */
  takeNow(): void;
  /** Gives one slot back after its lanes were emptied. */
  release(kind: LaneKindName, slot: number): Promise<void>;
  /** Gives everything back and leaves. */
  leave(): Promise<void>;
};

export type SlotOwner = {
  kind: LaneKindName;
  role: Role;
  gained(slot: number, epoch: number): void;
  /** The lease lapsed: drop everything at once. */
  lost(): void;
  /** More slots than the fair share: empty this many and call `release`. */
  surplus(count: number): void;
};

export type MembershipOptions = {
  sql: Sql;
  roles: readonly Role[];
  version: string;
  leaseMs: number;
  log: Log;
  owners: readonly SlotOwner[];
  /** Called at each beat with the database's clock and the monotonic middle of the round trip. */
  onBeat?: (databaseMs: number) => void;
  /** Other processes learn at once that slots are free. */
  announceRelease(): void;
};

/** A beat is a sixth of the lease: two may fail and the third still renews in time. */
const BEATS_A_LEASE = 6;
/** Taken off the lease's end by the monotonic clock, for what lies between asking and knowing. */
const MARGIN = 1 / 6;

export async function joinWorkers(options: MembershipOptions): Promise<Membership> {
  const { sql, roles, leaseMs, log, owners } = options;
  const beatMs = leaseMs / BEATS_A_LEASE;
  const interval = `${leaseMs} milliseconds`;
  const owned = new Map<LaneKindName, Map<number, number>>(owners.map((owner) => [owner.kind, new Map()]));
  // Being given back: no longer ours to work, not yet anybody's to take.
  const releasing = new Map<LaneKindName, Set<number>>(owners.map((owner) => [owner.kind, new Set()]));
  let worker = "";
  let validUntil = 0;
  let census = new Map<string, number>();
  let left = false;
  let beating: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;

  async function register(): Promise<void> {
    const id = newUuid(Date.now());
    const before = performance.now();
    await sql.run(
      "insert into worker (id, roles, version, expires_at) values ($1, $2, $3, clock_timestamp() + $4::interval)",
      [id, [...roles], options.version, interval],
    );
    worker = id;
    validUntil = before + leaseMs * (1 - MARGIN);
  }

  async function beat(): Promise<void> {
    const before = performance.now();
    const rows = await sql.query<{ now_ms: number }>(
      "update worker set expires_at = clock_timestamp() + $2::interval where id = $1 and expires_at > clock_timestamp() returning (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms",
      [worker, interval],
    );
    if (rows[0]) {
      validUntil = before + leaseMs * (1 - MARGIN);
      options.onBeat?.(rows[0].now_ms + (performance.now() - before) / 2);
    } else {
      log.warn({ worker }, "the lease lapsed; all lanes are dropped and taken anew");
      dropAll();
      await register();
      return; // a joining worker waits one beat before its first take
    }
    await takeCensus();
    await takeSlots();
  }

  function dropAll(): void {
    validUntil = 0;
    for (const slots of owned.values()) slots.clear();
    for (const owner of owners) owner.lost();
  }

  async function takeCensus(): Promise<void> {
    await sql.run("delete from worker where expires_at < clock_timestamp() - interval '1 hour'");
    const rows = await sql.query<{ role: string; n: number }>(
      "select role, count(*) as n from worker, unnest(roles) role where expires_at > clock_timestamp() group by role",
    );
    census = new Map(rows.map((row) => [row.role, row.n]));
  }

  async function takeSlots(): Promise<void> {
    for (const owner of owners) {
      const mine = owned.get(owner.kind);
      if (!mine) continue;
      const share = Math.ceil(SLOTS / Math.max(1, census.get(owner.role) ?? 1));
      if (mine.size > share) owner.surplus(mine.size - share);
      if (left || mine.size >= share) continue;
      const known = [...mine.keys(), ...(releasing.get(owner.kind) ?? [])];
      const taken = await sql.query<{ slot: number; epoch: number }>(
        `with live as materialized (select id from worker where expires_at > clock_timestamp()),
              free as (select s.kind, s.slot from slot s where s.kind = $2 and (s.owner is null or s.owner not in (select id from live)
                       -- Taken by us, but the answer was lost.
                       or (s.owner = $1 and s.slot <> all ($4::smallint[])))
                       order by random() limit $3 for update skip locked)
         update slot s set owner = $1, epoch = s.epoch + 1 from free f
          where s.kind = f.kind and s.slot = f.slot and exists (select from live where id = $1)
         returning s.slot, s.epoch`,
        [worker, LANE_KINDS[owner.kind], share - mine.size, known],
      );
      for (const { slot, epoch } of taken) {
        mine.set(slot, epoch);
        owner.gained(slot, epoch);
      }
    }
  }

  let busy = false;
  function run(): void {
    if (busy || left) return;
    busy = true;
    beating = beat()
      .catch((error: unknown) => {
        // The lease may lapse while the database is away; then nothing is ours, and `valid` says so by itself.
        log.warn({ err: error }, "renewing the lease failed");
      })
      .finally(() => {
        busy = false;
      });
  }

  await register();
  await takeCensus();
  // Alone: nobody to share with, so nothing to wait for.
  const alone = owners.every((owner) => (census.get(owner.role) ?? 1) <= 1);
  if (alone) setImmediate(run); // once the caller knows its membership: what is gained begins to work at once
  timer = setInterval(run, beatMs);

  return {
    get worker() {
      return worker;
    },
    valid: () => performance.now() < validUntil,
    epoch: (kind, slot) => owned.get(kind)?.get(slot) ?? null,
    live: (role) => Math.max(1, census.get(role) ?? 1),
    takeNow() {
      if (!left) void beating.then(run);
    },
    async release(kind, slot) {
      owned.get(kind)?.delete(slot);
      releasing.get(kind)?.add(slot);
      try {
        await sql.run("update slot set owner = null where kind = $1 and slot = $2 and owner = $3", [
          LANE_KINDS[kind],
          slot,
          worker,
        ]);
      } finally {
        // If it failed the slot may still be ours: the next take finds out.
        releasing.get(kind)?.delete(slot);
      }
      options.announceRelease();
    },
    async leave() {
      left = true;
      if (timer) clearInterval(timer);
      await beating;
      // Before anybody else may take them; what is still in the air is evidence now, and no longer begins anything.
      validUntil = 0;
      for (const slots of owned.values()) slots.clear();
      try {
        await sql.run("update slot set owner = null where owner = $1", [worker]);
        options.announceRelease();
        await sql.run("delete from worker where id = $1", [worker]);
      } catch (error) {
        log.warn({ err: error, worker }, "leaving failed; the lease runs out by itself");
      }
    },
  };
}
