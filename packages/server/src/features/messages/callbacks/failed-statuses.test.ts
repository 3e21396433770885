import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../lib/duration.ts";
import { callbackOf, postCallback, statusOf } from "../../../testing/callback.ts";
import type { Sender } from "../../../testing/gateway.ts";
import { person, startSenders } from "../testing/senders.ts";

const { gateway, theirs, sentTo } = await startSenders();

/** A message that the provider accepts and of which it then reports that it failed, `agoMs` ago. */
async function failed(sender: Sender, code: number, { agoMs = 0, more = {} } = {}): Promise<string> {
  const to = person();
  const { body } = await sender.send(to, more);
  await sender.becomes(body.id, "accepted");
  const errors = [{ code, title: "Refused", error_data: { details: "In detail." } }];
  const status = statusOf(sentTo(to)[0]?.id ?? "", "failed", gateway.clock.now() - agoMs, { errors });
  for (let repeated = 0; repeated < 2; repeated++) await postCallback(gateway, callbackOf(sender.account, status));
  const message = await sender.becomes(body.id, "failed");
  expect(message.error.provider).toMatchObject({ code, details: "In detail." });
  return body.id;
}
const jobs = (sender: Sender, kind: string) => sender.rows("select 1 from job where kind = $1", [kind]);
const stops = (sender: Sender) => sender.rows("select 1 from phone_number where marketing_stopped_until is not null");

describe("a failure that is reported after the message was accepted", () => {
  it.each([132001, 132012, 132015])("(%i) has the template fetched again, as a refusal does, once", async (code) => {
    const mine = await gateway.sender();
    await failed(mine, code);
    await expect.poll(() => jobs(mine, "template.refetch")).toHaveLength(1);
    expect(await jobs(theirs, "template.refetch")).toEqual([]);
  });

  it("(132015) of a fallback has its template fetched again", async () => {
    const mine = await gateway.sender();
    const fallback = { template: { name: "order_ready", language: { code: "en_US" } } };
    await failed(mine, 132015, { more: { type: "text", template: undefined, text: { body: "Ready." }, fallback } });
    await expect.poll(() => jobs(mine, "template.refetch")).toHaveLength(1);
  });

  it("(131048) stops the number's marketing, unless it was long ago", async () => {
    const mine = await gateway.sender();
    await failed(mine, 131048, { agoMs: HOUR_MS });
    await failed(mine, 131049);
    expect(await stops(mine)).toEqual([]);
    await failed(mine, 131048);
    await expect.poll(() => stops(mine)).toHaveLength(1);
  });

  it("(130429) slows the number down, as a refusal does", async () => {
    const mine = await gateway.sender();
    await failed(mine, 130429);
    const begun = gateway.clock.now();
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await mine.send(person())).body.id));
    for (const id of ids) await mine.becomes(id, "accepted");
    // At 80 a second they would take a quarter of a second.
    expect(gateway.clock.now() - begun).toBeGreaterThan(900);
  });

  it.each([131031, 131042])("(%i) has the account checked, and is no proof of how it is", async (code) => {
    const mine = await gateway.sender();
    await failed(mine, code);
    await expect.poll(() => jobs(mine, "account.check")).toHaveLength(1);
    expect((await mine.call("GET", "/v1/business-accounts")).body.data[0].status).toBe("connected");
  });

  it("(131026) has no other consequence", async () => {
    const mine = await gateway.sender();
    await failed(mine, 131026);
    await failed(mine, 131048); // looked at after the one before
    await expect.poll(() => stops(mine)).toHaveLength(1);
    expect([...(await jobs(mine, "account.check")), ...(await jobs(mine, "template.refetch"))]).toEqual([]);
  });
});

describe("a failure whose reason is reported later", () => {
  const errors = [{ code: 131026, title: "Undeliverable", error_data: { details: "In detail." } }];
  const other = [{ code: 131053, title: "Upload" }];

  it.each(["in one callback", "in one of its own"])("has it from then on, %s, and one event", async (how) => {
    const to = person();
    const { body } = await theirs.send(to);
    await theirs.becomes(body.id, "accepted");
    const id = sentTo(to)[0]?.id ?? "";
    const told = [{}, { errors }, { errors: other }, {}].map((more) =>
      statusOf(id, "failed", gateway.clock.now(), more),
    );
    for (const some of how === "in one callback" ? [told] : told.map((one) => [one]))
      await postCallback(gateway, callbackOf(theirs.account, ...some));
    const read = async () => (await theirs.call("GET", `/v1/messages/${body.id}`)).body;
    await expect
      .poll(async () => (await read()).error)
      .toMatchObject({ code: "recipient_unreachable", provider: { code: 131026, details: "In detail." } });
    const { status, history } = await read();
    expect(status).toBe("failed");
    expect(history.filter((entry: { status: string }) => entry.status === "failed")).toHaveLength(1);
    const events = await theirs.rows<{ kind: string }>(
      "select e.kind from event e join message m on m.id = e.message_id where m.recipient = $1 and e.kind = 'failed'",
      [to],
    );
    expect(events).toHaveLength(1);
  });
});
