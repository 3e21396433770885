import { queryOptions } from "@tanstack/react-query";
import type { Query } from "@waypost/sdk";
import { STEPS, type Step } from "../../pages/home/steps.ts";
import { call, waypost } from "../client.ts";
import { KEYS } from "./keys.ts";

const LOOK_EVERY_MS = 3_000;

/** Which of the first steps were done: what they leave behind says it. Read again with the figures, as events come, and by the clock. */
export const firstStepsQuery = queryOptions({
  queryKey: [...KEYS.metrics, "first-steps"],
  queryFn: async ({ signal }): Promise<ReadonlySet<Step>> => {
    const isAny = async (filters: Query<"messages.list">): Promise<boolean> =>
      (await waypost.messages.list({ ...filters, limit: 1 }, { signal })).data.length > 0;
    const isDone: Record<Step, Promise<boolean>> = {
      send: isAny({ direction: "outbound" }),
      answer: isAny({ direction: "inbound" }),
      reply: isAny({ direction: "outbound", type: "text" }),
      receive: waypost.deliveries
        .list({ status: "succeeded", limit: 1 }, { signal })
        .then(({ data }) => data.length > 0),
      break: Promise.all([isAny({ status: "failed" }), isAny({ status: "unknown" })]).then((some) =>
        some.includes(true),
      ),
    };
    const done = await Promise.all(STEPS.map((step) => isDone[step]));
    return new Set(STEPS.filter((_, index) => done[index]));
  },
  // No event says that a webhook has arrived.
  refetchInterval: ({ state: { data } }) => (data?.size === STEPS.length ? false : LOOK_EVERY_MS),
});

/** A webhook as the gateway's own receiver got it. */
export type Received = { received_at: string; headers: Readonly<Record<string, string>>; body: string };

/** The newest first; nothing says that another one has come. */
export const receivedQuery = queryOptions({
  queryKey: ["received"],
  queryFn: async () => ((await call("GET", "console/receiver")) as { data: Received[] }).data, // as the gateway answers
  refetchInterval: LOOK_EVERY_MS,
});
