import { setTimeout as sleep } from "node:timers/promises";
import { openDatabaseProxy } from "../packages/server/src/testing/database-proxy.ts";
import { atMost, type Experiment, none, type Result } from "./experiment.ts";
import { never } from "./kills.ts";
import type { Lab } from "./lab.ts";
import { judge } from "./ledger.ts";
import { startLoad } from "./load.ts";

/** The outcome of a commit is asked for during 8 s; leases still hold. */
const JUST_TOO_LONG_MS = 8_700;
/** Around the lease: it holds, lapses just before the end, or long before. */
const AROUND_THE_LEASE_MS = { least: 200, most: 5_000 };
/** Longer than a call waits to learn whether it was committed. */
const LONG_MS = { least: 11_000, most: 14_000 };
const LOG_BOUND_BYTES = 1_000_000;
/** What complains of the outage does so at once; later warnings are others'. */
const AFTERMATH_MS = 2_000;
/** A short lease, which lapses in most of the outages. */
const SHORT_LEASE_S = 3;

type Outages = { env?: Record<string, string>; rounds: number; awayMs(round: number): number };

export const outage: Experiment = {
  promise:
    "a database that is away for 8 to 11 seconds, as long as the lease may last, costs neither order nor certainty",
  run: (lab) =>
    goAway(lab, {
      rounds: lab.short ? 1 : 6,
      awayMs: (round) => (round === 0 ? JUST_TOO_LONG_MS : lab.random.between(8_000, 11_000)),
    }),
};

export const lapses: Experiment = {
  promise: "a database that goes away again and again, longer than the lease, costs neither order nor certainty",
  run: (lab) =>
    goAway(lab, {
      env: { WAYPOST_LEASE_SECONDS: String(SHORT_LEASE_S) },
      rounds: lab.short ? 2 : 20,
      awayMs: (round) => {
        const { least, most } = round % 2 === 1 ? LONG_MS : AROUND_THE_LEASE_MS;
        return lab.random.between(least, most);
      },
    }),
};

async function goAway(lab: Lab, { env = {}, rounds, awayMs }: Outages): Promise<Result> {
  // Rows of one person wait for each other, and many are in flight.
  await lab.outside.behave({ answerMs: [500, 1_500] });
  const tenants = await lab.furnish(2, 3);
  // To the process it is all one whether the server ends or the way to it; how long this takes is ours to say.
  const wire = await openDatabaseProxy(lab.server.url);
  const process = await lab.serve({ ...env, DATABASE_URL: wire.url });
  // With commits as quick as here hardly one would be under way at the moment of the cut.
  await lab.server.delayCommits(40);
  const load = startLoad(lab, { tenants, perSecond: lab.short ? 60 : 150, perPerson: 8, through: lab.running });
  let loudest = 0;
  for (let round = 0; round < rounds; round += 1) {
    await sleep(lab.random.between(3_000, 5_000));
    const before = process.complaintBytes();
    const ms = awayMs(round);
    wire.cut();
    await sleep(ms);
    wire.mend();
    await sleep(AFTERMATH_MS);
    const bytes = process.complaintBytes() - before;
    loudest = Math.max(loudest, bytes);
    lab.say(`away for ${(ms / 1_000).toFixed(1)} s, ${Math.round(bytes / 1_000)} kB of warnings`);
  }
  await load.stop();
  const judged = await judge(lab, process, load.placed);
  await process.end("SIGTERM");
  await wire.close();
  return {
    figures: judged,
    bounds: [
      ...never(judged),
      none("unknown that had never left", judged.unknownUnsent),
      atMost("warnings in the log of one outage", loudest / 1_000, LOG_BOUND_BYTES / 1_000, "kB"),
    ],
  };
}
