import fc from "fast-check";
import { expect, it } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import { callbackOf, postCallback, statusOf } from "../../../testing/callback.ts";
import { REPORTS } from "../../threads/status.ts";
import { sealCorrelationToken } from "../correlation-token.ts";
import { person, startSenders } from "../testing/senders.ts";

// Which of the prices that are reported of a message is its own.
const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" });

type Said = { word: "sent" | "delivered" | "read" | "failed" | "warning"; price: string | null };

/**
 * A message of which these are reported, in this order, all in one callback or each in one of its own, has this category of price in the
 * end. Some are reported before anybody knows whose message they are of, where `early`.
 */
async function expectPrice(said: readonly Said[], is: string | null, atOnce: boolean, early = 0): Promise<void> {
  const { id } = (await mine.send(person())).body;
  const { provider_message_id: wamid } = await mine.becomes(id, "accepted");
  const other = `${wamid}.other`;
  const opaque = sealCorrelationToken(gateway.app.secrets, parseId("msg", id) ?? "", 1);
  const values = said.map(({ word, price }, index) =>
    statusOf(early > 0 ? other : wamid, word, gateway.clock.now(), {
      ...(price === null ? {} : { pricing: { category: price } }),
      ...(early > 0 && index >= early ? { biz_opaque_callback_data: opaque } : {}),
    }),
  );
  for (const some of atOnce ? [values] : values.map((value) => [value]))
    expect((await postCallback(gateway, callbackOf(mine.account, ...some))).status).toBe(200);
  const read = async () => {
    const { history, pricing } = (await mine.call("GET", `/v1/messages/${id}`)).body;
    return [history.length, pricing?.category ?? null];
  };
  await expect
    .poll(read, { timeout: 30_000, interval: 15 })
    .toEqual([1 + new Set(said.map(({ word }) => word)).size, is]);
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
  // The provider may give the price only when it repeats itself.
  [of(["delivered", null], ["delivered", "a"]), "a"],
  [of(["sent", "a"], ["delivered", null], ["delivered", "b"], ["delivered", "c"]), "b"],
  [of(["sent", null], ["read", "b"], ["sent", "a"], ["delivered", null], ["delivered", "c"]), "b"],
  [of(["read", null], ["delivered", null], ["read", "b"], ["delivered", "a"]), "b"],
  [of(["delivered", "a"], ["delivered", "b"], ["sent", null], ["sent", "c"]), "a"],
])("after %j it is %s", async (said, is) => {
  await expectPrice(said, is, true);
  await expectPrice(said, is, false);
});

it.each([
  [of(["delivered", null], ["delivered", "a"], ["sent", null]), 2, "a"],
  [of(["sent", "a"], ["sent", "b"], ["delivered", null]), 2, "a"],
  [of(["delivered", "a"], ["delivered", null]), 1, "a"],
])("after %j, of which the first %i come before the message is known, it is %s", async (said, early, is) => {
  await expectPrice(said, is, true, early);
  await expectPrice(said, is, false, early);
});

const word = fc.constantFrom("sent", "delivered", "read", "failed", "warning");
const price = fc.option(fc.constantFrom("a", "b", "c"), { nil: null });

it("is the same whether reports come together or one after the other", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record<Said>({ word, price }), { minLength: 1, maxLength: 6 }), async (said) => {
      let [rank, is]: [number, string | null] = [0, null];
      const priced = new Set<string>();
      for (const one of said) {
        if (one.price === null || priced.has(one.word)) continue;
        priced.add(one.word);
        if (REPORTS[one.word].rank < rank) continue;
        is = one.price;
        ({ rank } = REPORTS[one.word]);
      }
      await expectPrice(said, is, true);
      await expectPrice(said, is, false);
    }),
    { numRuns: 25 },
  );
});
