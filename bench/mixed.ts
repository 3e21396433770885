import { metered, type Part } from "./part.ts";
import { sendAll, takeAll } from "./work.ts";

/** Messages of all kinds to people whose windows are open, in turns with templates alone. */
export const mixed: Part = {
  name: "mixed",
  title: "accepted and sent, of all kinds in turn; beside templates alone",
  bounds: { "÷ templates alone": { atLeast: 0.9 } },
  async prepare(run) {
    const extent = { amount: run.known.recipients };
    const { done } = await takeAll(run, extent);
    await sendAll(run, extent);
    return { items: done, figures: {} };
  },
  work: (run, extent) => sendAll(run, extent, { mixed: true }),
  async round(run) {
    const extent = { amount: run.bench.options.amount };
    const alone = await metered(run, () => sendAll(run, extent));
    const all = await metered(run, () => sendAll(run, extent, { mixed: true }));
    const rate = alone["sent/s"] ?? Number.NaN;
    return { ...all, "templates alone, sent/s": rate, "÷ templates alone": (all["sent/s"] ?? Number.NaN) / rate };
  },
};
