import { openInserts } from "./inserts.ts";
import type { Bench, Part } from "./part.ts";
import { acceptAll, drive } from "./work.ts";

/** Connections, and what is asked of our rate: parts of the bare route's and of the inserts' rate. */
const CASES = [
  { connections: 64, ofBare: 0.4, ofInserts: 0.9 },
  { connections: 256, ofBare: 0.55, ofInserts: 1.2 },
];

/** Known recipients, idempotency key, audit; no limit, nothing dispatched meanwhile. */
export const accept: Part[] = CASES.map(({ connections, ofBare, ofInserts }) => ({
  name: "accept",
  title: `accepted with key and audit, recipients known, ${connections} connections`,
  roles: "api",
  bounds: { "÷ bare route": { atLeast: ofBare }, "÷ inserts": { atLeast: ofInserts } },
  timed: true,
  prepare: (run) => acceptAll(run, connections, { amount: run.known.recipients }),
  work: (run, extent) => acceptAll(run, connections, extent),
  beside: (bench) => openBounds(bench, connections),
}));

/** A bare Fastify route, and the database's rate of inserting a message and its queue row. */
async function openBounds(bench: Bench, connections: number): ReturnType<NonNullable<Part["beside"]>> {
  const inserts = await openInserts(bench.place);
  const { seconds } = bench.options;
  const tenant = { key: "none", numbers: ["num_0"], providerNumbers: [] };
  const question = { urls: [bench.bare.url], tenants: [tenant], firstRecipient: 0, recipients: 2_000 };
  return async (slice) => {
    const ours = slice["accepted/s"] ?? Number.NaN;
    const bare = (await drive(bench, { kind: "closed", ...question, connections, seconds })).perSecond;
    const inserted = await inserts.rate(seconds);
    // Of each round by itself: what is measured within seconds of each other meets the same machine.
    return {
      "bare route/s": bare,
      [`${inserts.name}, inserts/s`]: inserted,
      "÷ bare route": ours / bare,
      "÷ inserts": ours / inserted,
    };
  };
}
