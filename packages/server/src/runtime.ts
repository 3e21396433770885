import type { Config, Role } from "./config.ts";
import type { House } from "./ctx.ts";
import { openDatabase } from "./db/database.ts";
import { InstallError, readRoles } from "./db/migrate.ts";
import type { Timer } from "./feature.ts";
import { buildFeatures } from "./features.ts";
import type { ReadyReport } from "./http/probes.ts";
import { createHttp } from "./http/server.ts";
import { install } from "./install.ts";
import { type Lanes, startLanes } from "./lanes/engine.ts";
import { openNotifier } from "./lanes/notify.ts";
import { systemClock } from "./lib/clock.ts";
import { createLog } from "./lib/log.ts";
import { createSecrets } from "./lib/secrets.ts";
import { createWhatsApp } from "./provider/whatsapp/adapter.ts";
import { VERSION } from "./version.ts";

export type RuntimeOptions = {
  config: Config;
  roles: readonly Role[] /** False: somebody else migrates. */;
  migrate: boolean;
};

/** A running process. `stop` hands over and ends in reverse order of the start. */
export type Runtime = { url: string | null; stop(): Promise<void> };

/** Ready is asked by load balancers every second or so; the database gets this long to answer. */
const READY_WITHIN_MS = 2_000;

/** Builds the house by hand, in order: config → log → clock → database → secrets → provider → features → lanes → listener. */
export async function start({ config, roles, migrate }: RuntimeOptions): Promise<Runtime> {
  const url = required(config.DATABASE_URL, "DATABASE_URL");
  const encryptionKeys = required(config.WAYPOST_ENCRYPTION_KEY, "WAYPOST_ENCRYPTION_KEY");
  const directUrl = config.DATABASE_DIRECT_URL ?? url;
  const log = createLog(config.LOG_LEVEL);
  const clock = systemClock();
  const roleNames = migrate ? await install(directUrl, { log: (text) => log.debug({}, text) }) : await readRoles(url);
  if (!roleNames)
    throw new InstallError("DATABASE_URL names a database that was never migrated: run `waypost migrate` first");

  const db = openDatabase({
    url,
    appRole: roleNames.appRole,
    onError: (error) => log.warn({ err: error }, "an idle database connection failed"),
  });
  const notifier = await openNotifier(directUrl, log);
  const provider = createWhatsApp({
    baseUrl: config.PROVIDER_BASE_URL,
    apiVersion: config.PROVIDER_API_VERSION,
    appSecrets: config.PROVIDER_APP_SECRET ?? [],
    verifyToken: config.PROVIDER_VERIFY_TOKEN ?? "",
  });
  const house: House = { config, log, clock, db, secrets: createSecrets(encryptionKeys), provider, wake: notifier };
  const features = buildFeatures(house, VERSION);
  const lanes = await startLanes({
    kinds: features.list.flatMap((feature) => feature.kinds ?? []),
    roles,
    version: VERSION,
    leaseMs: config.WAYPOST_LEASE_SECONDS * 1_000,
    db,
    clock,
    log,
    notifier,
  });
  const http = await createHttp(house, {
    routes: roles.includes("api") ? features.list.flatMap((feature) => feature.routes ?? []) : [],
    rawRoutes: roles.includes("ingress") ? features.list.flatMap((feature) => feature.rawRoutes ?? []) : [],
    authenticate: features.authenticate,
    activity: features.activity,
    limiterShare: () => 1 / lanes.membership.live("api"),
    ready: () => readiness(house, lanes),
    version: VERSION,
  });
  const listening = await http.listen();
  const stopTimers = startTimers(
    house,
    features.list.flatMap((feature) => feature.timers ?? []).filter((timer) => roles.includes(timer.role)),
  );
  log.info({ url: listening.url, roles, version: VERSION }, "waypost is up");

  return {
    url: listening.url,
    async stop() {
      // Lanes first: their slots are free within a second, whatever a slow caller of the API still holds.
      await lanes.stop();
      await http.close();
      stopTimers();
      await Promise.all(features.list.map((feature) => feature.stop?.()));
      await provider.close();
      await notifier.close();
      await db.close();
      log.info({}, "waypost has stopped");
    },
  };
}

function required<T>(value: T | null, name: string): T {
  if (value === null) throw new InstallError(`${name} is missing`);
  return value;
}

async function readiness(house: House, lanes: Lanes): Promise<ReadyReport> {
  const database = await Promise.race([
    house.db.sql.query("select 1").then(
      () => null,
      () => "not reachable",
    ),
    new Promise<string>((resolve) => setTimeout(() => resolve("no answer"), READY_WITHIN_MS)),
  ]);
  const checks = [
    { name: "database", ok: database === null, detail: database },
    { name: "lease", ok: lanes.membership.valid(), detail: lanes.membership.valid() ? null : "lapsed" },
  ];
  return { ready: checks.every((check) => check.ok), checks };
}

function startTimers(house: House, timers: readonly Timer[]): () => void {
  const running = timers.map(({ name, everyMs, run }) => {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return; // a slow round is not joined by a second one
      busy = true;
      run()
        .catch((error: unknown) =>
          house.log.warn({ err: error, timer: name }, "a timer failed; its next round tries again"),
        )
        .finally(() => {
          busy = false;
        });
    }, everyMs);
    timer.unref();
    return timer;
  });
  return () => {
    for (const timer of running) clearInterval(timer);
  };
}
