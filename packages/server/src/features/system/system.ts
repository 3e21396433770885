import type { App } from "../../ctx.ts";
import { migrationState } from "../../db/ready.ts";
import type { LaneKind } from "../../lanes/kind.ts";
import { ALL_SLOTS, LANE_KINDS, type LaneKindName } from "../../lanes/lane-kinds.ts";
import { selectQueueSizes } from "../../lanes/queue.store.ts";
import { MINUTE_MS } from "../../lib/duration.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { TtlCache } from "../../lib/ttl-cache.ts";
import { MOST_PROCESSES, type System } from "./schema.ts";
import { selectDatabaseSize, selectProcessRows, selectServerVersion, selectSlotRows } from "./store.ts";

/** A page that stays open asks every few seconds, perhaps in several windows. */
const KEPT_MS = 5_000;
/** Lanes of a slot that are looked at for the oldest work: 2,048 of a kind, some ten milliseconds. */
const MOST_LANES = 32;

type SlotRows = Awaited<ReturnType<typeof selectSlotRows>>;
type Known = { version: string; kinds: readonly LaneKind[] };

/** The state of the installation, as the database has it. One for the process. */
export class SystemFigures {
  readonly #app: App;
  readonly #known: Known;
  readonly #kept: TtlCache<"system", System>;
  readonly #size: TtlCache<"size", number>;

  constructor(app: App, known: Known) {
    this.#app = app;
    this.#known = known;
    const options = { keep: () => true, most: 1, monotonic: () => app.clock.monotonic() };
    this.#kept = new TtlCache({ ...options, load: () => this.#load(), maxAgeMs: KEPT_MS });
    this.#size = new TtlCache({ ...options, load: () => selectDatabaseSize(app.db.sql), maxAgeMs: MINUTE_MS });
  }

  read(): Promise<System> {
    return this.#kept.get("system");
  }

  async #load(): Promise<System> {
    const { sql } = this.#app.db;
    // One after the other: an operator's page takes one connection.
    const processes = await selectProcessRows(sql, MOST_PROCESSES);
    const slots = await selectSlotRows(sql);
    const { applied, pending } = await migrationState(sql);
    return {
      version: this.#known.version,
      processes: processes.map(({ id, roles, version, expires_at }) => ({
        id,
        roles: roles as System["processes"][number]["roles"], // each process writes its own, by this list
        version,
        slots: slotsOf(slots, id),
        lease_expires_at: isoTime(expires_at.getTime()),
      })),
      queues: await this.#queues(slots),
      database: {
        version: await selectServerVersion(sql),
        // What is slow here is no reason to show nothing of the rest.
        size_bytes: await this.#size.get("size").catch(() => null),
      },
      migrations: { applied: applied.length, latest: applied.at(-1) ?? null, pending },
    };
  }

  async #queues(slots: SlotRows): Promise<System["queues"]> {
    const { db, clock } = this.#app;
    const { kinds } = this.#known;
    const sizes = await selectQueueSizes(
      db.sql,
      kinds.map(({ queue }) => queue.table),
    );
    const asked = ALL_SLOTS.map((slot) => ({ slot, most: MOST_LANES }));
    const queues: System["queues"] = [];
    for (const { name, queue } of kinds) {
      const overdue = (await db.call(queue.oldest, asked, clock.now())).flatMap(({ since }) => since ?? []);
      const ofKind = slots.filter(({ kind }) => kind === LANE_KINDS[name]);
      const sum = (rows: SlotRows) => rows.reduce((all, row) => all + row.slots, 0);
      queues.push({
        kind: name,
        rows: Math.round(sizes.get(queue.table) ?? 0),
        slots: sum(ofKind),
        slots_owned: sum(ofKind.filter(({ owner }) => owner !== null)),
        oldest_due_at: overdue.length === 0 ? null : isoTime(Math.min(...overdue)),
      });
    }
    return queues;
  }
}

const KINDS = Object.keys(LANE_KINDS) as LaneKindName[]; // its own keys

/** The slots that a worker has, of each kind. */
function slotsOf(slots: SlotRows, worker: string): System["processes"][number]["slots"] {
  const own = (name: LaneKindName): number =>
    slots.find(({ kind, owner }) => kind === LANE_KINDS[name] && owner === worker)?.slots ?? 0;
  return Object.fromEntries(KINDS.map((name) => [name, own(name)]));
}
