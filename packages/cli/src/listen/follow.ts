import { setTimeout as pause } from "node:timers/promises";
import { ConnectionError, type Event, GatewayError, type Page, RateLimitError, type Waypost } from "@waypost/sdk";

/** How soon an event is seen; a page without any costs the gateway a millisecond. */
const LOOK_EVERY_MS = 500;
/** Between two calls of a gateway that is away. */
const AWAY_MS = 1_000;
const PAGE = 100;

export type Following = {
  signal: AbortSignal;
  /** Called with a line when the gateway goes away and when it is back. */
  notice(line: string): void;
};

/**
 * The events of the workspace from now on, each once and in order, until the signal. The cursor outlives an absence of the gateway, so
 * that none is missed. Throws what the gateway refuses for good.
 */
export async function* followEvents(api: Waypost, { signal, notice }: Following): AsyncGenerator<Event> {
  // The same filter with every cursor.
  const created_after = new Date().toISOString();
  let cursor: string | undefined;
  let isAway = false;
  while (!signal.aborted) {
    const page = await pageOf(api, { created_after, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) }, signal);
    if (page === "away") {
      if (!isAway) notice("the gateway is away; its events are forwarded once it is back");
      isAway = true;
      await rest(AWAY_MS, signal);
      continue;
    }
    if (isAway) notice("the gateway is back");
    isAway = false;
    for (const event of page?.data ?? []) {
      yield event;
      if (signal.aborted) return;
    }
    cursor = page?.nextCursor ?? cursor;
    if (!page?.hasMore) await rest(LOOK_EVERY_MS, signal);
  }
}

type Query = NonNullable<Parameters<Waypost["events"]["list"]>[0]>;

/** Null after the signal, or when the workspace's rate is used up. */
async function pageOf(api: Waypost, query: Query, signal: AbortSignal): Promise<Page<Event> | "away" | null> {
  try {
    return await api.events.list(query, { signal, maxRetries: 0 });
  } catch (error) {
    if (signal.aborted || error instanceof RateLimitError) return null;
    if (error instanceof ConnectionError || error instanceof GatewayError) return "away";
    throw error;
  }
}

/** Resolves after the time, or with the signal. */
export const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);
