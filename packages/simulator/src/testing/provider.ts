import { type SimulatorOptions, startSimulator } from "../index.ts";
import { APP_SECRET, type Json, startReceiver, VERIFY_TOKEN } from "./receiver.ts";

export const NO_DELAYS = { sentMs: 0, deliveredMs: 0, readMs: 0, reviewMs: null };
export const TOKEN = "EAASIMDEMO";

/** A simulator with the demo account, without delays, and a receiver of its callbacks. */
export async function startPair(options: Partial<SimulatorOptions> = {}) {
  const receiver = await startReceiver();
  const simulator = await startSimulator({
    appSecret: APP_SECRET,
    verifyToken: VERIFY_TOKEN,
    callbackUrl: receiver.url,
    delays: NO_DELAYS,
    ...options,
  });
  const call = async (method: string, path: string, body?: unknown, token = TOKEN) => {
    const response = await fetch(simulator.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("json") === true;
    const answer: Json = json ? JSON.parse(text) : {};
    return { status: response.status, text, body: answer };
  };
  return {
    receiver,
    simulator,
    call,
    send: (message: Record<string, unknown>, token?: string) =>
      call("POST", "/v26.0/1055/messages", { messaging_product: "whatsapp", ...message }, token),
    async close() {
      await simulator.close();
      await receiver.close();
    },
  };
}

export type Pair = Awaited<ReturnType<typeof startPair>>;

export function template(to: string, name = "order_ready", components?: unknown) {
  return {
    to,
    type: "template",
    template: { name, language: { code: "en_US" }, ...(components === undefined ? {} : { components }) },
  };
}
