import type { Role } from "../../config.ts";
import type { Sql } from "../../db/database.ts";
import { newUuid } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import { LANE_KINDS, type LaneKindName, SLOTS } from "../lane-kinds.ts";

/** The work of one kind of slots, told of what comes and goes. */
export type SlotOwner = {
  kind: LaneKindName;
  role: Role;
  /** Slots, each with its epoch. */
  gained(slots: ReadonlyMap<number, number>): void;
  /** The table says that these are not ours any more. */
  gone(slots: readonly number[]): void;
  /** The lease lapsed: drop everything at once. */
  lost(): void;
  /** More slots than the fair share: empty this many and call `release` for each. */
  surplus(count: number): void;
};

export type MembershipOptions = {
  sql: Sql;
  roles: readonly Role[];
  version: string;
  leaseMs: number;
  log: Log;
  owners: readonly SlotOwner[];
  /** Called at each beat: the database's clock lies between the two. */
  onBeat?: (earliestMs: number, latestMs: number) => void;
  /** Other processes learn at once that slots are free. */
  announceRelease(): void;
};

/** A beat is a sixth of the lease: two may fail and the third still renews in time. */
const BEATS_A_LEASE = 6;
/** Taken off the lease's end by the monotonic clock, for what lies between asking and knowing. */
const MARGIN = 1 / 6;
/** A statement of a beat is given up after one beat, so that the next one comes; never sooner than this. */
const LEAST_PATIENCE_MS = 1_000;

/** Slots of one kind. What the table says of us is `mine` and `returned` together, or a beat mends it. */
type Holdings = {
  owner: SlotOwner;
  /** Ours to work, with the epoch under which they were taken. */
  mine: Map<number, number>;
  /** Not worked here any more, but the table may still name us: told it at once, and again at each beat until it knows. */
  returned: Map<number, { epoch: number; since: number }>;
};

/**
 * This process's lease and the slots it owns. The worker row is the only lease: renewed on condition that it has not
 * lapsed, so nobody comes back from the dead with slots that others have taken. The database's clock says who may take,
 * our monotonic clock says when we must stop.
 *
 * A beat renews the lease, compares the slots that the table gives us with those we know, gives back, and takes up to the fair
 * share. What it does to the table goes one statement after the other, so what was read is not overtaken by what we wrote.
 */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #beatMs: number;
  readonly #holdings: readonly Holdings[];
  #worker = "";
  #validUntil = 0;
  #census = new Map<string, number>();
  #left = false;
  #beating = false;
  #last: Promise<void> = Promise.resolve();
  #givingBack = false;
  #timer: NodeJS.Timeout | null = null;

  static async join(options: MembershipOptions): Promise<Membership> {
    const membership = new Membership(options);
    await membership.#register();
    await membership.#takeCensus();
    membership.#begin();
    return membership;
  }

  private constructor(options: MembershipOptions) {
    this.#options = options;
    this.#beatMs = options.leaseMs / BEATS_A_LEASE;
    this.#holdings = options.owners.map((owner) => ({ owner, mine: new Map(), returned: new Map() }));
  }

  get worker(): string {
    return this.#worker;
  }

  /** True while the lease surely holds: read before each intent and each socket write. */
  valid(): boolean {
    return performance.now() < this.#validUntil;
  }

  epoch(kind: LaneKindName, slot: number): number | null {
    return this.#of(kind)?.mine.get(slot) ?? null;
  }

  /** Live processes with a role, ourselves included; at least 1. */
  live(role: Role): number {
    return Math.max(1, this.#census.get(role) ?? 1);
  }

  /** Slots that the table gives us for longer than a beat although nobody works them here. */
  get unworked(): number {
    const before = performance.now() - this.#beatMs;
    return this.#holdings.reduce(
      (sum, { returned }) => sum + [...returned.values()].filter(({ since }) => since < before).length,
      0,
    );
  }

  /** Tries to take slots now, for instance because another worker has just let go of some. */
  takeNow(): void {
    if (!this.#left) void this.#last.then(() => this.#beat());
  }

  /** Gives a slot back after its lanes were emptied; those of one moment go together. */
  release(kind: LaneKindName, slot: number): void {
    const holdings = this.#of(kind);
    const epoch = holdings?.mine.get(slot);
    if (!holdings || epoch === undefined) return;
    holdings.mine.delete(slot);
    holdings.returned.set(slot, { epoch, since: performance.now() });
    if (this.#givingBack) return;
    this.#givingBack = true;
    this.#next(async () => {
      this.#givingBack = false;
      await this.#giveBack();
    }, "giving slots back failed; the next beat tries again");
  }

  /** Gives everything back and leaves. */
  async leave(): Promise<void> {
    this.#left = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#last;
    // Before anybody else may take them; what is still in the air is evidence now, and no longer begins anything.
    this.#validUntil = 0;
    for (const { mine, returned } of this.#holdings) {
      mine.clear();
      returned.clear();
    }
    try {
      await this.#run("update slot set owner = null where owner = $1", [this.#worker]);
      this.#options.announceRelease();
      await this.#run("delete from worker where id = $1", [this.#worker]);
    } catch (error) {
      this.#options.log.warn({ err: error, worker: this.#worker }, "leaving failed; the lease runs out by itself");
    }
  }

  #begin(): void {
    // Alone: nobody to share with, so nothing to wait for.
    const alone = this.#holdings.every(({ owner }) => this.live(owner.role) <= 1);
    if (alone) setImmediate(() => this.#beat()); // once the caller knows its membership: what is gained begins to work at once
    this.#timer = setInterval(() => this.#beat(), this.#beatMs);
  }

  #beat(): void {
    if (this.#beating || this.#left) return;
    this.#beating = true;
    // The lease may lapse while the database is away; then nothing is ours, and `valid` says so by itself.
    this.#next(async () => {
      try {
        await this.#renew();
      } finally {
        this.#beating = false;
      }
    }, "renewing the lease failed");
  }

  /** After whatever is under way. */
  #next(step: () => Promise<void>, fault: string): void {
    this.#last = this.#last.then(step).catch((error: unknown) => this.#options.log.warn({ err: error }, fault));
  }

  async #register(): Promise<void> {
    const id = newUuid(Date.now());
    const before = performance.now();
    await this.#run(
      "insert into worker (id, roles, version, expires_at) values ($1, $2, $3, clock_timestamp() + $4::interval)",
      [id, [...this.#options.roles], this.#options.version, this.#interval],
    );
    this.#worker = id;
    this.#validUntil = before + this.#options.leaseMs * (1 - MARGIN);
  }

  async #renew(): Promise<void> {
    const before = performance.now();
    const rows = await this.#query<{ now_ms: number }>(
      "update worker set expires_at = clock_timestamp() + $2::interval where id = $1 and expires_at > clock_timestamp() returning (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms",
      [this.#worker, this.#interval],
    );
    if (!rows[0]) {
      this.#options.log.warn({ worker: this.#worker }, "the lease lapsed; all lanes are dropped and taken anew");
      this.#dropAll();
      await this.#register();
      return; // a joining worker waits one beat before its first take
    }
    this.#validUntil = before + this.#options.leaseMs * (1 - MARGIN);
    this.#options.onBeat?.(rows[0].now_ms, rows[0].now_ms + performance.now() - before);
    await this.#takeCensus();
    await this.#compare();
    await this.#giveBack();
    for (const holdings of this.#holdings) await this.#takeUpToShare(holdings);
  }

  #dropAll(): void {
    this.#validUntil = 0;
    for (const { owner, mine, returned } of this.#holdings) {
      mine.clear();
      returned.clear();
      owner.lost();
    }
  }

  async #takeCensus(): Promise<void> {
    await this.#run("delete from worker where expires_at < clock_timestamp() - interval '1 hour'");
    const rows = await this.#query<{ role: string; n: number }>(
      "select role, count(*) as n from worker, unnest(roles) role where expires_at > clock_timestamp() group by role",
    );
    this.#census = new Map(rows.map((row) => [row.role, row.n]));
  }

  /** What the table gives us and we do not know was taken by a call whose answer was lost; what we know and it does not is gone. */
  async #compare(): Promise<void> {
    const rows = await this.#query<{ kind: number; slot: number; epoch: number }>(
      "select kind, slot, epoch from slot where owner = $1",
      [this.#worker],
    );
    for (const holdings of this.#holdings) {
      const { owner, mine, returned } = holdings;
      const table = new Map(
        rows.filter(({ kind }) => kind === LANE_KINDS[owner.kind]).map((row) => [row.slot, row.epoch]),
      );
      const gone = [...mine].filter(([slot, epoch]) => table.get(slot) !== epoch).map(([slot]) => slot);
      for (const slot of gone) mine.delete(slot);
      if (gone.length > 0) owner.gone(gone);
      for (const [slot, { epoch }] of returned) if (table.get(slot) !== epoch) returned.delete(slot);
      const unknown = [...table].filter(([slot]) => !mine.has(slot) && !returned.has(slot));
      const wanted = Math.max(0, this.#share(owner) - mine.size);
      for (const [slot, epoch] of unknown.slice(wanted)) returned.set(slot, { epoch, since: performance.now() });
      this.#gain(holdings, unknown.slice(0, wanted));
    }
  }

  async #giveBack(): Promise<void> {
    const given = this.#holdings.flatMap(({ owner, returned }) =>
      [...returned].map(([slot, { epoch }]) => ({ owner, returned, slot, epoch })),
    );
    if (given.length === 0) return;
    // Of just that epoch: should this statement run late, it takes nothing away that was taken anew meanwhile.
    await this.#run(
      `update slot s set owner = null from unnest($2::smallint[], $3::smallint[], $4::int[]) g (kind, slot, epoch)
        where s.kind = g.kind and s.slot = g.slot and s.epoch = g.epoch and s.owner = $1`,
      [
        this.#worker,
        given.map(({ owner }) => LANE_KINDS[owner.kind]),
        given.map(({ slot }) => slot),
        given.map(({ epoch }) => epoch),
      ],
    );
    for (const { returned, slot, epoch } of given) if (returned.get(slot)?.epoch === epoch) returned.delete(slot);
    this.#options.announceRelease();
  }

  async #takeUpToShare(holdings: Holdings): Promise<void> {
    const { owner, mine, returned } = holdings;
    const share = this.#share(owner);
    if (mine.size > share) owner.surplus(mine.size - share);
    if (this.#left || mine.size >= share) return;
    const taken = await this.#query<{ slot: number; epoch: number }>(
      `with live as materialized (select id from worker where expires_at > clock_timestamp()),
            free as (select s.kind, s.slot from slot s where s.kind = $2 and (s.owner is null or s.owner not in (select id from live))
                     order by random() limit $3 for update skip locked)
       update slot s set owner = $1, epoch = s.epoch + 1 from free f
        where s.kind = f.kind and s.slot = f.slot and exists (select from live where id = $1)
       returning s.slot, s.epoch`,
      [this.#worker, LANE_KINDS[owner.kind], share - mine.size],
    );
    for (const { slot } of taken) returned.delete(slot);
    this.#gain(
      holdings,
      taken.map(({ slot, epoch }) => [slot, epoch]),
    );
  }

  #gain({ owner, mine }: Holdings, slots: readonly (readonly [slot: number, epoch: number])[]): void {
    if (slots.length === 0) return;
    for (const [slot, epoch] of slots) mine.set(slot, epoch);
    owner.gained(new Map(slots));
  }

  #share(owner: SlotOwner): number {
    return Math.ceil(SLOTS / this.live(owner.role));
  }

  #of(kind: LaneKindName): Holdings | undefined {
    return this.#holdings.find(({ owner }) => owner.kind === kind);
  }

  get #interval(): string {
    return `${this.#options.leaseMs} milliseconds`;
  }

  #query<Row extends object>(...statement: Parameters<Sql["query"]>): Promise<Row[]> {
    return this.#inTime(this.#options.sql.query<Row>(...statement));
  }

  #run(...statement: Parameters<Sql["run"]>): Promise<number> {
    return this.#inTime(this.#options.sql.run(...statement));
  }

  /** A connection that went silent must not keep the lease from being renewed by another one. */
  #inTime<T>(answer: Promise<T>): Promise<T> {
    const patience = Math.max(LEAST_PATIENCE_MS, this.#beatMs);
    return new Promise((resolve, reject) => {
      // One more turn: after a stop of the whole process the answer may lie ready behind the timer.
      const late = (): void => void setImmediate(() => reject(new Error(`no answer within ${patience} ms`)));
      const timer = setTimeout(late, patience);
      answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
