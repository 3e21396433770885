import { expect, it } from "vitest";
import { callbackOf, postCallback, textFrom } from "../../../testing/callback.ts";
import { startSenders } from "../testing/senders.ts";

// Messages of one callback are written by one pass: what one of them needs of another must be there all the same.
const { gateway, mine, theirs } = await startSenders();
const PATIENCE = { timeout: 30_000, interval: 15 };

const text = (digits: string, id: string, more: object = {}): object => {
  const value = textFrom(digits, id, "Hi", gateway.clock.now()) as { messages: object[] };
  return { ...value, messages: value.messages.map((message) => ({ ...message, ...more })) };
};
const quoting = (id: string): object => ({ context: { from: "15550009999", id } });
const inbound = async (of = mine) => (await of.call("GET", "/v1/messages?direction=inbound&limit=100")).body.data;
const kinds = async (digits: string) =>
  (
    await mine.rows<{ kind: string }>(
      "select e.kind from event e join contact c on c.id = e.contact_id where c.phone = $1 order by e.sequence",
      [`+${digits}`],
    )
  ).map(({ kind }) => kind);

it("two messages of a stranger are one contact; the second may quote the first; a repeated one is one message", async () => {
  const from = "15557300001";
  const callback = callbackOf(
    mine.account,
    text(from, "wamid.first"),
    text(from, "wamid.second", quoting("wamid.first")),
    text(from, "wamid.first"),
  );
  expect((await postCallback(gateway, callback)).status).toBe(200);
  await expect.poll(async () => (await inbound()).length, PATIENCE).toBe(2);
  const [second, first] = await inbound();
  expect([first.provider_message_id, second.provider_message_id]).toEqual(["wamid.first", "wamid.second"]);
  expect([first.reply_to, second.reply_to]).toEqual([null, first.id]);
  expect(second.sequence).toBeGreaterThan(first.sequence);
  expect(await kinds(from)).toEqual(["contact_created", "messages", "messages"]);
  expect(
    await mine.rows("select 1 from conversation v join contact c on c.id = v.contact_id where c.phone = $1", [
      `+${from}`,
    ]),
  ).toHaveLength(1);
  expect(await inbound(theirs)).toEqual([]);
});

it("what the provider newly says of known persons is kept, beside a stranger's first message", async () => {
  const [known, stranger] = ["15557300002", "15557300003"];
  await mine.send(`+${known}`);
  const contact = () =>
    mine.rows<{ name: string | null; wa_id: string | null }>(
      "select profile_name as name, wa_id from contact where phone = $1",
      [`+${known}`],
    );
  expect(await contact()).toEqual([{ name: null, wa_id: null }]);
  const callback = callbackOf(mine.account, text(known, "wamid.known"), text(stranger, "wamid.stranger"));
  expect((await postCallback(gateway, callback)).status).toBe(200);
  await expect.poll(() => kinds(stranger), PATIENCE).toEqual(["contact_created", "messages"]);
  expect(await contact()).toEqual([{ name: "Ana", wa_id: known }]);
  expect((await kinds(known)).filter((kind) => kind === "messages")).toHaveLength(1);
});
