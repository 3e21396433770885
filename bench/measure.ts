import { setTimeout as sleep } from "node:timers/promises";
import { type Build, type BuiltGateway, startBuiltGateway } from "./children.ts";
import type { Figures } from "./figures.ts";
import { KEEP_OLD, makeOld } from "./old-database.ts";
import { type Bench, metered, newRecipients, type Part, type Run } from "./part.ts";
import { rowsWritten } from "./place.ts";
import { memoryOf } from "./processes.ts";
import { SETTINGS, SUBSCRIBER } from "./settings.ts";
import { makeTenants, subscribe } from "./tenants.ts";

/** What came of one build in one part. */
export type Measured = {
  /** Of the build, or of the case. */
  name: string;
  slices: Figures[];
  /** For one item, over the warm-up and all slices. */
  rows: Figures;
  memory: Figures;
};

const ROUNDS = 3;
const COMPARING_ROUNDS = 10;
/** Items of a warm-up: the engine has then optimized what is called for each of them. */
const WARM_UP = 5_000;
/** Recipients of a round by time; of one by count each message has its own. */
const RECIPIENTS = 2_000;
/** PostgreSQL's sessions hand in their counts of rows when they have been idle for 10 s; those that end, at once. */
const STATISTICS_IDLE_MS = 10_500;
const STATISTICS_ENDED_MS = 500;
/** A kind of event that does not happen here. */
const UNHEARD = ["endpoint_disabled"];

export const roundsOf = ({ options }: Bench, part?: Part): number =>
  options.rounds ?? part?.rounds ?? (options.comparing ? COMPARING_ROUNDS : ROUNDS);

/** Measures the builds in turns: A B, B A, A B, … */
export async function measure(bench: Bench, part: Part, builds: readonly Build[]): Promise<Measured[]> {
  const runs: Run[] = [];
  for (const build of builds) {
    const run = await openRun(bench, part, build);
    await part.cases?.find(({ name }) => name === build.name)?.prepare(run);
    runs.push(run);
  }
  const beside = builds.length === 1 ? await part.beside?.(bench) : undefined;
  for (const run of runs) await part.prepare?.(run);
  await sleep(STATISTICS_IDLE_MS);
  const before = await Promise.all(runs.map(({ databaseUrl }) => rowsWritten(databaseUrl)));
  for (const run of runs) await metered(run, () => part.work(run, { amount: WARM_UP }));
  const slices = runs.map((): Figures[] => []);
  const turns = [...runs.keys()];
  for (let round = 0; round < roundsOf(bench, part); round += 1) {
    for (const index of turns) {
      const slice = await roundOf(part, runs[index] as Run);
      slices[index]?.push({ ...slice, ...(await beside?.(slice)) });
    }
    turns.reverse();
  }
  const memories = runs.map(memoryIn);
  for (const run of runs) for (const gateway of run.gateways) await gateway.stop();
  await sleep(STATISTICS_ENDED_MS);
  const after = await Promise.all(runs.map(({ databaseUrl }) => rowsWritten(databaseUrl)));
  return runs.map((run, index) => ({
    name: run.build.name,
    slices: slices[index] ?? [],
    rows: rowsEach(run, before[index] ?? {}, after[index] ?? {}),
    memory: memories[index] ?? {},
  }));
}

async function roundOf(part: Part, run: Run): Promise<Figures> {
  const { seconds, amount } = run.bench.options;
  return part.round
    ? await part.round(run)
    : await metered(run, () => part.work(run, part.timed ? { seconds } : { amount }));
}

/** Its own database, workspaces, endpoints and gateway processes. */
async function openRun(bench: Bench, part: Part, build: Build): Promise<Run> {
  const { place, stub, options } = bench;
  const databaseUrl = await place.createDatabase(`waypost_bench_${build.name}`);
  const env = {
    ...SETTINGS,
    ...(options.oldDatabase ? KEEP_OLD : {}),
    DATABASE_URL: databaseUrl,
    PROVIDER_BASE_URL: stub.url,
  };
  const workspaces = options.workspaces ?? part.workspaces ?? 1;
  const start = (given: Record<string, string>): Promise<BuiltGateway> =>
    startBuiltGateway({ ...env, ...given }, undefined, build);
  const tenants = await makeTenants(databaseUrl, workspaces, workspaces === 1 ? 2 : 1, { start });
  if (options.oldDatabase) await makeOld(build, databaseUrl);
  const gateways: BuiltGateway[] = [];
  const urls: string[] = [];
  const startAll = async (): Promise<void> => {
    for (let n = 0; n < options.processes; n += 1) gateways[n] = await startBuiltGateway(env, part.roles, build);
    for (const [n, { url }] of gateways.entries()) urls[n] = url;
  };
  const restart = async (): Promise<void> => {
    for (const gateway of gateways) await gateway.stop();
    await startAll();
  };
  await startAll();
  const [url = ""] = urls;
  if (part.events) await subscribe(url, tenants, stub.url + SUBSCRIBER, part.events);
  const others = Math.floor(options.endpoints / workspaces) - (part.events ? 1 : 0);
  for (let n = 0; n < others; n += 1) await subscribe(url, tenants, stub.url + SUBSCRIBER, UNHEARD);
  // A multiple, so that each message meets the workspace whose contact its recipient is.
  const recipients = Math.ceil((part.timed ? RECIPIENTS : options.amount) / workspaces) * workspaces;
  return { bench, build, databaseUrl, gateways, urls, restart, tenants, known: newRecipients(recipients), items: 0 };
}

function memoryIn({ bench: { place, load, stub }, gateways }: Run): Figures {
  const of = (name: string, memory: { now: number; peak: number } | null): Figures =>
    memory === null ? {} : { [`${name} MiB`]: memory.now, [`${name} peak MiB`]: memory.peak };
  return {
    ...of("gateway", memoryOf(gateways.map(({ pid }) => pid))),
    ...of("PostgreSQL", place.memory()),
    ...of("load", memoryOf([load.pid])),
    ...of("stub", memoryOf([stub.pid])),
  };
}

const rowsEach = ({ items }: Run, before: Figures, after: Figures): Figures =>
  Object.fromEntries(Object.entries(after).map(([name, rows]) => [name, (rows - (before[name] ?? 0)) / items]));
