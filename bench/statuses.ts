import type { Part, Run, Work } from "./part.ts";
import { metered } from "./part.ts";
import type { Deliver, DeliverReport } from "./stub.ts";
import type { Tenant } from "./tenants.ts";
import { CALLBACK_CONNECTIONS, sendAll, settled } from "./work.ts";

type Shape = { name: string; inCallback: number; oneNumber?: boolean; bounds?: Part["bounds"] };

const shapes: readonly Shape[] = [
  { name: "one in a callback", inCallback: 1, bounds: { "through/s": { atLeast: 1_500 } } },
  { name: "a hundred in a callback", inCallback: 100 },
  { name: "one in a callback, all of one number", inCallback: 1, oneNumber: true },
];

/** Messages that were sent before are reported as delivered; until the last signed delivery of it has arrived. */
export const statuses: readonly Part[] = shapes.map(({ name, inCallback, oneNumber = false, bounds = {} }) => {
  const reportAll = async (run: Run): Promise<Work> => {
    const { bench, urls } = run;
    const question: Deliver = { kind: "deliver", urls, inCallback, connections: CALLBACK_CONNECTIONS };
    const { done, startedAt, perSecond } = await bench.stub.ask<DeliverReport>(question);
    const { lastDeliveryAt } = await settled(bench, done, "deliveries");
    const through = (done * 1_000) / (lastDeliveryAt - startedAt);
    return { items: done, figures: { "taken/s": perSecond, "through/s": through } };
  };
  const sendKept = (run: Run, amount: number): Promise<Work> =>
    sendAll(oneNumber ? { ...run, tenants: run.tenants.map(ofOneNumber) } : run, { amount }, { keeps: true });
  return {
    name: "statuses",
    title: `\`delivered\` reported, ${name}, each with one signed delivery`,
    events: ["delivered"],
    bounds,
    async work(run, extent) {
      await sendKept(run, "amount" in extent ? extent.amount : run.known.recipients);
      return await reportAll(run);
    },
    async round(run) {
      await sendKept(run, run.bench.options.amount);
      return await metered(run, () => reportAll(run));
    },
  };
});

const ofOneNumber = (tenant: Tenant): Tenant => ({
  ...tenant,
  numbers: tenant.numbers.slice(0, 1),
  providerNumbers: tenant.providerNumbers.slice(0, 1),
});
