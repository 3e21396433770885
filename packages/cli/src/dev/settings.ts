import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";
import { join, resolve } from "node:path";
import { ConfigError, readConfig } from "@waypost/server";

/** Files and addresses of one `npm start`. The URLs are for use on this machine. */
export type DevSettings = {
  dataDir: string;
  devFile: string;
  /** Null for the embedded database. */
  databaseUrl: string | null;
  host: string;
  port: number;
  simulatorPort: number;
  gatewayUrl: string;
  simulatorUrl: string;
};

const DEFAULT_SIMULATOR_PORT = "8081";
/** The simulator has no authentication, so only this machine may call it. */
const SIMULATOR_HOST = "127.0.0.1";
/** A gateway that listens on every address is called by this one. */
const EVERY_ADDRESS: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/**
 * Reads the environment and chooses free ports for 0, before anything is started. Throws `ConfigError`: one line for each
 * variable that is wrong, or for a port that is in use.
 */
export async function readDevSettings(env: Record<string, string | undefined>): Promise<DevSettings> {
  const { simulator, faults } = readSimulatorPort(env["SIMULATOR_PORT"] || DEFAULT_SIMULATOR_PORT);
  const config = readEverything(env, faults);
  const host = config.HOST;
  if (config.PORT === simulator && simulator !== 0)
    throw new ConfigError(`PORT and SIMULATOR_PORT are both ${simulator}: give one of them another number`);
  const [port, simulatorPort] = await choosePorts([
    { name: "PORT", host, port: config.PORT },
    { name: "SIMULATOR_PORT", host: SIMULATOR_HOST, port: simulator },
  ]);
  const dataDir = resolve(config.WAYPOST_DATA_DIR);
  return {
    dataDir,
    devFile: join(dataDir, "dev.json"),
    databaseUrl: config.DATABASE_URL,
    host,
    port,
    simulatorPort,
    gatewayUrl: urlOf(EVERY_ADDRESS[host] ?? host, port),
    simulatorUrl: urlOf(SIMULATOR_HOST, simulatorPort),
  };
}

function readSimulatorPort(text: string): { simulator: number; faults: string[] } {
  const simulator = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (simulator <= 65_535) return { simulator, faults: [] };
  return { simulator: 0, faults: ["SIMULATOR_PORT needs a whole number from 0 to 65535 (port of the simulator)"] };
}

function readEverything(env: Record<string, string | undefined>, faults: string[]): ReturnType<typeof readConfig> {
  try {
    const config = readConfig(env);
    if (faults.length === 0) return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.push(error.message);
  }
  throw new ConfigError(faults.join("\n"));
}

const urlOf = (host: string, port: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

type Wanted = { name: string; host: string; port: number };

/** Each port is held until all are known, so that two zeros become two different ports. */
async function choosePorts(wanted: readonly [Wanted, Wanted]): Promise<[number, number]> {
  const servers: Server[] = [];
  try {
    const ports: number[] = [];
    for (const one of wanted) {
      const server = one.port === 0 ? await holdAny(one) : await hold(one);
      servers.push(server);
      const address = server.address();
      ports.push(typeof address === "object" && address !== null ? address.port : one.port);
    }
    const [first = 0, second = 0] = ports;
    return [first, second];
  } finally {
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  }
}

/**
 * No system gives one of these to a program that asks for any port. Another could get the one that was chosen before it is used, and would
 * be taken for ours.
 */
const OWN_PORTS = { first: 10_000, last: 32_767 };
const TRIES = 50;

async function holdAny(wanted: Wanted): Promise<Server> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await hold({ ...wanted, port: randomInt(OWN_PORTS.first, OWN_PORTS.last + 1) });
    } catch {
      // In use, or kept from this user: another one.
    }
  }
  return await hold(wanted);
}

async function hold({ name, host, port }: Wanted): Promise<Server> {
  const server = createServer();
  return await new Promise((done, refuse) => {
    server.once("error", (error) => refuse(new ConfigError(explain(error, { name, host, port }))));
    server.listen({ host, port, exclusive: true }, () => done(server));
  });
}

function explain(error: Error, { name, host, port }: Wanted): string {
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `port ${port} is taken, perhaps by an earlier start: stop that program, or set ${name} to another port (0 takes a free one)`;
  if (code === "EACCES") return `port ${port} is not allowed to this user: set ${name} to one of 1024 or more`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `HOST needs an address of this machine, and ${host} is none`;
  return `${name} cannot be used: ${error.message}`;
}
