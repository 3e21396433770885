import { expect, it } from "vitest";
import { callbackOf, postCallback, textFrom } from "../../../testing/callback.ts";
import { startSenders } from "../../messages/testing/senders.ts";
import { PATIENCE, peopleOf } from "../testing/people.ts";

// Two records of one person, of whom each has said something else of marketing.
const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" });
const { get } = peopleOf(gateway, mine);

const start = Math.floor(gateway.clock.now() / 1_000) - 10_000;
let said = 0;
/** Digits, and what each of the forms of one number wrote, with the second of it; the first has the older record. */
async function write(digits: string, text: string, after: number): Promise<string> {
  const id = `wamid.merged.${(said += 1)}`;
  const message = textFrom(digits, id, text, (start + after) * 1_000);
  expect((await postCallback(gateway, callbackOf(mine.account, message))).status).toBe(200);
  const [row] = await mine.rows<{ id: string }>(
    "select contact_id as id from message_state where provider_message_id = $1",
    [id],
  );
  return row?.id ?? "";
}

let people = 0;
/** The forms of one number, which the provider calls by the first. */
const forms = () => {
  const line = `11300${String((people += 1)).padStart(5, "0")}`;
  return [`549${line}`, `54${line}`] as const;
};

const consentOf = async (phone: string) => {
  const [contact] = (await mine.call("GET", `/v1/contacts?phone=%2B${phone}`)).body.data;
  return [contact?.id, contact?.marketing_consent] as const;
};

it.each([
  ["older", "STOP", 10, "START", 20, "unknown"],
  ["older", "START", 20, "STOP", 10, "unknown"],
  ["older", "STOP", 20, "START", 10, "opted_out"],
  ["older", "START", 10, "STOP", 20, "opted_out"],
  // Of one second the opt-out counts.
  ["older", "STOP", 10, "START", 10, "opted_out"],
  ["older", "START", 10, "STOP", 10, "opted_out"],
])(
  "of the %s record %s at %i and of the other %s at %i make %s",
  async (_which, first, firstAt, second, secondAt, expected) => {
    const [wa, written] = forms();
    await write(wa, first, firstAt);
    await write(written, second, secondAt);
    const [[survivor], [merged]] = [await consentOf(wa), await consentOf(written)];
    expect(survivor).not.toBe(merged);
    // The provider's answer says that they are one.
    await mine.send(`+${written}`);
    await expect.poll(async () => (await get(merged)).id, PATIENCE).toBe(survivor);
    expect((await consentOf(wa))[1]).toBe(expected);
  },
);

it("a client's merge keeps an opt-out, though the other record resumed later", async () => {
  for (const order of [0, 1]) {
    const [one, two] = [`155575100${order}1`, `155575100${order}2`];
    await write(one, order === 0 ? "STOP" : "START", order === 0 ? 10 : 20);
    await write(two, order === 0 ? "START" : "STOP", order === 0 ? 20 : 10);
    const [[survivor], [merged]] = [await consentOf(one), await consentOf(two)];
    const { body } = await mine.call("POST", `/v1/contacts/${survivor}/merge`, { body: { contact_id: merged } });
    expect(body.marketing_consent).toBe("opted_out");
  }
});
