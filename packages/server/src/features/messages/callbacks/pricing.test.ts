import fc from "fast-check";
import { expect, it } from "vitest";
import { callbackOf, postCallback, statusOf } from "../../../testing/callback.ts";
import { REPORTS } from "../../threads/status.ts";
import { person, startSenders } from "../testing/senders.ts";

// Which of the prices that are reported of a message is its own.
const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" });

type Said = { word: "sent" | "delivered" | "read" | "failed" | "warning"; price: string | null };

/** The pricing of a message of which these were reported, in this order: all in one callback, or each in one of its own. */
async function pricingAfter(said: readonly Said[], atOnce: boolean): Promise<unknown> {
  const { id } = (await mine.send(person())).body;
  const { provider_message_id: wamid } = await mine.becomes(id, "accepted");
  const values = said.map(({ word, price }) =>
    statusOf(wamid, word, gateway.clock.now(), price === null ? {} : { pricing: { category: price } }),
  );
  for (const some of atOnce ? [values] : values.map((value) => [value]))
    expect((await postCallback(gateway, callbackOf(mine.account, ...some))).status).toBe(200);
  const read = async () => (await mine.call("GET", `/v1/messages/${id}`)).body;
  await expect
    .poll(async () => (await read()).history.length, { timeout: 15_000, interval: 15 })
    .toBe(1 + new Set(said.map(({ word }) => word)).size);
  return (await read()).pricing?.category ?? null;
}

const of = (...pairs: [Said["word"], string | null][]): Said[] => pairs.map(([word, price]) => ({ word, price }));

it.each([
  [of(["sent", "a"], ["delivered", "b"]), "b"],
  [of(["delivered", "a"], ["sent", "b"]), "a"],
  [of(["delivered", "a"], ["failed", "b"], ["warning", "c"], ["read", null]), "a"],
  [of(["sent", "a"], ["read", null], ["delivered", "b"]), "b"],
  [of(["read", null], ["sent", "a"], ["delivered", "b"]), "b"],
  [of(["read", "a"], ["sent", "b"], ["delivered", "c"]), "a"],
  // Nothing else was said: a late one is better than none.
  [of(["read", null], ["delivered", "a"], ["sent", "b"]), "a"],
  [of(["delivered", null], ["sent", "a"], ["read", "b"]), "b"],
])("after %j it is %s", async (said, is) => {
  expect([await pricingAfter(said, true), await pricingAfter(said, false)]).toEqual([is, is]);
});

const word = fc.constantFrom("sent", "delivered", "read", "failed", "warning");
const price = fc.option(fc.constantFrom("a", "b", "c"), { nil: null });

it("is the same whether reports come together or one after the other", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record<Said>({ word, price }), { minLength: 1, maxLength: 6 }), async (said) => {
      let [rank, is]: [number, string | null] = [0, null];
      const seen = new Set<string>();
      for (const one of said) {
        if (!seen.has(one.word) && one.price !== null && REPORTS[one.word].rank >= rank) {
          is = one.price;
          ({ rank } = REPORTS[one.word]);
        }
        seen.add(one.word);
      }
      expect([await pricingAfter(said, true), await pricingAfter(said, false)]).toEqual([is, is]);
    }),
    { numRuns: 25 },
  );
}, 60_000);
