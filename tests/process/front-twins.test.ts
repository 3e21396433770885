import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Worker } from "./deployment.ts";
import { Pair } from "./pair.ts";
import { strangers } from "./posting.ts";

const TWINS = 50;
const ENV = { FRONT_WAIT: "0.5" };
const ARRIVED_WITHIN = { timeout: 30_000, interval: 50 };

let pair: Pair;
let processes: Worker[];
beforeAll(async () => {
  pair = await Pair.open();
  processes = [await pair.serve(ENV), await pair.serve(ENV)];
  await pair.deployment.shared(2);
});
afterAll(async () => {
  await pair.endAll();
  await pair.deployment.stop();
});

/** A send by the provider's API, through each of the two processes in turn. */
async function post(index: number, to: string) {
  const { key, numbers } = pair.workspace;
  return await processes[index % 2]!.call(key, "POST", `/v23.0/${numbers[0]!.providerId}/messages`, {
    key: `twins-${to}`,
    body: {
      messaging_product: "whatsapp",
      to: to.slice(1),
      type: "template",
      template: { name: "order_ready", language: { code: "en_US" } },
    },
  });
}

test.each([
  ["are one send, and have one answer", null],
  ["have one id where it is the gateway's", { kind: "delay", delayMs: 3_000 }],
  ["have one id where the provider's answer is lost", { kind: "reset", accept: true }],
] as const)(`${TWINS} requests with one key at once, over two processes, %s`, async (_what, fault) => {
  const [to = ""] = strangers(1);
  if (fault !== null) pair.deployment.provider.addFault({ ...fault, recipient: to });
  const replies = await Promise.all(Array.from({ length: TWINS }, (_, index) => post(index, to)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const [first] = replies;
  expect(new Set(replies.map(({ text }) => text))).toEqual(new Set([first?.text]));
  expect(replies.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(TWINS - 1);
  const sent = () => pair.deployment.requests().get(to.slice(1)) ?? [];
  await vi.waitFor(() => expect(sent()).toHaveLength(1), ARRIVED_WITHIN);
  for (const index of [0, 1]) expect((await post(index, to)).text).toBe(first?.text);
  expect(sent()).toHaveLength(1);
});
