import type { App } from "../../ctx.ts";
import { pause } from "../../lib/clock.ts";
import { countAttemptRows } from "./attempt-counts.store.ts";
import { countMessages } from "./message-counts.store.ts";

/** After each call the database rests this many times as long as it counted, so that a backlog takes a fifth of one processor. */
const REST = 4;
const FIRST = "00000000-0000-0000-0000-000000000000";

/** Counts what was reported of messages until nothing is left. Another process that is counting is left to it. */
export async function countAllMessages({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  let behind = FIRST;
  let isMoreLeft = false;
  for (;;) {
    const begun = clock.monotonic();
    const [counted] = await db.call(countMessages, [{ behind }], clock.now());
    if (counted === undefined) return;
    isMoreLeft ||= counted.more;
    if (counted.behind === null) {
      if (!isMoreLeft) return;
      isMoreLeft = false;
    }
    behind = counted.behind ?? FIRST;
    await pause(clock, (clock.monotonic() - begun) * REST);
  }
}

/** Adds up the attempts that were counted, in the same way. */
export async function countAllAttempts({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  for (;;) {
    const begun = clock.monotonic();
    const [counted] = await db.call(countAttemptRows, [], clock.now());
    if (!counted?.more) return;
    await pause(clock, (clock.monotonic() - begun) * REST);
  }
}
