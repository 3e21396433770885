import { queryOptions } from "@tanstack/react-query";
import type { ListedMessage, Query } from "@waypost/sdk";
import { STEPS, type Step } from "../../pages/home/steps.ts";
import { call, waypost } from "../client.ts";
import { KEYS } from "./keys.ts";

const LOOK_EVERY_MS = 3_000;

/** `answered`: the conversation that the latest answer came in; null before one came. */
export type FirstSteps = { done: ReadonlySet<Step>; answered: { contact: string; number: string } | null };

/**
 * Which of the first steps were done: what they leave behind says it. Read again with the figures, as events come, and by the clock.
 * `sees`: what the session may read; a step of which it may not is not done.
 */
export const firstStepsQuery = (sees: { messages: boolean; webhooks: boolean }) =>
  queryOptions({
    queryKey: [...KEYS.metrics, "first-steps", sees],
    queryFn: async ({ signal }): Promise<FirstSteps> => {
      const latest = async (filters: Query<"messages.list">): Promise<ListedMessage | undefined> =>
        sees.messages ? (await waypost.messages.list({ ...filters, limit: 1 }, { signal })).data[0] : undefined;
      const isDelivered = async (): Promise<boolean> =>
        sees.webhooks && (await waypost.deliveries.list({ status: "succeeded", limit: 1 }, { signal })).data.length > 0;
      const [sent, answer, replied, received, failed, unknown] = await Promise.all([
        latest({ direction: "outbound" }),
        latest({ direction: "inbound" }),
        latest({ direction: "outbound", type: "text" }),
        isDelivered(),
        latest({ status: "failed" }),
        latest({ status: "unknown" }),
      ]);
      const isDone: Record<Step, boolean> = {
        send: sent !== undefined,
        answer: answer !== undefined,
        reply: replied !== undefined,
        receive: received,
        break: (failed ?? unknown) !== undefined,
      };
      return {
        done: new Set(STEPS.filter((step) => isDone[step])),
        answered: answer === undefined ? null : { contact: answer.contact_id, number: answer.phone_number_id },
      };
    },
    // No event says that a webhook has arrived.
    refetchInterval: ({ state: { data } }) => (data?.done.size === STEPS.length ? false : LOOK_EVERY_MS),
  });

/** A webhook as the gateway's own receiver got it. */
export type Received = { received_at: string; headers: Readonly<Record<string, string>>; body: string };

/** The newest first; nothing says that another one has come. */
export const receivedQuery = queryOptions({
  queryKey: ["received"],
  queryFn: async () => ((await call("GET", "console/receiver")) as { data: Received[] }).data, // as the gateway answers
  refetchInterval: LOOK_EVERY_MS,
});
