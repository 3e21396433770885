import { ApiError } from "@waypost/sdk";

export type Failure<T> = { item: T; error: unknown };
/** How far it is: `done` counts those that failed too. `fault`: what would be refused of each, so that no more were tried; else null. */
export type Run<T> = {
  done: number;
  all: number;
  failures: readonly Failure<T>[];
  fault: ApiError | null;
  hasEnded: boolean;
};

/** How often the API is waited for in a row before it is said. */
const MOST_WAITS = 3;
const LONGEST_WAIT_S = 60;

/** A tag that is no tag, a session that has ended, a scope that is lacking. */
const OF_ALL = [400, 401, 403];

/**
 * Does something to each, one after the other; one that fails holds up no other, unless it would be refused of every one.
 * Where the API says to come back later, it waits so long.
 * `onRun` is called at the beginning and after each.
 */
export async function eachOf<T>(
  items: readonly T[],
  change: (item: T) => Promise<unknown>,
  onRun: (run: Run<T>) => void,
  wait: (seconds: number) => Promise<void> = later,
): Promise<void> {
  const failures: Failure<T>[] = [];
  const say = (done: number, fault: ApiError | null = null): void => {
    const hasEnded = fault !== null || done === items.length;
    onRun({ done, all: items.length, failures: [...failures], fault, hasEnded });
  };
  say(0);
  for (const [index, item] of items.entries()) {
    try {
      await patiently(() => change(item), wait);
    } catch (error) {
      if (error instanceof ApiError && OF_ALL.includes(error.status)) return say(index, error);
      failures.push({ item, error });
    }
    say(index + 1);
  }
}

async function patiently(call: () => Promise<unknown>, wait: (seconds: number) => Promise<void>): Promise<void> {
  for (let waits = 0; ; waits++) {
    try {
      await call();
      return;
    } catch (error) {
      const seconds = error instanceof ApiError && error.retryable ? error.retryAfterSeconds : null;
      if (seconds === null || seconds > LONGEST_WAIT_S || waits === MOST_WAITS) throw error;
      await wait(seconds);
    }
  }
}

const later = (seconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, seconds * 1_000);
  });
