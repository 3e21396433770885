import type { App } from "../../ctx.ts";
import { TASKS_IN_FLIGHT, type TaskHandlers } from "./lane.ts";

/**
 * Of the tasks in flight, those that no person waits for may be three quarters: accounts whose provider hangs keep each for the
 * 30 s of a call, and signups and connections must find a place meanwhile.
 */
const MOST_BACKGROUND = (TASKS_IN_FLIGHT * 3) / 4;
/** A place is soon free, unless the provider hangs; then they wait in vain, and should not do so too often. */
const AGAIN_MS = { least: 3_000, spread: 4_000 };

/** The places of a process for tasks that no person waits for. */
export class BackgroundPlaces {
  #taken = 0;

  /** The same handlers, which wait while all places are taken. */
  within({ clock, random }: Pick<App, "clock" | "random">, handlers: TaskHandlers): TaskHandlers {
    const limited = Object.entries(handlers).map(([kind, handler]): [string, TaskHandlers[string]] => [
      kind,
      async (task) => {
        if (this.#taken >= MOST_BACKGROUND)
          return { kind: "wait", at: clock.now() + AGAIN_MS.least + AGAIN_MS.spread * random() };
        this.#taken += 1;
        try {
          return await handler(task);
        } finally {
          this.#taken -= 1;
        }
      },
    ]);
    return Object.fromEntries(limited);
  }
}
