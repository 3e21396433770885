import type { App } from "../../../ctx.ts";
import { openDatabase } from "../../../db/database.ts";
import { startLanes } from "../../../lanes/engine.ts";
import { openNotifier } from "../../../lanes/ownership/notifier.ts";
import { systemClock } from "../../../lib/clock.ts";
import { createLog } from "../../../lib/log.ts";
import { Metrics } from "../../../lib/metrics.ts";
import { Secrets } from "../../../lib/secrets.ts";
import { readConfig } from "../../../process/config/config.ts";
import { Deliver } from "../deliver/deliver.ts";
import { TEST_ENV, TEST_EVENTS } from "./deps.ts";

// A process with the role `deliver` alone, for tests to kill: `node deliver-child.ts <url> <app role> <lease ms>`.
const [url = "", appRole = "", leaseMs = ""] = process.argv.slice(2);
const log = createLog("silent");
const clock = systemClock();
const notifier = await openNotifier(url, log);
const app: App = {
  config: readConfig(TEST_ENV),
  log,
  clock,
  secrets: new Secrets([new Uint8Array(32).fill(7)]), // the key of openApp,
  db: openDatabase({ url, appRole, onError: () => undefined }),
  provider: {} as App["provider"], // not reached from here
  notifier,
  metrics: new Metrics(),
  random: Math.random,
};
const deliver = new Deliver(app, TEST_EVENTS, { version: "0.0.0" });
const lanes = await startLanes({
  kinds: [deliver],
  roles: ["deliver"],
  version: "0.0.0",
  leaseMs: Number(leaseMs),
  db: app.db,
  clock,
  log,
  notifier,
  random: app.random,
});
process.on("SIGTERM", () => {
  void (async () => {
    await lanes.stop();
    await deliver.stop();
    await notifier.close();
    await app.db.close();
    process.exit(0);
  })();
});
process.stdout.write("ready\n");
