import type { App } from "../../ctx.ts";
import { batchCalls, isStandstill } from "../../db/batched.ts";
import type { Disposition, LaneClaim, LaneKind, LaneSettings, QueueRow } from "../../lanes/kind.ts";
import { growing } from "../../lib/backoff.ts";
import { newUuid } from "../../lib/ids.ts";
import { createQuietLog } from "../../lib/quiet-log.ts";
import { type ApplyDeps, apply, type Batch, type Parsed, parse, plan, type SetAside } from "./apply.ts";
import {
  type AsideRow,
  type FinishRow,
  finishIngest,
  ingestQueue,
  type LoadedCallback,
  loadCallbacks,
} from "./ingress.store.ts";
import { createRoom } from "./room.ts";
import { detailOf, isOfItsOwn, pauseAfter } from "./trouble.ts";

/** Callbacks of one lane that are applied together, in their order. */
const BATCH = 200;
/** A batch that is applied, and the next one, which is read and parsed meanwhile. */
const LANE_CALLBACKS = 2 * BATCH;
/** Callbacks in this process, over all its lanes; light until their bodies are read. */
const IN_FLIGHT = 2_000;
/** Bodies in memory; what is being read then may come on top. */
const MOST_LOADED_BYTES = 64 * 1024 * 1024;
/** While the database is away a lane asks again after this long at the most. */
const STANDSTILL_MOST_MS = 2_000;

/** A queue row in work; `settle` hands it back to the lane. */
type Working = { row: QueueRow; claim: LaneClaim; settle(disposition: Disposition): void };
type Loaded = Working & { receivedAt: Date | null; bytes: number; parsed: Parsed };

/**
 * The ingest lanes: one writer a number, one batch at a time. What comes while a batch is applied is the next batch, so that
 * events are written in the order in which callbacks were answered. A bad callback never blocks its neighbours.
 */
export function createIngest(app: App, deps: ApplyDeps): { kind: LaneKind; stop(): Promise<void> } {
  const { db, clock, log, provider } = app;
  const loads = batchCalls<{ id: string }, LoadedCallback>({ db, clock, fn: loadCallbacks, group: () => "" });
  const finishes = batchCalls<FinishRow, { done: boolean }>({ db, clock, fn: finishIngest, group: () => "" });
  const quiet = createQuietLog(log, clock);
  const room = createRoom(MOST_LOADED_BYTES);
  const lanes = new Map<number, Working[]>();
  const running = new Set<Promise<void>>();

  const work = (row: QueueRow, claim: LaneClaim): Promise<Disposition> =>
    new Promise((settle) => {
      const waiting = lanes.get(row.lane);
      const one = { row, claim, settle };
      if (waiting) return insert(waiting, one);
      const started = [one];
      lanes.set(row.lane, started);
      // In a microtask: rows that start in the same turn are one batch.
      void track(Promise.resolve().then(() => runLane(row.lane, started)));
    });

  // A table that takes nothing fails every callback, again and again.
  const troubled = (error: unknown, callbackId: string): void =>
    quiet.error(
      "failed",
      { err: error, callback_id: callbackId },
      "a callback failed; it is tried again until it succeeds",
    );

  // Nothing of it is expected to fail; what does must not go unseen, and must not end the process.
  async function track(work: Promise<void>): Promise<void> {
    running.add(work);
    try {
      await work;
    } catch (error) {
      log.error({ err: error }, "working a lane of callbacks failed");
    } finally {
      running.delete(work);
    }
  }

  async function runLane(lane: number, waiting: Working[]): Promise<void> {
    try {
      let next: Promise<Loaded[]> | null = null;
      while (next !== null || waiting.length > 0) {
        const batch: Loaded[] = await (next ?? load(waiting));
        next = waiting.length > 0 ? load(waiting) : null;
        const applied = await applyAll(batch);
        room.gave(batch.reduce((sum, { bytes }) => sum + bytes, 0));
        for (const one of batch) {
          if (applied) void track(finish(one));
          else one.settle({ kind: "again" });
        }
      }
    } finally {
      lanes.delete(lane);
      for (const { settle } of waiting.splice(0)) settle({ kind: "again" });
    }
  }

  /** Takes the next callbacks of a lane, reads and parses them. Those that are not ours any more are handed back. */
  async function load(waiting: Working[]): Promise<Loaded[]> {
    const batch = waiting.splice(0, BATCH);
    for (let round = 0; ; round++) {
      await room.free();
      const answers = await Promise.allSettled(batch.map(({ row }) => loads.submit({ id: row.itemId })));
      const away = answers.some((answer) => answer.status === "rejected" && isStandstill(answer.reason));
      if (!away) return take(waiting, batch, answers);
      if (await goesOn(batch, round)) continue;
      for (const { settle } of batch) settle({ kind: "again" });
      return [];
    }
  }

  function take(
    waiting: Working[],
    batch: readonly Working[],
    answers: readonly PromiseSettledResult<LoadedCallback>[],
  ): Loaded[] {
    // Beyond the first that there was no room for, all wait: a smaller one behind it must not overtake.
    const cut = answers.findIndex((answer) => answer.status === "fulfilled" && answer.value.later);
    const taken = cut < 0 ? batch : batch.slice(0, cut);
    waiting.unshift(...batch.slice(taken.length));
    return taken.map((one, index) => loaded(one, answers[index]));
  }

  function loaded(one: Working, answer: PromiseSettledResult<LoadedCallback> | undefined): Loaded {
    if (answer?.status !== "fulfilled")
      return { ...one, receivedAt: null, bytes: 0, parsed: { changes: [], aside: [], failures: [answer?.reason] } };
    const { body, received_at: receivedAt } = answer.value;
    if (body === null)
      quiet.error(
        "missing",
        { callback_id: one.row.itemId },
        "the raw bytes of a callback are gone; it is set aside as missing",
      );
    const bytes = body?.length ?? 0;
    room.took(bytes);
    return { ...one, receivedAt, bytes, parsed: parse(provider, body) };
  }

  /** Applies a batch in its order; false when the lane was lost before all of it was. */
  async function applyAll(batch: readonly Loaded[]): Promise<boolean> {
    let left: Batch | null = null;
    for (let round = 0; ; round++) {
      try {
        left ??= await plan(
          deps,
          batch.map(({ parsed }) => parsed),
        );
        left = await apply(deps, left);
        if (left === null) return true;
      } catch (error) {
        if (!isStandstill(error)) {
          for (const { parsed } of batch) parsed.failures.push(error);
          return true;
        }
      }
      if (!(await goesOn(batch, round))) return false;
    }
  }

  /** Waits while the database is away; false when the lane is not ours any more. */
  async function goesOn(batch: readonly Working[], round: number): Promise<boolean> {
    const claim = batch[0]?.claim;
    if (!claim?.valid() || claim.signal.aborted) return false;
    await new Promise<void>((resolve) => {
      const ring = (): void => {
        cancel();
        claim.signal.removeEventListener("abort", ring);
        resolve();
      };
      const cancel = clock.after(growing(round, STANDSTILL_MOST_MS), ring);
      claim.signal.addEventListener("abort", ring);
    });
    return claim.valid() && !claim.signal.aborted;
  }

  async function finish(one: Loaded): Promise<void> {
    const { row, parsed, receivedAt } = one;
    const [failure] = parsed.failures;
    const due = failure === undefined ? null : clock.now() + pauseAfter(row.attempt, Math.random);
    if (failure !== undefined) troubled(failure, row.itemId);
    // Whatever could be applied is; the whole callback comes again for the rest, and applying twice does nothing.
    const stored = await store(one, due, due === null ? parsed.aside.map(asideRow) : []);
    if (!stored) return one.settle({ kind: "again" });
    if (due !== null) return one.settle({ kind: "later", due, holdsKey: false });
    log.info(
      {
        callback_id: row.itemId,
        changes: parsed.changes.length,
        set_aside: parsed.aside.length,
        failed: parsed.aside.filter(({ reason }) => reason === "failed").length,
        attempt: row.attempt + 1,
        age_ms: receivedAt === null ? null : clock.now() - receivedAt.getTime(),
      },
      "callback parsed",
    );
    one.settle({ kind: "done" });
  }

  async function store(one: Loaded, due: number | null, quarantine: AsideRow[]): Promise<boolean> {
    const { slot, lane, seq, itemId } = one.row;
    for (let round = 0; ; round++) {
      try {
        const dueAt = due === null ? null : new Date(due).toISOString();
        await finishes.submit({ slot, lane, seq, callback_id: itemId, due: dueAt, quarantine });
        return true;
      } catch (error) {
        // What a change said cannot be kept beside it; the raw callback has it.
        if (isOfItsOwn(error)) for (const aside of quarantine) aside.change = null;
        else if (!isStandstill(error)) troubled(error, itemId);
        if (!(await goesOn([one], round))) return false;
      }
    }
  }

  function asideRow({ reason, change, error }: SetAside): AsideRow {
    const phone = change && "providerPhoneNumberId" in change ? change.providerPhoneNumberId : null;
    const account = change && "providerAccountId" in change ? change.providerAccountId : null;
    return {
      id: newUuid(clock.now()),
      reason,
      detail: error === null ? null : detailOf(error),
      provider_phone_number_id: phone,
      provider_account_id: account,
      change: change && "value" in change ? change.value : null,
    };
  }

  return {
    kind: { name: "ingest", role: "ingress", queue: ingestQueue, inFlight: IN_FLIGHT, settings, work },
    async stop() {
      while (running.size > 0) await Promise.allSettled(running);
      await Promise.all([loads.drained(), finishes.drained()]);
    },
  };
}

/** In the order of the lane; one that comes late goes before those that came after it. */
function insert(waiting: Working[], one: Working): void {
  let at = waiting.length;
  while (at > 0 && (waiting[at - 1]?.row.seq ?? 0) > one.row.seq) at -= 1;
  waiting.splice(at, 0, one);
}

const settings = (lanes: readonly number[]): Promise<Map<number, LaneSettings>> =>
  Promise.resolve(
    new Map(
      lanes.map((lane) => [
        lane,
        {
          fairShareKey: String(lane),
          ratePerSecond: null,
          concurrency: { start: LANE_CALLBACKS, most: LANE_CALLBACKS },
          ordered: false,
          keyPace: null,
          closed: false,
        },
      ]),
    ),
  );
