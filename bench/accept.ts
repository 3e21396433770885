import { type Bench, cpuSince, drive, KNOWN_RECIPIENTS, ROUNDS, SECONDS, spent, withGateway } from "./bench.ts";
import { median, micros, per, ratio } from "./figures.ts";
import { openInserts } from "./inserts.ts";
import { makeTenants } from "./tenants.ts";

/** Connections, and what is asked of our rate: parts of the bare route's and of the inserts' rate. */
const CASES = [
  { connections: 64, ofBare: 0.4, ofInserts: 0.9 },
  { connections: 256, ofBare: 0.55, ofInserts: 1.2 },
];

/** (a) Accept: known recipients, idempotency key, audit; no endpoint, no limit, nothing dispatched meanwhile. */
export async function accept(bench: Bench): Promise<void> {
  const tenants = await makeTenants(bench.place.url, 1, 2);
  const inserts = await openInserts(bench.place);
  console.log(
    `(a) accept/s through HTTP, with key and audit, beside a bare Fastify route and ${inserts.name} inserting a message and its queue row`,
  );
  await withGateway(
    bench,
    async (gateway) => {
      const ask = { url: gateway.url, tenants, firstRecipient: 2_000_000, recipients: KNOWN_RECIPIENTS };
      await drive(bench, { kind: "closed", ...ask, connections: 64, amount: KNOWN_RECIPIENTS * 5 });
      for (const { connections, ofBare, ofInserts } of CASES) {
        const rounds: Record<"ours" | "bare" | "same" | "plain" | "server" | "database", number>[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const timed = { kind: "closed", ...ask, connections, seconds: SECONDS } as const;
          const bare = await drive(bench, { ...timed, url: bench.bare.url });
          const before = spent(bench, gateway);
          const ours = await drive(bench, timed);
          const cpu = cpuSince(before, bench, gateway, ours.done);
          rounds.push({
            ours: ours.perSecond,
            bare: bare.perSecond,
            same: await inserts.same(SECONDS),
            plain: await inserts.plain(SECONDS),
            ...cpu,
          });
        }
        const of = (name: keyof (typeof rounds)[number]): number => median(rounds.map((round) => round[name]));
        // Of each round by itself: what is measured within seconds of each other meets the same machine.
        const beside = (name: keyof (typeof rounds)[number]): number =>
          median(rounds.map((round) => round.ours / round[name]));
        console.log(
          `    ${connections} connections: ${per(of("ours"))}  bare ${per(of("bare"))} ${ratio(beside("bare"), ofBare)}  inserts ${per(of("same"))} ${ratio(beside("same"), ofInserts)}`,
        );
        console.log(`    (into two plain tables the inserts go ${per(of("plain"))}: ${beside("plain").toFixed(2)})`);
        console.log(`    CPU an accept: ${micros(rounds)}`);
      }
    },
    "api",
  );
}
