import { accept } from "./accept.ts";
import { burst } from "./burst.ts";
import { latency } from "./latency.ts";
import { metered, nextRecipients, type Part } from "./part.ts";
import { announce, receiveAll, sendAll, WARM_UP } from "./work.ts";

const fresh = (count: number): { firstRecipient: number; recipients: number } => ({
  firstRecipient: nextRecipients(count),
  recipients: count,
});

const sends: Part[] = [1, 1_000].map((workspaces) => ({
  name: "sends",
  title: `accepted and sent, the provider answers after 5 ms, distinct recipients, ${workspaces} × workspace`,
  workspaces,
  bounds: { "sent/s": { atLeast: 1_000 } },
  async prepare(run) {
    await sendAll(run, { amount: WARM_UP }, { recipients: fresh(WARM_UP) });
  },
  slice: (run) => {
    const { amount } = run.bench.options;
    return metered(run, () => sendAll(run, { amount }, { recipients: fresh(amount) }));
  },
}));

const delivered = { deliveries: 1 };
const statuses: Part = {
  name: "statuses",
  title: "accepted, sent, and one signed delivery of it",
  events: ["accepted"],
  prepare: (run) => announce(run, delivered, ["accepted"]),
  slice: (run) => metered(run, () => sendAll(run, { amount: run.bench.options.amount }, delivered)),
};

const LIFE = { reported: true, deliveries: 3 };
const life: Part = {
  name: "life",
  title: "accepted, sent, `sent` and `delivered` reported, three signed deliveries",
  events: ["*"],
  prepare: (run) => announce(run, LIFE, ["*"]),
  slice: (run) => metered(run, () => sendAll(run, { amount: run.bench.options.amount }, LIFE)),
};

const callbacks: Part = {
  name: "callbacks",
  title: "inbound messages, each with one signed delivery",
  events: ["messages"],
  prepare: async (run) => void (await receiveAll(run, WARM_UP)),
  slice: (run) => metered(run, () => receiveAll(run, run.bench.options.amount)),
};

/** In the order in which they run. Some have several cases. */
export const PARTS: readonly Part[] = [...accept, ...sends, latency, statuses, life, callbacks, ...burst];
