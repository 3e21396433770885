import { SET_UP_CHECK, startEmbedded } from "@waypost/server";
import { consoleLink } from "../console-link.ts";
import { type Child, spawnChild } from "./child.ts";
import { openClockControl } from "./clock-control.ts";
import { clocksOf } from "./clocks.ts";
import { connectDemo } from "./demo.ts";
import { openFiles, type Secrets, writeDevFile } from "./files.ts";
import { GatewayPart } from "./gateway-part.ts";
import { type DevSettings, readDevSettings } from "./settings.ts";
import { welcome } from "./welcome.ts";

/** `failure` resolves with one line when a part ends unexpectedly. */
export type Dev = { failure: Promise<string>; stop(): Promise<void> };

/** The caller's part in the start: it prints progress and may give up. */
export type Waiting = {
  print(line: string): void;
  /** Called with the database's process id, and with null when it has stopped: the parent has to know it, as it is in a process group of its own. */
  reportDatabase(pid: number | null): void;
  stopAsked: AbortSignal;
};
/** The parts that were started; stopped in reverse order. */
type Parts = { stops: (() => Promise<void>)[]; fail(reason: string): void };

const DEV_APP_ID = "42";

/**
 * Starts database, simulator and gateway in order. On any failure, and when `stopAsked` is aborted, what was started is
 * stopped again and the reason thrown.
 */
export async function startDev(env: Record<string, string | undefined>, waiting: Waiting): Promise<Dev> {
  const { print, stopAsked } = waiting;
  const started = performance.now();
  let fail: (reason: string) => void = () => undefined;
  const failure = new Promise<string>((resolve) => {
    fail = resolve;
  });
  const parts: Parts = { stops: [], fail };
  const stop = async (): Promise<void> => {
    for (const one of parts.stops.splice(0).reverse()) await one();
  };
  try {
    const settings = await readDevSettings(env);
    const secrets = await openFiles(settings);
    const databaseUrl = settings.databaseUrl ?? (await startDatabase(settings, waiting, parts));
    stopAsked.throwIfAborted();
    const environment = environmentOf(env, settings, secrets, databaseUrl);
    await startSimulator(settings, environment, waiting, parts);
    const gateway = await startGateway(settings, environment, waiting, parts);
    const control = await controlClocks(settings, environment, gateway, parts);
    print("Connecting the demo workspace to the simulator");
    const demo = await connectDemo(settings.gatewayUrl, environment.WAYPOST_OPERATOR_KEY, settings.devFile, stopAsked);
    const dev = writeDevFile(settings, environment.WAYPOST_OPERATOR_KEY, demo, control);
    await gateway.setUp();
    const link = await consoleLink(settings.gatewayUrl, dev.api_key, stopAsked);
    for (const line of welcome(dev, link, settings.devFile, performance.now() - started)) print(line);
    return { failure, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDatabase({ dataDir }: DevSettings, waiting: Waiting, { stops, fail }: Parts): Promise<string> {
  const { print, reportDatabase, stopAsked } = waiting;
  print(`Starting the database in ${dataDir}`);
  const database = await startEmbedded({
    dataDir,
    onProgress: (line) => print(`  ${line}`),
    onServer: reportDatabase,
    stopAsked,
  });
  stops.push(async () => {
    await database.stop();
    reportDatabase(null);
  });
  database.onUnexpectedExit(fail);
  return database.url;
}

async function startSimulator(
  { simulatorUrl, simulatorPort, gatewayUrl }: DevSettings,
  env: Environment,
  { print, stopAsked }: Waiting,
  parts: Parts,
): Promise<void> {
  print(`Starting the provider simulator on ${simulatorUrl}`);
  const child = await spawnChild({
    script: new URL(import.meta.resolve("@waypost/simulator/main")),
    args: [],
    env: {
      ...env,
      HOST: "127.0.0.1",
      SIMULATOR_PORT: String(simulatorPort),
      CALLBACK_URL: `${gatewayUrl}/webhooks/receive`,
    },
    output: "ignore", // its one line repeats the line above
    readyUrl: `${simulatorUrl}/sim/stats`,
    stopAsked,
  });
  parts.stops.push(child.stop);
  child.onExit((reason) => parts.fail(`the simulator ended unexpectedly (${reason})`));
}

async function startGateway(
  settings: DevSettings,
  env: Environment,
  { print, stopAsked }: Waiting,
  { stops, fail }: Parts,
): Promise<GatewayPart> {
  const { gatewayUrl } = settings;
  print(`Starting the gateway on ${gatewayUrl}`);
  const start = (): Promise<Child> =>
    spawnChild({
      script: new URL("../../bin/waypost.js", import.meta.url),
      args: ["serve", "--until-set-up", ...(isClockOurs(settings) ? ["--movable-clock"] : [])],
      env,
      output: "inherit",
      readyUrl: `${gatewayUrl}/readyz`,
      readyEnough: isReadyButSetUp,
      stopAsked,
    });
  const gateway = await GatewayPart.start({ start, fail });
  stops.push(() => gateway.stop());
  return gateway;
}

/** Others may use a database that was given, with the real clock. */
const isClockOurs = ({ databaseUrl }: DevSettings): boolean => databaseUrl === null;

/** The address at which the clocks can be moved; null where they cannot. */
async function controlClocks(
  settings: DevSettings,
  env: Environment,
  gateway: GatewayPart,
  { stops }: Parts,
): Promise<string | null> {
  if (!isClockOurs(settings)) return null;
  const control = await openClockControl(clocksOf(gateway, settings.simulatorUrl), env.WAYPOST_OPERATOR_KEY);
  stops.push(control.close);
  return control.url;
}

/** The demo is connected through the gateway, which is not ready for others before. */
async function isReadyButSetUp(answer: Response): Promise<boolean> {
  const { checks = [] } = (await answer.json()) as { checks?: { name: string; ok: boolean }[] };
  return checks.length > 0 && checks.every(({ name, ok }) => ok || name === SET_UP_CHECK);
}

type Environment = Record<string, string | undefined> & { WAYPOST_OPERATOR_KEY: string };

/** The caller's variables and those that `npm start` sets; with them the gateway starts as it would in production. */
function environmentOf(
  env: Record<string, string | undefined>,
  settings: DevSettings,
  secrets: Secrets,
  databaseUrl: string,
): Environment {
  return {
    ...env,
    PORT: String(settings.port),
    HOST: settings.host,
    WAYPOST_DATA_DIR: settings.dataDir,
    DATABASE_URL: databaseUrl,
    // Only for a database that was given: the embedded one has no pooler.
    DATABASE_DIRECT_URL: settings.databaseUrl === null ? undefined : env["DATABASE_DIRECT_URL"],
    WAYPOST_OPERATOR_KEY: env["WAYPOST_OPERATOR_KEY"] || secrets.operator_key,
    WAYPOST_ENCRYPTION_KEY: env["WAYPOST_ENCRYPTION_KEY"] || secrets.encryption_key,
    // Never the real provider, whatever the environment contains: the demo's numbers are invented.
    PROVIDER_BASE_URL: settings.simulatorUrl,
    PROVIDER_APP_ID: DEV_APP_ID,
    PROVIDER_SIGNUP_CONFIG_ID: "1",
    PROVIDER_APP_SECRET: secrets.app_secret,
    PROVIDER_VERIFY_TOKEN: secrets.verify_token,
    // A developer's receiver runs on this machine.
    EGRESS_ALLOW_CIDRS: env["EGRESS_ALLOW_CIDRS"] || "127.0.0.0/8,::1/128",
    LOG_LEVEL: env["LOG_LEVEL"] || "warn",
  };
}
