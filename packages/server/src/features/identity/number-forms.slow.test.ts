import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parsePhone, phoneOfProvider } from "../../lib/phone/phone.ts";
import { callbackOf, postCallback, statusOf, textFrom } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { PHONE_PAIRS, type PhonePair } from "../../testing/phone-pairs.ts";
import { someOfEachKind } from "../../testing/size.ts";

// Two forms of a number are one contact where they should be, whichever comes first and from whichever side: a request, a message
// of the person, a filter, and the provider's answer to a send. Each case has a workspace of its own. Of each group one pair of each
// verdict is taken, unless at full size: the verdicts of all of them are tested as values, beside the rules.

const PATIENCE = { timeout: 30_000, interval: 15 };
let gateway: Gateway;
let received = 0;

beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
});
afterAll(() => gateway.stop());

/** The simulator breaks its answers to this number. */
const RESETS = "12025550123";

// Of 14 or 15 digits that no numbering plan has the provider's ids cannot be told from numbers: they name no one.
const inBothOrders = (pairs: readonly PhonePair[]) =>
  someOfEachKind(
    pairs.filter(({ one, other }) => [one, other].every((form) => phoneOfProvider(form) !== null && form !== RESETS)),
    ({ verdict }) => verdict,
  ).flatMap(({ verdict, one, other }) => [
    { verdict, first: one, second: other },
    { verdict, first: other, second: one },
  ]);

/** A text of the person, as the provider calls them in it; resolves with its contact once it has been taken. */
async function hear(of: Sender, digits: string): Promise<string> {
  const id = `wamid.pair.${(received += 1)}`;
  const callback = callbackOf(of.account, textFrom(digits, id, "Hello", gateway.clock.now()));
  expect((await postCallback(gateway, callback)).status).toBe(200);
  const [row] = await of.rows<{ contact_id: string }>(
    "select s.contact_id from message_state s where s.provider_message_id = $1",
    [id],
  );
  return row?.contact_id ?? "";
}

const text = (of: Sender, to: string) =>
  of.call("POST", "/v1/messages", { body: { to, type: "text", text: { body: "Hi" } } });
const contactsOf = async (of: Sender, phone: string): Promise<{ id: string; windows: object[] }[]> =>
  (await of.call("GET", `/v1/contacts?phone=${encodeURIComponent(phone)}`)).body.data;
const all = async (of: Sender): Promise<{ id: string }[]> => (await of.call("GET", "/v1/contacts?limit=100")).body.data;

describe.each(PHONE_PAIRS)("$what", ({ pairs }) => {
  it("by the rules alone: found by both forms where the plan makes two people impossible", async () => {
    await Promise.all(
      inBothOrders(pairs).map(async ({ verdict, first, second }) => {
        const of = await gateway.sender();
        const joined = verdict === "same";
        const [one, two] = [await hear(of, first), await hear(of, second)];
        expect({ first, second, joined: one === two }).toEqual({ first, second, joined });
        expect(await all(of)).toHaveLength(joined ? 1 : 2);
        for (const form of [first, second]) {
          const [found] = await contactsOf(of, `+${form}`);
          expect({ form, windows: found?.windows.length }).toEqual({ form, windows: 1 });
        }
      }),
    );
  });

  it.each(["status", "answer"])(
    "by the provider's %s and the reply: the window of the contact that was written to opens",
    async (word) => {
      const cases = inBothOrders(pairs).filter(({ first }) => parsePhone(`+${first}`) === `+${first}`);
      const workspaces = await Promise.all(cases.map(() => gateway.sender()));
      // One after the other: the simulator's people are the same for all workspaces.
      for (const [index, { verdict, first, second }] of cases.entries()) {
        const of = workspaces[index] as Sender;
        const joined = verdict !== "different";
        gateway.simulator.setPerson({ person: first, wa_id: word === "answer" ? second : first });
        // Who wrote before is somebody else, unless the forms can be one person's.
        if (!joined) await hear(of, second);
        const { id } = (await of.send(`+${first}`)).body;
        if (word === "status") await reportedAs(of, id, second);
        else await of.becomes(id, "accepted");
        await hear(of, second);
        const people = async () => ({ first, second, people: (await all(of)).length });
        await expect.poll(people, PATIENCE).toEqual({ first, second, people: joined ? 1 : 2 });
        const reply = await text(of, `+${first}`);
        expect({ first, second, status: reply.status }).toEqual({ first, second, status: joined ? 202 : 422 });
        const listed = await of.call("GET", `/v1/messages?from=${encodeURIComponent(`+${second}`)}`);
        expect(listed.body.data.length).toBeGreaterThan(0);
      }
    },
  );
});

/** The provider accepts the message, and reports it as sent to this number. */
async function reportedAs(of: Sender, message: string, waId: string): Promise<void> {
  const accepted = await of.becomes(message, "accepted");
  const status = statusOf(accepted.provider_message_id, "sent", gateway.clock.now(), { recipient_id: waId });
  expect((await postCallback(gateway, callbackOf(of.account, status))).status).toBe(200);
  await of.becomes(message, "sent");
}
