import { SETTINGS } from "../bench/settings.ts";
import { makeTenants, type Tenant, type TenantOptions } from "../bench/tenants.ts";
import { withClient } from "../packages/server/src/testing/client.ts";
import { type GatewayProcess, startGatewayProcess } from "../tests/process/gateway.ts";
import { type Outside, startOutside } from "./outside.ts";
import { type Random, randomOf } from "./random.ts";
import { openServer, type Server } from "./server.ts";

/** What one experiment has for itself: a PostgreSQL, a provider with receivers, and as many processes as it starts. */
export type Lab = {
  random: Random;
  /** True in the form that `npm test` runs. */
  short: boolean;
  server: Server;
  outside: Outside;
  /** Workspaces whose template has one parameter, the mark. */
  furnish(count: number, numbersEach: number, how?: TenantOptions): Promise<Tenant[]>;
  /** `env` goes over the usual one. Ended with the lab if not before. */
  serve(env?: Record<string, string>): Promise<Process>;
  /** Processes that were started and not ended. */
  running(): Process[];
  /** As a superuser. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  say(line: string): void;
  close(): Promise<void>;
};

/** A process; `name` is what the provider's record calls it, and what the column `process` of the table `worker` says. */
export type Process = GatewayProcess & { name: string };

export type LabOptions = {
  seed: number;
  short: boolean;
  /** A data directory with a cluster to begin with a copy of, instead of an empty database. */
  cluster?: string;
  say?: (line: string) => void;
};

export async function openLab({ seed, short, cluster, say = () => {} }: LabOptions): Promise<Lab> {
  const random = randomOf(seed);
  const server = await openServer(cluster);
  const outside = await startOutside(random.between(0, 2 ** 31));
  const start = (env: Record<string, string>): Promise<GatewayProcess> => startGatewayProcess({ PORT: "0", ...env });
  const query = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    withClient(server.adminUrl, async (client) => (await client.query<Row>(text, values)).rows);
  const processes = new Set<Process>();
  let started = 0;

  async function serve(env: Record<string, string> = {}): Promise<Process> {
    started += 1;
    const name = `p${started}`;
    const gateway = await start({
      ...SETTINGS,
      PROVIDER_BASE_URL: outside.providerUrl(name),
      ...env,
      DATABASE_URL: named(env["DATABASE_URL"] ?? server.url, name),
    });
    const process: Process = {
      ...gateway,
      name,
      end(signal) {
        processes.delete(process);
        return gateway.end(signal);
      },
    };
    processes.add(process);
    return process;
  }

  return {
    random,
    short,
    server,
    outside,
    async furnish(count, numbersEach, how = {}) {
      const starting = async (env: Record<string, string>) => {
        const gateway = await start(env);
        return { url: gateway.url, stop: async () => void (await gateway.end("SIGTERM")) };
      };
      const tenants = await makeTenants(server.url, count, numbersEach, { text: "{{1}}", start: starting, ...how });
      // The worker's row then says which process wrote it: owners in the table `slot` have faces.
      await query(`alter table worker add column process text default current_setting('${PROCESS_SETTING}', true)`);
      return tenants;
    },
    serve,
    running: () => [...processes],
    query,
    say,
    async close() {
      await Promise.all([...processes].map((process) => process.end("SIGKILL")));
      await outside.stop();
      await server.close();
    },
  };
}

const PROCESS_SETTING = "faults.process";

/** Every session of the process bears its name. */
function named(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", `-c ${PROCESS_SETTING}=${name}`);
  return url.href;
}
