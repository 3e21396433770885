import { expect } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../lib/duration.ts";
import { monthOf } from "../../../lib/time-zone.ts";
import { callbackOf, postCallback, statusOf } from "../../../testing/callback.ts";
import type { Gateway, Sender } from "../../../testing/gateway.ts";
import { person, startSenders } from "../../messages/testing/senders.ts";
import type { ServiceAllowance } from "../allowance.ts";
import { countService } from "../service.store.ts";
import { countAll } from "../usage.ts";

/** The time zone of accounts that the simulator adds. */
export const LOS_ANGELES = "America/Los_Angeles";

/** As the provider gives it; null: the status has none. */
export type Price = Record<string, unknown> | null;
export const SERVICE = { pricing_model: "PMP", type: "free_customer_service", category: "service" };
export const TEXT = { type: "text", text: { body: "Hi" } };

export type Allowances = {
  gateway: Gateway;
  mine: Sender;
  theirs: Sender;
  /** A message to a person who has just written; what the provider calls it. */
  sent(of: Sender, more?: object): Promise<string>;
  /** `word` is reported of the message, at a time of the provider. */
  report(of: Sender, wamid: string, word: string, pricing?: Price, at?: number): Promise<void>;
  allowanceOf(of: Sender): Promise<ServiceAllowance>;
  /** Resolves when this many are used, once everything so far is counted. */
  expectUsed(of: Sender, count: number): Promise<void>;
  /** Jumps to this time, and makes the partitions of it. */
  jumpTo(at: number): Promise<void>;
};

/** A gateway with two senders, days away from the ends of a month, and what their numbers have used. */
export async function startAllowances(): Promise<Allowances> {
  const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
  const jumpTo = async (at: number): Promise<void> => {
    gateway.clock.advance(at - gateway.clock.now());
    await gateway.partitionsAhead();
  };
  // Room on both sides: no test begins or ends in another month by chance.
  const { start, end } = monthOf(gateway.clock.now(), LOS_ANGELES);
  const now = gateway.clock.now();
  if (now - start < 3 * DAY_MS) await jumpTo(start + 3 * DAY_MS);
  if (end - now < 3 * DAY_MS) await jumpTo(end + 3 * DAY_MS);
  const allowanceOf: Allowances["allowanceOf"] = async (of) => {
    const { status, body } = await of.call("GET", `/v1/phone-numbers/${of.phoneNumberId}`);
    expect(status).toBe(200);
    return body.service_allowance;
  };
  return {
    gateway,
    mine,
    theirs,
    jumpTo,
    allowanceOf,
    async sent(of, more = TEXT) {
      const to = person();
      const { id: quoted } = await of.inbound(to);
      const isReaction = "type" in more && more.type === "reaction";
      const content = isReaction ? { reaction: { emoji: "👍", message_id: quoted } } : {};
      const { status, body } = await of.call("POST", "/v1/messages", { body: { to, ...more, ...content } });
      expect(status).toBe(202);
      return (await of.becomes(body.id, "accepted")).provider_message_id;
    },
    async report(of, wamid, word, pricing = null, at = gateway.clock.now()) {
      const status = statusOf(wamid, word, at, pricing === null ? {} : { pricing });
      expect((await postCallback(gateway, callbackOf(of.account, status))).status).toBe(200);
    },
    async expectUsed(of, count) {
      const used = async (): Promise<number | null> => {
        gateway.clock.advance(MINUTE_MS);
        await countAll(gateway.app, countService);
        return (await allowanceOf(of)).used;
      };
      await expect.poll(used, { timeout: 30_000, interval: 20 }).toBe(count);
    },
  };
}
