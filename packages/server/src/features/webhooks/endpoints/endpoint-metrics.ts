import type { App } from "../../../ctx.ts";
import { askOnce } from "../../../lib/metrics.ts";
import { countEndpoints, STATUSES } from "./endpoint-metrics.store.ts";

/** All endpoints are counted, and what is parked for those that are disabled. */
const KEPT_MS = 60_000;

/** Shows how many endpoints there are of each status, and how many deliveries are kept for those that are disabled. */
export function showEndpoints({ db, clock, metrics }: Pick<App, "db" | "clock" | "metrics">): void {
  type Counts = Awaited<ReturnType<typeof count>>;
  const count = () => db.call(countEndpoints, [], clock.now());
  let last: { at: number; counts: Counts } | null = null;
  const ask = askOnce(async () => {
    if (last === null || clock.monotonic() - last.at >= KEPT_MS)
      last = { at: clock.monotonic(), counts: await count() };
    return last.counts;
  });
  metrics.gauge(
    {
      name: "waypost_webhook_endpoints",
      help: "Webhook endpoints of all workspaces by status: failing for an hour or longer, disabled. A minute old at most. Of all processes: take the maximum, not the sum.",
      labels: { status: STATUSES },
    },
    async () => {
      const counts = await ask();
      return STATUSES.map((status) => [
        { status },
        counts && (counts.find((one) => one.status === status)?.endpoints ?? 0),
      ]);
    },
  );
  metrics.gauge(
    {
      name: "waypost_deliveries_parked",
      help: "Deliveries that are kept for endpoints that are disabled, counted up to 100,000 for each. A minute old at most. Of all processes: take the maximum, not the sum.",
      labels: {},
    },
    async () => {
      const counts = await ask();
      return [[{}, counts && counts.reduce((sum, { parked }) => sum + parked, 0)]];
    },
  );
}
