import { monotonicMs } from "../bench/monotonic.ts";
import type { Lab } from "./lab.ts";

/** Longer than a slot may stand still whose owner is well: a take-over waits up to 8 s for those who are just writing. */
const STANDING_MS = 12_000;
const LOOK_EVERY_MS = 500;

type Waiting = { slot: number; process: string | null; oldest: string };

/** Looks again and again whether a process that calls itself ready works the slots that the table says are its own. */
export function watchReadiness(lab: Lab) {
  const readySince = new Map<string, number>();
  const standingSince = new Map<string, number>();
  const lies = new Set<string>();
  let stopped = false;

  async function look(): Promise<void> {
    const now = monotonicMs();
    await Promise.all(
      lab.running().map(async (process) => {
        if (!(await process.ready())) readySince.delete(process.name);
        else if (!readySince.has(process.name)) readySince.set(process.name, now);
      }),
    );
    // While the database is away, waiting rows cannot be read here, and no process can work them either.
    const waiting = await lab.query<Waiting>(WAITING).catch(() => [] as Waiting[]);
    const standing = new Set<string>();
    for (const { slot, process, oldest } of waiting) {
      const key = `${process ?? "none"} ${slot} ${oldest}`;
      standing.add(key);
      if (!standingSince.has(key)) standingSince.set(key, now);
      const since = Math.max(standingSince.get(key) ?? now, readySince.get(process ?? "") ?? now);
      if (now - since > STANDING_MS) lies.add(`${process} is ready and owns slot ${slot}, whose message waits`);
    }
    for (const key of standingSince.keys()) if (!standing.has(key)) standingSince.delete(key);
  }

  const looking = (async () => {
    while (!stopped) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  })();
  return {
    /** What was seen, a line for each slot and process. */
    async stop(): Promise<string[]> {
      stopped = true;
      await looking;
      return [...lies];
    },
  };
}

const WAITING = `select d.slot, w.process, min(d.seq)::text as oldest
  from dispatch d join slot s on s.kind = 1 and s.slot = d.slot left join worker w on w.id = s.owner
 where d.state = 0 and d.due <= now() group by d.slot, w.process`;
