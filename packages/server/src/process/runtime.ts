import type { App } from "../ctx.ts";
import { openDatabase, type Sql } from "../db/database.ts";
import { keepFunctions } from "../db/functions.ts";
import { withInner } from "../db/inner-function.ts";
import { databaseNow, readRoles } from "../db/migrate.ts";
import { ensurePartitions } from "../db/partitions.ts";
import { findFaults } from "../db/ready.ts";
import { InstallError, type Roles } from "../db/roles.ts";
import type { Feature } from "../feature.ts";
import { type BuiltFeatures, buildFeatures, FEATURES, findWorkOf, functionsOf, idsOf } from "../features.ts";
import { MetricsListener } from "../http/pages/metrics-listener.ts";
import type { ReadyReport } from "../http/pages/probes.ts";
import { isLoopback } from "../http/pages/try.ts";
import { openServer } from "../http/server.ts";
import { type Lanes, startLanes } from "../lanes/engine.ts";
import { type Notifier, openNotifier } from "../lanes/ownership/notifier.ts";
import { type Clock, type SystemClock, systemClock } from "../lib/clock.ts";
import { HOUR_MS } from "../lib/duration.ts";
import { createLog, type Log } from "../lib/log.ts";
import { Metrics } from "../lib/metrics.ts";
import { QuietLog } from "../lib/quiet-log.ts";
import { Secrets } from "../lib/secrets.ts";
import { measured } from "../provider/measured.ts";
import type { Provider } from "../provider/provider.ts";
import { createWhatsApp } from "../provider/whatsapp/adapter.ts";
import { DEFAULT_TIMEOUTS } from "../provider/whatsapp/http.ts";
import type { Config, Role } from "./config/config.ts";
import { missingForCallbacks, missingLine } from "./config/missing.ts";
import { readDemoKey } from "./demo-key.ts";
import { Fault } from "./fault.ts";
import { install } from "./install.ts";
import { countBatches, showDatabase, showLanes } from "./metrics.ts";
import { warnOfOtherDirectories } from "./shared-directory.ts";
import { startTimers } from "./timers.ts";
import { VERSION } from "./version.ts";

export type RuntimeOptions = {
  config: Config;
  roles: readonly Role[];
  /** False: the database is migrated by other means. */
  migrate: boolean;
  /** A clock that a test moves; leases follow the machine's clock all the same. */
  clock?: Clock | SystemClock;
  /** Default: standard output. */
  log?: Log;
  /** Default: all of them. */
  features?: readonly Feature[];
  /** How long a call of the provider may take; 30 s by default. */
  providerTimeoutMs?: number;
  /** Resolves when what is set up beside the process is there too: it is not ready before. Default: nothing is. */
  setUp?: Promise<void>;
};

/** A running process. `stop` gives its slots to others and stops its parts in reverse order of the start. */
export type Runtime = {
  url: string;
  /** Of `/metrics`; null without METRICS_PORT. */
  metricsUrl: string | null;
  app: App;
  features: BuiltFeatures;
  /** Resolves with the reason why the process cannot continue; it is not ready from then on and should stop. */
  broken: Promise<InstallError>;
  stop(): Promise<void>;
};

/** The check of `/readyz` that fails while what is beside the process is set up; it is not listed otherwise. */
export const SET_UP_CHECK = "setup";

/** Load balancers ask `/readyz` every second or so; the database has this long to answer. */
const READY_WITHIN_MS = 2_000;
/** Ids and partitions depend on the clock: one that is further off than this must be set by the operator, not corrected here. */
const CLOCK_OFF_MS = 60_000;

/** Starts the parts of a process in order; `stop` stops them in reverse. A start that fails stops what it had started. */
export async function start(options: RuntimeOptions): Promise<Runtime> {
  const stops: (() => Promise<void> | void)[] = [];
  // A part that fails to stop (the database is away) must not keep the others from stopping.
  const stop = async (): Promise<void> => {
    const faults: unknown[] = [];
    for (const one of stops.splice(0).reverse()) {
      try {
        await one();
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw faults[0];
  };
  try {
    return { ...(await build(options, (one) => void stops.push(one))), stop };
  } catch (error) {
    await stop().catch(() => {}); // the first error says more
    throw error;
  }
}

type OnStop = (stop: () => Promise<void> | void) => void;

// Config → log → clock → database → secrets → provider → features → listener → lanes.
async function build(options: RuntimeOptions, onStop: OnStop): Promise<Omit<Runtime, "stop">> {
  const { config, roles, features: list = FEATURES } = options;
  const { app, roleNames, notifier, upkeep, fault } = await openApp(options, onStop);
  const features = buildFeatures(app, { version: VERSION, isDevelopment: options.setUp !== undefined }, list);
  for (const end of features.stops) onStop(end);

  let lanes: Lanes | null = null;
  let isSetUp = options.setUp === undefined;
  void options.setUp?.then(() => (isSetUp = true));
  showDatabase(app.metrics, app.db);
  showLanes(app.metrics, () => lanes, app.clock);
  const metricsUrl = await listenForScrapes(app, onStop);
  const http = await openServer(app, {
    routes: roles.includes("api") ? features.routes : [],
    calls: roles.includes("api") ? features.calls : [],
    rowsOfCalls: features.rowsOfCalls,
    rawRoutes: features.rawRoutes.filter(({ role = "ingress" }) => roles.includes(role)),
    declared: features.declared,
    authenticate: (bearer) => features.services.authenticator.authenticate(bearer),
    sessions: features.services.sessions,
    setupLinks: features.services.setupLinks,
    activity: features.services.recorder,
    peers: () => ({ worker: lanes?.membership.worker ?? "", live: lanes?.membership.live("api") ?? 1 }),
    ready: () => readiness(app, { roles: roleNames, lanes, fault, isSetUp: () => isSetUp }),
    version: VERSION,
    ...(options.setUp === undefined || !isLoopback(config.HOST) ? {} : { demoKey: () => readDemoKey(config) }),
  });
  onStop(() => http.close());
  const listening = await http.listen();
  const { db, clock, log } = app;
  lanes = await startLanes({
    kinds: features.kinds,
    roles,
    version: VERSION,
    leaseMs: config.WAYPOST_LEASE_SECONDS * 1_000,
    db,
    clock,
    log,
    notifier,
    random: app.random,
  });
  onStop(() => lanes?.stop());
  await warnOfOtherDirectories(app, features.services.mediaPlaces.store, lanes.membership.worker).catch(
    (err: unknown) =>
      log.warn({ err }, "the directory of media could not be looked at; uploads are refused until it can"),
  );
  onStop(
    startTimers(
      app,
      [
        { name: "partitions ahead", everyMs: HOUR_MS, run: upkeep },
        ...features.timers.filter((timer) => roles.includes(timer.role)),
      ],
      findWorkOf(list),
    ),
  );
  // Stops run in reverse: from the first moment of a stop on, no statement waits long.
  onStop(() => db.hurry());
  log.info({ url: listening.url, metrics_url: metricsUrl ?? undefined, roles, version: VERSION }, "waypost is up");
  if (roles.includes("ingress"))
    for (const { name, text } of missingForCallbacks(config)) log.warn({ setting: name }, text);
  return { url: listening.url, metricsUrl, app, features, broken: fault.reported };
}

async function listenForScrapes({ config, metrics }: App, onStop: OnStop): Promise<string | null> {
  if (config.METRICS_PORT === null) return null;
  metrics.withProcess();
  const listener = new MetricsListener(metrics);
  const { url } = await listener.listen(config.HOST, config.METRICS_PORT);
  onStop(() => listener.close());
  return url;
}

type OpenedApp = {
  app: App;
  roleNames: Roles;
  notifier: Notifier;
  /** Done at the start and each hour: partitions ahead, and the marks that these functions are in use. */
  upkeep(): Promise<void>;
  fault: Fault;
};

/** Opens what the process has one of, on a database that fits this version. */
async function openApp(
  { config, migrate, clock = systemClock(), features = FEATURES, ...given }: RuntimeOptions,
  onStop: OnStop,
): Promise<OpenedApp> {
  const log = given.log ?? createLog(config.LOG_LEVEL, { ids: idsOf(features) });
  const hotFunctions = functionsOf(features);
  const functions = withInner(hotFunctions).map((fn) => fn.installed);
  const url = required(config.DATABASE_URL, "DATABASE_URL");
  const encryptionKeys = required(config.WAYPOST_ENCRYPTION_KEY, "WAYPOST_ENCRYPTION_KEY");
  const directUrl = config.DATABASE_DIRECT_URL ?? url;
  const roleNames = migrate
    ? await install(directUrl, { log: (text) => log.debug({}, text), warn: (text) => log.warn({}, text) })
    : await readRoles(directUrl);
  if (!roleNames)
    throw new InstallError("DATABASE_URL names a database that was never migrated: run `waypost migrate` first");

  const fault = new Fault();
  const quiet = new QuietLog(log, clock);
  const metrics = new Metrics();
  const db = openDatabase({
    url,
    appRole: roleNames.appRole,
    onError: (error) => quiet.warn("connection", { err: error }, "a connection to the database failed"),
    onMissingFunction: (name) => fault.report(functionsGone([name])),
    onBatch: countBatches(
      metrics,
      hotFunctions.map(({ name }) => name),
    ),
  });
  onStop(() => db.close());
  await followClock(db.sql, clock);
  await refuseFaults(db.sql, roleNames, clock);
  const upkeep = (): Promise<void> => keepUp(db.sql, clock, functions, fault);
  await upkeep();
  if (fault.found) throw fault.found;
  const notifier = await openNotifier(directUrl, log);
  onStop(() => notifier.close());
  const provider = measured(openProvider(config, clock, given.providerTimeoutMs), metrics);
  onStop(() => provider.close());
  const secrets = new Secrets(encryptionKeys);
  const app: App = { config, log, clock, db, secrets, provider, notifier, metrics, random: Math.random };
  return { app, roleNames, notifier, upkeep, fault };
}

const openProvider = (config: Config, clock: Clock | SystemClock, timeoutMs?: number): Provider =>
  createWhatsApp({
    baseUrl: config.PROVIDER_BASE_URL,
    apiVersion: config.PROVIDER_API_VERSION,
    appSecrets: config.PROVIDER_APP_SECRET ?? [],
    verifyToken: config.PROVIDER_VERIFY_TOKEN ?? "",
    monotonic: () => clock.monotonic(),
    appId: config.PROVIDER_APP_ID,
    ...(timeoutMs === undefined ? {} : { timeouts: { ...DEFAULT_TIMEOUTS, totalMs: timeoutMs } }),
  });

function required<T>(value: T | null, name: Parameters<typeof missingLine>[0]): T {
  if (value === null) throw new InstallError(missingLine(name));
  return value;
}

const functionsGone = (names: readonly string[]): InstallError =>
  new InstallError(
    `the database lacks functions of this version (${names.join(", ")}): run \`waypost migrate\` of this version, then start it again`,
  );

// The clock of a test is not corrected.
async function followClock(sql: Sql, clock: Clock | SystemClock): Promise<void> {
  if (!("correct" in clock)) return;
  const before = performance.now();
  const there = await databaseNow(sql);
  const latest = there + performance.now() - before;
  const offset = (there + latest) / 2 - clock.now();
  if (Math.abs(offset) > CLOCK_OFF_MS)
    throw new InstallError(
      `this machine's clock is ${Math.round(Math.abs(offset) / 1_000)} s ${offset < 0 ? "ahead of" : "behind"} the database's: set both by a time server`,
    );
  clock.correct(there, latest);
}

// Missing partitions are no reason to refuse: they are created right after.
async function refuseFaults(sql: Sql, roles: Roles, clock: Clock): Promise<void> {
  const faults = await findFaults(sql, roles, clock.now());
  if (faults.migrations !== null)
    throw new InstallError(`migrations are missing (${faults.migrations}): run \`waypost migrate\` first`);
  if (faults.roles !== null) throw new InstallError(`${faults.roles}: run \`waypost migrate\` first`);
}

/** Every hour, in every process: creates the partitions ahead and marks the process's functions as in use. */
async function keepUp(sql: Sql, clock: Clock, functions: readonly string[], fault: Fault): Promise<void> {
  await ensurePartitions(sql, clock.now());
  const missing = await keepFunctions(sql, functions);
  if (missing.length > 0) fault.report(functionsGone(missing));
}

type Parts = { roles: Roles; lanes: Lanes | null; fault: Fault; isSetUp(): boolean };

async function readiness(app: App, { roles, lanes, fault, isSetUp }: Parts): Promise<ReadyReport> {
  const silent = { database: "no answer", migrations: null, roles: null, partitions: null };
  const answer = await Promise.race([
    findFaults(app.db.sql, roles, app.clock.now()).then(
      (faults) => ({ database: null, ...faults }),
      () => ({ ...silent, database: "not reachable" }),
    ),
    new Promise<typeof silent>((resolve) => setTimeout(() => resolve(silent), READY_WITHIN_MS).unref()),
  ]);
  const checks = Object.entries({
    ...answer,
    functions: fault.found?.message ?? null,
    lease: lanes?.membership.valid() ? null : "not held",
    slots: lanes?.unworked ? `${lanes.unworked} are ours and not worked` : null,
    ...(isSetUp() ? {} : { [SET_UP_CHECK]: "not finished" }),
  }).map(([name, detail]) => ({ name, ok: detail === null, detail }));
  return { ready: checks.every((check) => check.ok), checks };
}
