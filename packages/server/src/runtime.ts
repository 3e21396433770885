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
export type Runtime = { url: string; stop(): Promise<void> };

/** Ready is asked by load balancers every second or so; the database gets this long to answer. */
const READY_WITHIN_MS = 2_000;

/** Builds the house by hand, in order; `stop` is the reverse. A start that fails stops what it had started. */
export async function start(options: RuntimeOptions): Promise<Runtime> {
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const url = await build(options, (one) => void stops.push(one));
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

// Config → log → clock → database → secrets → provider → features → listener → lanes.
async function build(
  { config, roles, migrate }: RuntimeOptions,
  onStop: (stop: () => Promise<void> | void) => void,
): Promise<string> {
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
  onStop(() => db.close());
  const notifier = await openNotifier(directUrl, log);
  onStop(() => notifier.close());
  const provider = createWhatsApp({
    baseUrl: config.PROVIDER_BASE_URL,
    apiVersion: config.PROVIDER_API_VERSION,
    appSecrets: config.PROVIDER_APP_SECRET ?? [],
    verifyToken: config.PROVIDER_VERIFY_TOKEN ?? "",
  });
  onStop(() => provider.close());
  const house: House = { config, log, clock, db, secrets: createSecrets(encryptionKeys), provider, wake: notifier };
  const features = buildFeatures(house, VERSION);
  for (const feature of features.list) onStop(() => feature.stop?.());

  let lanes: Lanes | null = null;
  const http = await createHttp(house, {
    routes: roles.includes("api") ? features.list.flatMap((feature) => feature.routes ?? []) : [],
    rawRoutes: roles.includes("ingress") ? features.list.flatMap((feature) => feature.rawRoutes ?? []) : [],
    authenticate: features.authenticate,
    activity: features.activity,
    limiterShare: () => 1 / (lanes?.membership.live("api") ?? 1),
    ready: () => readiness(house, lanes),
    version: VERSION,
  });
  onStop(() => http.close());
  const listening = await http.listen();
  lanes = await startLanes({
    kinds: features.list.flatMap((feature) => feature.kinds ?? []),
    roles,
    version: VERSION,
    leaseMs: config.WAYPOST_LEASE_SECONDS * 1_000,
    db,
    clock,
    log,
    notifier,
  });
  onStop(lanes.stop);
  onStop(
    startTimers(
      house,
      features.list.flatMap((feature) => feature.timers ?? []).filter((timer) => roles.includes(timer.role)),
    ),
  );
  log.info({ url: listening.url, roles, version: VERSION }, "waypost is up");
  return listening.url;
}

function required<T>(value: T | null, name: string): T {
  if (value === null) throw new InstallError(`${name} is missing`);
  return value;
}

async function readiness(house: House, lanes: Lanes | null): Promise<ReadyReport> {
  const database = await Promise.race([
    house.db.sql.query("select 1").then(
      () => null,
      () => "not reachable",
    ),
    new Promise<string>((resolve) => setTimeout(() => resolve("no answer"), READY_WITHIN_MS)),
  ]);
  const lease = lanes?.membership.valid() ?? false;
  const checks = [
    { name: "database", ok: database === null, detail: database },
    { name: "lease", ok: lease, detail: lease ? null : "not held" },
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
