import { Store } from "../store.ts";

export const NOW_EVERY_MS = 10_000;

/** The present in milliseconds, as it is shown: moves every ten seconds. */
export const now = new Store(Date.now());
setInterval(() => now.set(Date.now()), NOW_EVERY_MS);
