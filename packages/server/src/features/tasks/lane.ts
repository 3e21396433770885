import type { App } from "../../ctx.ts";
import { CommitUnknown, DatabaseUnavailable } from "../../db/database.ts";
import type { Disposition, LaneClaim, LaneKind, LaneSettings, QueueRow } from "../../lanes/kind.ts";
import { sqlState } from "../../lib/error-fields.ts";
import { taskBackoff } from "./backoff.ts";
import type { Jobs } from "./job-waiters.ts";
import { type BeginAnswer, beginTasks, type EndRow, endTasks, MOST_CRASHES, taskQueue } from "./store.ts";

/** A job at work. `payload` is what was enqueued: the handler reads it as its own feature wrote it. */
export type Task = {
  workspaceId: string;
  jobId: string;
  kind: string;
  payload: unknown;
  /** Tries before this one. */
  attempt: number;
  /** A retry after this try is not granted any more. */
  lastTry: boolean;
  /** Milliseconds. */
  now: number;
  /** Aborted at the end of a graceful stop; what is not done then is begun again elsewhere. */
  signal: AbortSignal;
};

/** Public text: it is shown to the workspace. */
export type TaskError = { code: string; detail: string };

/** `retry` without `at` (milliseconds) backs off by itself. */
export type TaskOutcome =
  | { kind: "done" }
  | { kind: "failed"; error: TaskError }
  | { kind: "retry"; error: TaskError; at?: number };

/** Does the work of one kind. It may run twice, at once even, and after half of an earlier run: it must not mind. */
export type TaskHandler = (task: Task) => Promise<TaskOutcome>;
export type TaskHandlers = Readonly<Record<string, TaskHandler>>;

/** Tasks mostly wait for the provider; this many at once keep a process busy without filling its pools. */
const TASKS_IN_FLIGHT = 64;
/** Of one workspace: an import and a sync side by side, a few more while they do well. */
const CONCURRENCY = { start: 2, most: 8 };
/** A task that was not done after a day will not be: its failure is told. */
const LONGEST_RETRY_MS = 24 * 3_600_000;
/** A handler that this version does not know may belong to a newer one: it has this long to take over. */
const UNKNOWN_KIND_AGAIN_MS = 30_000;

/** The lane kind `task`, worked by processes of role maintenance. */
export function taskKind(app: App, jobs: Jobs, handlers: TaskHandlers): LaneKind {
  return {
    name: "task",
    role: "maintenance",
    queue: taskQueue,
    inFlight: TASKS_IN_FLIGHT,
    settings: (lanes) => Promise.resolve(new Map(lanes.map((lane) => [lane, settingsOf(lane)]))),
    work: (row, claim) => work(app, jobs, handlers, row, claim),
  };
}

const settingsOf = (lane: number): LaneSettings => ({
  fairShareKey: String(lane),
  ratePerSecond: null,
  concurrency: CONCURRENCY,
  ordered: false,
  keyPace: null,
  closed: false,
});

async function work(
  app: App,
  jobs: Jobs,
  handlers: TaskHandlers,
  row: QueueRow,
  claim: LaneClaim,
): Promise<Disposition> {
  const ticket = { slot: row.slot, seq: row.seq, workspace_id: row.workspaceId, job_id: row.itemId };
  const [begun] = await app.db.call<BeginAnswer>(beginTasks, [JSON.stringify(ticket)], app.clock.now());
  if (!begun || begun.fate !== "run") {
    if (begun?.fate === "poison") app.log.error({ ...nameOf(row), task: begun.kind }, "task given up: it never ends");
    jobs.ended(row.itemId);
    return { kind: "done" };
  }
  const started = app.clock.monotonic();
  const end = await endOf(app, handlers, row, begun, claim);
  claim.report(end.outcome !== "later");
  const disposition = await write(app, claim, { ...ticket, ...end });
  if (end.outcome !== "later") jobs.ended(row.itemId);
  app.log[end.outcome === "done" ? "info" : "warn"](
    {
      ...nameOf(row),
      task: begun.kind,
      outcome: end.outcome,
      attempt: row.attempt + 1,
      ms: Math.round(app.clock.monotonic() - started),
      error: end.error,
    },
    "task",
  );
  return disposition;
}

type End = Pick<EndRow, "outcome" | "error" | "due" | "attempt" | "crashed">;

async function endOf(
  app: App,
  handlers: TaskHandlers,
  row: QueueRow,
  begun: BeginAnswer,
  claim: LaneClaim,
): Promise<End> {
  const now = app.clock.now();
  const lastTry = begun.created_at !== null && now - begun.created_at.getTime() > LONGEST_RETRY_MS;
  const handler = handlers[begun.kind ?? ""];
  const later = (error: TaskError | null, at: number, attempt: number, crashed = false): End =>
    lastTry && error !== null
      ? { outcome: "failed", error, due: null, attempt, crashed }
      : { outcome: "later", error, due: new Date(at).toISOString(), attempt, crashed };
  if (!handler)
    return later({ code: "unknown_kind", detail: "No handler." }, now + UNKNOWN_KIND_AGAIN_MS, row.attempt + 1);

  const { workspaceId, itemId: jobId, attempt } = row;
  const task = { workspaceId, jobId, kind: begun.kind ?? "", payload: begun.payload, attempt, lastTry, now };
  const again = (): number => app.clock.now() + taskBackoff(attempt, Math.random);
  try {
    const outcome = await untilAborted(handler({ ...task, signal: claim.signal }), claim.signal);
    if (outcome === null) return later(null, app.clock.now(), attempt);
    if (outcome.kind === "retry") return later(outcome.error, outcome.at ?? again(), attempt + 1);
    const error = outcome.kind === "failed" ? outcome.error : null;
    return { outcome: outcome.kind, error, due: null, attempt, crashed: false };
  } catch (error) {
    if (isPassing(error)) return later(null, again(), attempt + 1);
    app.log.error({ ...nameOf(row), task: begun.kind, err: error }, "task handler threw");
    const crash = { code: "crashed", detail: "Something failed here." };
    if ((begun.unfinished ?? 0) < MOST_CRASHES) return later(crash, again(), attempt + 1, true);
    return { outcome: "failed", error: crash, due: null, attempt, crashed: true };
  }
}

// Null when the stop came first: the handler may still end, and does no harm by it.
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(null);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** How soon the end of a task is written again when the database was away. */
const WRITE_AGAIN_MS = 500;

// The end is known, so it is this write that is tried again and not the task; past the lease the next owner begins anew.
async function write(app: App, claim: LaneClaim, end: EndRow): Promise<Disposition> {
  for (;;) {
    try {
      await app.db.call(endTasks, [JSON.stringify(end)], app.clock.now());
      if (end.outcome !== "later") return { kind: "done" };
      return { kind: "later", due: Date.parse(end.due ?? ""), holdsKey: false };
    } catch (error) {
      if (!isPassing(error) || !claim.valid()) throw error;
      await new Promise<void>((resolve) => app.clock.after(WRITE_AGAIN_MS, resolve));
    }
  }
}

/** Lock not had in time, deadlock, serialization, statement timeout: the same call may succeed in a moment. */
const PASSING_STATES = new Set(["55P03", "40P01", "40001", "57014"]);

/** The database was away or busy: nobody's fault, and no reason to count against the task. */
const isPassing = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof CommitUnknown || PASSING_STATES.has(sqlState(error) ?? "");

const nameOf = (row: QueueRow): { workspace_id: string; job_id: string } => ({
  workspace_id: row.workspaceId,
  job_id: row.itemId,
});
