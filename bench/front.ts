import type { Figures } from "./figures.ts";
import { metered, type Part } from "./part.ts";
import { sendAll } from "./work.ts";

/** Templates by the provider's own API, whose answers wait for the provider, in turns with the same by ours. */
export const front: Part = {
  name: "front",
  title: "accepted and sent by the Cloud API front; beside `POST /v1/messages`",
  bounds: { "CPU ÷ own API": { atMost: 1.15 } },
  prepare: (run) => sendAll(run, { amount: run.known.recipients }),
  work: (run, extent) => sendAll(run, extent, { front: true }),
  async round(run) {
    const extent = { amount: run.bench.options.amount };
    const own = await metered(run, () => sendAll(run, extent));
    const fronted = await metered(run, () => sendAll(run, extent, { front: true }));
    return { ...fronted, "own API, CPU µs": cpuOf(own), "CPU ÷ own API": cpuOf(fronted) / cpuOf(own) };
  },
};

const cpuOf = (figures: Figures): number =>
  (figures["gateway µs"] ?? Number.NaN) + (figures["PostgreSQL µs"] ?? Number.NaN);
