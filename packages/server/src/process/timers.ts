import type { App } from "../ctx.ts";
import type { answering } from "../db/question.ts";
import type { Timer } from "../feature.ts";
import { untilBeat } from "../lib/clock.ts";

/** All timers look at the clock together, so that a process at rest wakes and asks as seldom as it can. */
const BEAT_MS = 1_000;
/** A timer's first round comes no later: in a process that restarts often an hourly timer would never run otherwise. */
const FIRST_ROUND_MS = 60_000;

type Given = Omit<Timer, "role">;

/**
 * Runs each timer regularly; returns what ends them. Those that are due at one beat ask by one call of `findWork` whether there is
 * anything to do. A round that runs at the end still ends by itself.
 */
export function startTimers(app: App, timers: readonly Given[], findWork: ReturnType<typeof answering>): () => void {
  const busy = new Set<Given>(); // a slow round is not joined by a second one
  let beats = 0;
  const beat = (): void => {
    timeout = setTimeout(beat, untilBeat(performance.now(), BEAT_MS)).unref();
    beats += 1;
    const due = timers.filter((timer) => !busy.has(timer) && isDue(timer, beats));
    for (const timer of due) busy.add(timer);
    void runAll(app, due, findWork, (timer) => busy.delete(timer));
  };
  let timeout = setTimeout(beat, untilBeat(performance.now(), BEAT_MS)).unref();
  return () => clearTimeout(timeout);
}

const isDue = ({ everyMs, firstAfterMs = FIRST_ROUND_MS }: Given, beats: number): boolean =>
  (beats * BEAT_MS) % everyMs === 0 || beats * BEAT_MS === firstAfterMs;

async function runAll(
  app: App,
  due: readonly Given[],
  findWork: ReturnType<typeof answering>,
  ended: (timer: Given) => void,
): Promise<void> {
  const asking = due.filter(({ asks }) => asks !== undefined);
  const run = (timer: Given): void =>
    void timer
      .run()
      .catch((err: unknown) => app.log.warn({ err, timer: timer.name }, "a timer failed; its next round tries again"))
      .finally(() => ended(timer));
  for (const timer of due) if (timer.asks === undefined) run(timer);
  if (asking.length === 0) return;
  const found = await find(app, asking, findWork);
  for (const timer of asking)
    if (found.has(timer)) run(timer);
    else ended(timer);
}

/** Those that have something to do. When that is not known, each must see for itself: one question must not keep the others from their work. */
async function find(
  { db, clock }: App,
  asking: readonly Given[],
  findWork: ReturnType<typeof answering>,
): Promise<ReadonlySet<Given>> {
  try {
    const rows = asking.map(({ asks }) => ({ question: asks?.name ?? "" }));
    const answers = new Set((await db.call(findWork, rows, clock.now())).map(({ question }) => question));
    return new Set(asking.filter(({ asks }) => answers.has(asks?.name ?? "")));
  } catch {
    return new Set(asking);
  }
}
