import type { Sql } from "../../db/database.ts";
import { newUuid } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import type { Role } from "../../process/config/config.ts";
import { LANE_KINDS, type LaneKindName, SLOTS } from "../lane-kinds.ts";
import {
  deleteLapsedWorkers,
  deleteWorker,
  giveBackAllSlots,
  giveBackSlots,
  insertWorker,
  renewWorker,
  type Shares,
  selectShares,
  takeSlots,
} from "./membership.store.ts";

/** Works the slots of one kind, and is informed of every change (Runner). */
export type SlotOwner = {
  readonly kind: LaneKindName;
  readonly role: Role;
  /** Slots, each with its epoch. */
  gained(slots: ReadonlyMap<number, number>): void;
  /** The table does not give these to us any more. */
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
  /** Called at each beat: the database's clock lies between the two. */
  onBeat?: (earliestMs: number, latestMs: number) => void;
  /** Other processes learn at once that slots are free. */
  announceRelease(): void;
};

/** A beat is a sixth of the lease: two may fail and the third still renews in time. */
const BEATS_A_LEASE = 6;
/** Taken off the lease's end by the monotonic clock, for the time from sending a renewal to its answer. */
const MARGIN = 1 / 6;
/** A statement of a beat is given up after one beat, so that the next one can run; never sooner than this. */
const LEAST_PATIENCE_MS = 1_000;
/** How often rows of processes that are long gone are deleted. */
const TIDY_EVERY_MS = 60_000;

/** Slots of one kind. `mine` and `returned` together are what the table gives us, or a beat corrects the difference. */
type Holdings = {
  owner: SlotOwner;
  /** Worked here, with the epoch under which they were taken. */
  mine: Map<number, number>;
  /** Not worked here any more, but perhaps still ours in the table: given back at once, and again at each beat until they are. */
  returned: Map<number, { epoch: number; since: number }>;
};

/**
 * This process's lease and the slots it owns. The worker row is the only lease: it is renewed on condition that it has not
 * lapsed, so a process that was stopped for long does not go on with slots that others have taken. The database's clock
 * decides who may take, the local monotonic clock who must stop.
 *
 * A beat renews the lease, compares the slots that the table gives us with those known here, gives back, and takes up to the
 * fair share. All statements run one after the other, so that a comparison never reads what an unfinished one changes.
 */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #beatMs: number;
  readonly #sql: Sql;
  #holdings: readonly Holdings[] = [];
  #worker = "";
  #validUntil = 0;
  #liveByRole = new Map<string, number>();
  #left = false;
  #beating = false;
  #last: Promise<void> = Promise.resolve();
  #givingBack = false;
  #tidiedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#beatMs = options.leaseMs / BEATS_A_LEASE;
    const { sql } = options;
    this.#sql = {
      query: (text, values) => this.#inTime(sql.query(text, values)),
      run: (text, values) => this.#inTime(sql.run(text, values)),
    };
  }

  /** Takes a lease, and from the next beats on slots for these owners. */
  async join(owners: readonly SlotOwner[]): Promise<void> {
    this.#holdings = owners.map((owner) => ({ owner, mine: new Map(), returned: new Map() }));
    await this.#register();
    this.#liveByRole = (await selectShares(this.#sql, this.#worker)).liveByRole;
    // Alone: there is no process to share with, so nothing to wait for.
    const alone = owners.every(({ role }) => this.live(role) <= 1);
    if (alone) setImmediate(() => this.#beat()); // not before the caller has finished its own start
    this.#timer = setInterval(() => this.#beat(), this.#beatMs);
  }

  /** Id of the worker row; it changes when the lease lapses. */
  get worker(): string {
    return this.#worker;
  }

  /** True while the lease surely holds: checked before each intent and each socket write. */
  valid(): boolean {
    return performance.now() < this.#validUntil;
  }

  /** Live processes with a role, this one included; at least 1. */
  live(role: Role): number {
    return Math.max(1, this.#liveByRole.get(role) ?? 1);
  }

  /** Slots that the table has given us for longer than a beat although they are not worked here. */
  get unworked(): number {
    const before = performance.now() - this.#beatMs;
    let sum = 0;
    for (const { returned } of this.#holdings) for (const { since } of returned.values()) if (since < before) sum += 1;
    return sum;
  }

  /** Tries to take slots now, for instance because another worker has just released some. */
  takeNow(): void {
    if (!this.#left) void this.#last.then(() => this.#beat());
  }

  #beat(): void {
    if (this.#beating || this.#left) return;
    this.#beating = true;
    // The lease may lapse while the database is away; `valid` notices that by itself.
    this.#next(async () => {
      try {
        await this.#renew();
      } finally {
        this.#beating = false;
      }
    }, "renewing the lease failed");
  }

  /** Runs a step when those before it have ended. */
  #next(step: () => Promise<void>, fault: string): void {
    this.#last = this.#last.then(step).catch((error: unknown) => this.#options.log.warn({ err: error }, fault));
  }

  async #register(): Promise<void> {
    const id = newUuid(Date.now());
    const before = performance.now();
    const { roles, version, leaseMs } = this.#options;
    await insertWorker(this.#sql, { id, roles, version, leaseMs });
    this.#worker = id;
    this.#leaseFrom(before);
  }

  /** Counted from before the statement was sent, so that a slow answer does not lengthen the lease. */
  #leaseFrom(sentAt: number): void {
    this.#validUntil = sentAt + this.#options.leaseMs * (1 - MARGIN);
  }

  async #renew(): Promise<void> {
    const before = performance.now();
    const renewed = await renewWorker(this.#sql, this.#worker, this.#options.leaseMs);
    if (renewed === null) {
      this.#options.log.warn({ worker: this.#worker }, "the lease lapsed; all lanes are dropped and taken again");
      this.#dropAll();
      await this.#register();
      return; // a joining worker waits one beat before its first take
    }
    this.#leaseFrom(before);
    this.#options.onBeat?.(renewed.nowMs, renewed.nowMs + performance.now() - before);
    this.#compare(renewed);
    await this.#tidy();
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

  async #tidy(): Promise<void> {
    if (performance.now() - this.#tidiedAt < TIDY_EVERY_MS) return;
    this.#tidiedAt = performance.now();
    await deleteLapsedWorkers(this.#sql);
  }

  /** A slot that only the table knows of was taken by a statement whose answer was lost; one that only we know of is gone. */
  #compare({ liveByRole, slots: rows }: Shares): void {
    this.#liveByRole = liveByRole;
    for (const holdings of this.#holdings) {
      const { owner, mine, returned } = holdings;
      const ofKind = rows.filter(({ kind }) => kind === LANE_KINDS[owner.kind]);
      const table = new Map(ofKind.map(({ slot, epoch }) => [slot, epoch]));
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
      [...returned].map(([slot, { epoch }]) => ({ kind: LANE_KINDS[owner.kind], slot, epoch, returned })),
    );
    if (given.length === 0) return;
    await giveBackSlots(this.#sql, this.#worker, given);
    for (const { returned, slot, epoch } of given) if (returned.get(slot)?.epoch === epoch) returned.delete(slot);
    this.#options.announceRelease();
  }

  async #takeUpToShare(holdings: Holdings): Promise<void> {
    const { owner, mine, returned } = holdings;
    const share = this.#share(owner);
    if (mine.size > share) owner.surplus(mine.size - share);
    if (this.#left || mine.size >= share) return;
    const taken = await takeSlots(this.#sql, this.#worker, LANE_KINDS[owner.kind], share - mine.size);
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

  #share({ role }: SlotOwner): number {
    return Math.ceil(SLOTS / this.live(role));
  }

  /** Gives a slot back after its lanes were emptied; slots released together go in one statement. */
  release(kind: LaneKindName, slot: number): void {
    const holdings = this.#holdings.find(({ owner }) => owner.kind === kind);
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
    // Before another process may take them: rows in flight end as evidence from here on and begin nothing.
    this.#validUntil = 0;
    for (const { mine, returned } of this.#holdings) {
      mine.clear();
      returned.clear();
    }
    try {
      await giveBackAllSlots(this.#sql, this.#worker);
      this.#options.announceRelease();
      await deleteWorker(this.#sql, this.#worker);
    } catch (error) {
      this.#options.log.warn({ err: error, worker: this.#worker }, "leaving failed; the lease runs out by itself");
    }
  }

  /** A connection that went silent must not keep another one from renewing the lease. At the start there is none to renew. */
  #inTime<T>(answer: Promise<T>): Promise<T> {
    if (!this.#timer) return answer;
    const patience = Math.max(LEAST_PATIENCE_MS, this.#beatMs);
    return new Promise((resolve, reject) => {
      // One more turn: after a stop of the whole process the answer may lie ready behind the timer.
      const late = (): void => void setImmediate(() => reject(new Error(`no answer within ${patience} ms`)));
      const timer = setTimeout(late, patience);
      answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
