import { afterAll, expect, it } from "vitest";
import { statusOf } from "../../../testing/callback.ts";
import { withClient } from "../../../testing/client.ts";
import type { Sender } from "../../../testing/gateway.ts";
import { REPORTED_PATIENCE, reportingOf } from "../testing/reported.ts";
import { person, startSenders } from "../testing/senders.ts";

// Fields that the provider documents as objects, in other shapes.
const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
const { tell, text, echo, shown, events, setAside, close } = reportingOf(gateway);
afterAll(close);

const ODD_SHAPES = ["PMP", "", 7, true, [], [{ billable: true }]];

/** Each answer that has a message is given. */
async function expectShown(of: Sender, id: string): Promise<void> {
  for (const path of [`/v1/messages/${id}`, "/v1/messages", "/v1/conversations"])
    expect([path, (await of.call("GET", path)).status]).toEqual([path, 200]);
}

it("a status whose pricing is no object is taken without it, and the next one's is stored", async () => {
  const seen = await events(mine);
  const { id } = (await mine.send(person())).body;
  const { provider_message_id: wamid } = await mine.becomes(id, "accepted");
  const words = ["sent", "delivered", "read", "played", "deleted", "warning"] as const;
  for (const [n, pricing] of ODD_SHAPES.entries())
    await tell(mine, statusOf(wamid, words[n] ?? "", gateway.clock.now(), { pricing }));
  expect(await mine.becomes(id, "read")).toMatchObject({ pricing: null });
  await expectShown(mine, id);
  const pricings = () =>
    seen()
      .filter(({ kind }) => (words as readonly string[]).includes(kind) || kind === "message_deleted")
      .map(({ data }) => data.message.pricing);
  await expect.poll(pricings, REPORTED_PATIENCE).toEqual(words.map(() => null));
  const pricing = { billable: true, pricing_model: "PMP", category: "utility" };
  const next = (await mine.send(person())).body;
  const { provider_message_id: other } = await mine.becomes(next.id, "accepted");
  await tell(
    mine,
    statusOf(other, "sent", gateway.clock.now(), { pricing: "PMP" }),
    statusOf(other, "delivered", gateway.clock.now(), { pricing }),
  );
  expect(await mine.becomes(next.id, "delivered")).toMatchObject({ pricing });
  expect(await theirs.rows("select 1 from event")).toEqual([]);
});

it.each(ODD_SHAPES.map((odd) => ({ odd })))(
  "a message keeps a context and a referral that are $odd among its other fields",
  async ({ odd }) => {
    const id = `wamid.odd.${JSON.stringify(odd)}`;
    await tell(
      mine,
      text("15557450001", id, { context: odd, referral: odd, next_year: 1 }),
      text("15557450001", `${id}.beside`),
      echo(mine, "15557450001", `${id}.echo`, { context: odd }),
    );
    const message = await shown(mine, id);
    expect(message).toMatchObject({
      status: "received",
      text: { body: "Hi" },
      context: null,
      referral: null,
      provider_fields: { context: odd, referral: odd, next_year: 1 },
    });
    await expectShown(mine, message.id);
    expect(await shown(mine, `${id}.beside`)).not.toHaveProperty("provider_fields");
    expect(await shown(mine, `${id}.echo`)).toMatchObject({ context: null, provider_fields: { context: odd } });
    expect(await setAside()).toEqual([]);
  },
);

it("what an earlier version stored in other shapes does not keep messages from being returned", async () => {
  await tell(theirs, text("15557450002", "wamid.stored"));
  const { id } = await shown(theirs, "wamid.stored");
  await withClient(gateway.database.url, async (client) => {
    await client.query("begin");
    // The owner sees the rows of this workspace.
    await client.query("select set_config('app.workspace_id', $1, true)", [theirs.uuid]);
    await client.query(`update message set provided = '{"context":"x","referral":[1]}'`);
    expect((await client.query(`update message_state set pricing = '"PMP"'`)).rowCount).toBe(1);
    await client.query("commit");
  });
  await expectShown(theirs, id);
  expect(await shown(theirs, "wamid.stored")).toMatchObject({ context: null, referral: null, pricing: null });
});
