import { setTimeout as sleep } from "node:timers/promises";
import { type BuiltGateway, cpuMs, type Helper, memoryMib, startBuiltGateway } from "./children.ts";
import type { LoadReport, Question } from "./load.ts";
import type { Place } from "./place.ts";
import { SETTINGS } from "./settings.ts";
import type { StubReport } from "./stub.ts";

/** What the parts of a run share. */
export type Bench = { place: Place; load: Helper; stub: Helper; bare: Helper };

export const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
export const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 5);
/** Messages of one end-to-end round: some seconds of work. */
export const SENDS = Number(process.env["BENCH_SENDS"] ?? 10_000);
export const KNOWN_RECIPIENTS = 2_000;

/** One gateway process for the length of `work`; reports at its end how much memory each process uses. */
export async function withGateway(
  bench: Bench,
  work: (gateway: BuiltGateway) => Promise<void>,
  roles?: string,
): Promise<void> {
  const env = { ...SETTINGS, DATABASE_URL: bench.place.url, PROVIDER_BASE_URL: bench.stub.url };
  const gateway = await startBuiltGateway(env, roles);
  try {
    await work(gateway);
    const database = bench.place.memoryMib();
    const of = (name: string, pid: number): string => `${name} ${memoryMib(pid)} MiB`;
    const parts = [
      of("gateway", gateway.pid),
      ...(database === null ? [] : [`PostgreSQL ${database} MiB (pages that its processes share counted in each)`]),
      of("load", bench.load.pid),
      of("stub", bench.stub.pid),
    ];
    console.log(`    memory: ${parts.join(", ")}\n`);
  } finally {
    await gateway.stop();
  }
}

/** Puts load on a gateway, or on the bound; a request that fails ends the run. */
export async function drive(bench: Bench, question: Question): Promise<LoadReport> {
  const report = await bench.load.ask<LoadReport>(question);
  if (report.failed > 0) throw new Error(`${report.failed} of ${report.failed + report.done} requests failed`);
  return report;
}

/** Waits until the stub has seen so many; gives up after a minute without a new one. */
export async function settled(bench: Bench, count: number, what: "sends" | "deliveries"): Promise<StubReport> {
  let last = { count: -1, at: performance.now() };
  for (;;) {
    const report = await bench.stub.ask<StubReport>({ kind: "report" });
    if (report[what] >= count) return report;
    if (report[what] > last.count) last = { count: report[what], at: performance.now() };
    else if (performance.now() - last.at > 60_000) throw new Error(`${report[what]} of ${count} ${what} arrived`);
    await sleep(20);
  }
}

/** Processor milliseconds, or microseconds for each of many. */
export type Cpu = { server: number; database: number };

/** Processor milliseconds spent so far. */
export const spent = (bench: Bench, gateway: BuiltGateway): Cpu => ({
  server: cpuMs(gateway.pid),
  database: bench.place.cpuMs() ?? 0,
});

/** Processor microseconds since then for each of `count`. */
export function cpuSince(before: Cpu, bench: Bench, gateway: BuiltGateway, count: number): Cpu {
  const after = spent(bench, gateway);
  return {
    server: ((after.server - before.server) * 1_000) / count,
    database: ((after.database - before.database) * 1_000) / count,
  };
}

let recipientsUsed = 4_000_000;
/** The first of `count` recipients that have received no message yet. */
export function nextRecipients(count: number): number {
  recipientsUsed += count;
  return recipientsUsed - count;
}
