import type { App } from "../../ctx.ts";
import { askOnce } from "../../lib/metrics.ts";
import { countRooms, ROOMS } from "./limit.store.ts";

/** People of large portfolios are counted, which takes some 20 ms for a hundred thousand. */
const KEPT_MS = 60_000;

/** Shows how many portfolios have how much left of their messaging limits. */
export function showRooms({ db, clock, metrics }: Pick<App, "db" | "clock" | "metrics">): void {
  let last: { at: number; rooms: ReadonlyMap<string, number> } | null = null;
  const ask = askOnce(async () => {
    if (last === null || clock.monotonic() - last.at >= KEPT_MS) {
      const rows = await db.call(countRooms, [], clock.now());
      last = { at: clock.monotonic(), rooms: new Map(rows.map(({ room, portfolios }) => [room, portfolios])) };
    }
    return last.rooms;
  });
  metrics.gauge(
    {
      name: "waypost_portfolios",
      help: "Business portfolios by what is left of their messaging limits, in this and all processes: none, less than a tenth, less than half, more. A minute old at most. Take the maximum, not the sum.",
      labels: { room: ROOMS },
    },
    async () => {
      const rooms = await ask();
      return ROOMS.map((room) => [{ room }, rooms === null ? null : (rooms.get(room) ?? 0)]);
    },
  );
}
