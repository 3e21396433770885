import type { App } from "../../ctx.ts";
import type { TaskHandlers } from "./lane.ts";

/** A place is soon free, unless the provider hangs; then these tasks wait in vain, and should not do so too often. */
const AGAIN_MS = { least: 3_000, spread: 4_000 };

/** Some of a process's places for tasks. */
class Places {
  readonly #most: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The same handlers, which wait while all of these places are taken. */
  within({ clock, random }: Pick<App, "clock" | "random">, handlers: TaskHandlers): TaskHandlers {
    const limited = Object.entries(handlers).map(([kind, handler]): [string, TaskHandlers[string]] => [
      kind,
      async (task) => {
        if (this.#taken >= this.#most)
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

/**
 * The places of a process for tasks that ask the provider and that no person waits for, of the 64 that it has for tasks: an account whose
 * provider hangs keeps one for the 30 s of each call. Connections always find a place, and what the provider has reported is not held up
 * by what is only looked at every few hours.
 */
export class BackgroundPlaces {
  readonly reported = new Places(36);
  readonly periodic = new Places(12);
}
