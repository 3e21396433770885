import type { App } from "../../ctx.ts";
import { isPassing } from "../../db/batched.ts";
import { isTransient } from "../../db/connect.ts";
import {
  type Disposition,
  evenSettings,
  type LaneClaim,
  type LaneKind,
  type LaneSettings,
  type QueueRow,
} from "../../lanes/kind.ts";
import { type OutcomeStore, storeOutcome } from "../../lanes/store-outcome.ts";
import { jittered } from "../../lib/backoff.ts";
import { DAY_MS } from "../../lib/duration.ts";
import { type BeginAnswer, beginTasks, type EndRow, endTasks, MOST_CRASHES, taskQueue } from "./store.ts";
import { shareOf } from "./task.ts";
import type { TaskWaiters } from "./task-waiters.ts";

/** A task that is being worked. `payload` is what was enqueued: the handler reads it as its own feature wrote it. */
export type Task = {
  workspaceId: string;
  taskId: string;
  kind: string;
  payload: unknown;
  /** Tries before this one. */
  attempt: number;
  /** True when this try is the last: a retry after it is stored as a failure. */
  lastTry: boolean;
  /** Milliseconds. */
  now: number;
  /** Aborted at the end of a graceful stop; a task that has not ended by then is begun again by another process. */
  signal: AbortSignal;
};

/** Public text: it is returned to the workspace. */
export type TaskError = { code: string; detail: string };

/** `retry` without `at` (milliseconds) waits as `taskBackoff` says. After `wait` nothing was tried. */
export type TaskOutcome =
  | { kind: "done" }
  | { kind: "failed"; error: TaskError }
  | { kind: "retry"; error: TaskError; at?: number }
  | { kind: "wait"; at: number };

/** Does the work of one kind. Must be idempotent: it may run twice, even at once, and after an earlier run that ended halfway. */
export type TaskHandler = (task: Task) => Promise<TaskOutcome>;
/** By kind. */
export type TaskHandlers = Readonly<Record<string, TaskHandler>>;

/** Tasks mostly wait for the provider; this many at once keep a process busy without filling its pools. */
const TASKS_IN_FLIGHT = 64;
/** For each lane: an import and a sync side by side, a few more while they succeed. */
const CONCURRENCY = { start: 2, most: 8 };
/** A task that still fails after a day will not succeed: it is stored as failed. */
const LONGEST_RETRY_MS = DAY_MS;
/** A kind without a handler here may belong to a newer version: a process of that version has this long to take over. */
const UNKNOWN_KIND_AGAIN_MS = 30_000;

/** How a try ended, as `end_tasks` stores it. */
type TaskEnd = Pick<EndRow, "outcome" | "error" | "due" | "attempt" | "crashed">;

/** A try that only waited says nothing of what tasks need: counted as bad, twenty imports that wait would leave their lane one place. */
type Try = TaskEnd & { coped: boolean | undefined };

/**
 * The task lanes: one for each workspace, one for each of its accounts and one for each kind of its long tasks, which share the places of
 * their workspace. `work` marks a task as begun, runs its handler and stores the end.
 *
 * A task is `pending`, and has a queue row, until it ends as `done` or `failed`. Each begin counts it as unfinished, and each
 * end that is not a crash sets that count back to 0; a task that is begun with more than `MOST_CRASHES` is given up.
 */
export class TaskLane implements LaneKind {
  readonly name = "task";
  readonly role = "maintenance";
  readonly queue = taskQueue;
  readonly inFlight = TASKS_IN_FLIGHT;

  readonly #app: App;
  readonly #waiters: TaskWaiters;
  readonly #handlers: ReadonlyMap<string, TaskHandler>;
  readonly #ends: OutcomeStore<EndRow, unknown>;

  constructor(app: App, waiters: TaskWaiters, handlers: ReadonlyMap<string, TaskHandler>) {
    this.#app = app;
    this.#waiters = waiters;
    this.#handlers = handlers;
    this.#ends = {
      clock: app.clock,
      calls: { submit: (end) => app.db.call(endTasks, [end], app.clock.now()) },
      offersAgain(error, _end, claim) {
        if (isNotOfTask(error) && claim.valid()) return true;
        throw error;
      },
    };
  }

  settings(lanes: readonly number[]): Promise<Map<number, LaneSettings>> {
    const settings = [...evenSettings(lanes, CONCURRENCY)];
    return Promise.resolve(new Map(settings.map(([lane, one]) => [lane, { ...one, fairShareKey: shareOf(lane) }])));
  }

  async work(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    const { db, clock, log } = this.#app;
    const ticket = { slot: row.slot, seq: row.seq, workspace_id: row.workspaceId, job_id: row.itemId };
    const [begun] = await db.call(beginTasks, [ticket], clock.now());
    if (!begun || begun.verdict !== "run") {
      if (begun?.verdict === "poison")
        log.error({ ...idsOf(row), task: begun.kind }, "a task was given up: none of its starts came to an end");
      this.#waiters.ended(row.itemId);
      return { kind: "done" };
    }
    const started = clock.monotonic();
    const { coped, ...end } = await this.#run(row, begun, claim);
    const disposition = await this.#store(claim, { ...ticket, ...end });
    if (end.outcome !== "later") this.#waiters.ended(row.itemId);
    const ended = end.outcome === "done" ? "info" : "warn";
    log[coped === undefined ? "debug" : ended](
      {
        ...idsOf(row),
        task: begun.kind,
        outcome: end.outcome,
        attempt: row.attempt + 1,
        ms: Math.round(clock.monotonic() - started),
        error: end.error,
      },
      "task",
    );
    return { ...disposition, coped };
  }

  async #run(row: QueueRow, begun: BeginAnswer, claim: LaneClaim): Promise<Try> {
    const { clock, log, random } = this.#app;
    const { workspaceId, itemId: taskId, attempt } = row;
    const now = clock.now();
    const lastTry = begun.created_at !== null && now - begun.created_at.getTime() > LONGEST_RETRY_MS;
    const later = (error: TaskError | null, at: number, tries: number, crashed = false): Try =>
      lastTry && error !== null
        ? { outcome: "failed", error, due: null, attempt: tries, crashed, coped: true }
        : { outcome: "later", error, due: new Date(at).toISOString(), attempt: tries, crashed, coped: false };
    const kind = begun.kind ?? "";
    const handler = this.#handlers.get(kind);
    if (!handler)
      return later({ code: "unknown_kind", detail: "No handler." }, now + UNKNOWN_KIND_AGAIN_MS, attempt + 1);

    const backoff = (): number => clock.now() + taskBackoff(attempt, random);
    try {
      const { signal } = claim;
      const task = { workspaceId, taskId, kind, payload: begun.payload, attempt, lastTry, now, signal };
      const outcome = await untilAborted(handler(task), signal);
      if (outcome === null) return later(null, clock.now(), attempt);
      if (outcome.kind === "wait") return { ...later(null, outcome.at, attempt), coped: undefined };
      if (outcome.kind === "retry") return later(outcome.error, outcome.at ?? backoff(), attempt + 1);
      const error = outcome.kind === "failed" ? outcome.error : null;
      return { outcome: outcome.kind, error, due: null, attempt, crashed: false, coped: true };
    } catch (error) {
      if (isNotOfTask(error)) return later(null, backoff(), attempt + 1);
      log.error({ ...idsOf(row), task: begun.kind, err: error }, "a task handler threw an error");
      const crash = { code: "crashed", detail: "Something failed here." };
      if ((begun.unfinished ?? 0) < MOST_CRASHES) return later(crash, backoff(), attempt + 1, true);
      return { outcome: "failed", error: crash, due: null, attempt, crashed: true, coped: true };
    }
  }

  // The end is known, so this write is repeated and not the task. Once the lease is lost, the next owner begins the task again.
  async #store(claim: LaneClaim, end: EndRow): Promise<Disposition> {
    await storeOutcome(this.#ends, end, claim);
    if (end.outcome !== "later") return { kind: "done" };
    return { kind: "later", due: Date.parse(end.due ?? ""), holdsKey: false };
  }
}

const BASE_MS = 1_000;
/** The longest pause: a provider that is back is asked again within this time. */
const MOST_MS = 5 * 60_000;
const MOST_EXPONENT = 16;
/** Tasks that failed together are retried at different times. */
const SPREAD = 0.2;

/** Milliseconds to wait after a try that `attempt` others preceded: 1 s, 2 s, 4 s … 5 min, with jitter. `random` returns 0 to 1. */
export function taskBackoff(attempt: number, random: () => number): number {
  const ms = jittered(Math.min(MOST_MS, BASE_MS * 2 ** Math.min(MOST_EXPONENT, attempt)), SPREAD, random);
  // What lies beyond the longest pause is as much before it.
  return ms > MOST_MS ? 2 * MOST_MS - ms : ms;
}

/** The result of `work`, or null when the signal is aborted first: the handler may still end later, which does no harm. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(null);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** The failure says nothing about the task and does not count against it. */
const isNotOfTask = (error: unknown): boolean => isPassing(error) || isTransient(error);

const idsOf = (row: QueueRow): { workspace_id: string; job_id: string } => ({
  workspace_id: row.workspaceId,
  job_id: row.itemId,
});
