import { afterAll, expect, it } from "vitest";
import { statusOf } from "../../../testing/callback.ts";
import { REPORTED_PATIENCE, reportingOf } from "../testing/reported.ts";
import { startSenders } from "../testing/senders.ts";

// What the business wrote itself in the WhatsApp Business app, on a number that it uses in both.
const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
const { tell, text, echo, shown, history, setAside, events, close } = reportingOf(gateway);
afterAll(close);

const status = (id: string, word: string) => statusOf(id, word, gateway.clock.now());
const statuses = (message: { history: { status: string }[] }) => message.history.map((entry) => entry.status);

it("is an outbound message that was sent, with its event, its person and its statuses", async () => {
  const seen = await events(mine);
  await tell(mine, echo(mine, "15557420001", "wamid.echo.1", { context: { forwarded: true }, biz: "x" }));
  const message = await shown(mine, "wamid.echo.1");
  expect(message).toMatchObject({
    direction: "outbound",
    status: "sent",
    final: false,
    to: "+15557420001",
    from: mine.account.phone,
    origin: "business_app",
    text: { body: "By phone" },
    context: { forwarded: true },
    provider_fields: { biz: "x" },
    occurred_at: expect.any(String),
    sent_at: expect.any(String),
    accepted_at: null,
  });
  const kinds = () =>
    seen()
      .map(({ kind, category }) => `${category} ${kind}`)
      .toSorted();
  await expect.poll(kinds, REPORTED_PATIENCE).toEqual(["contact contact_created", "message_status sent"]);
  expect(seen().find(({ kind }) => kind === "sent")?.data).toMatchObject({ message, status: "sent", error: null });
  expect(seen().find(({ kind }) => kind === "contact_created")?.data).toMatchObject({
    contact: { id: message.contact_id, phone: "+15557420001" },
    source: "business_app",
  });
  await tell(mine, status("wamid.echo.1", "sent"), status("wamid.echo.1", "delivered"), status("wamid.echo.1", "read"));
  await mine.becomes(message.id, "read");
  expect(statuses(await history(mine, "wamid.echo.1"))).toEqual(["sent", "delivered", "read"]);
  expect(await theirs.rows("select 1 from message")).toEqual([]);
});

it("is nothing twice, also where it repeats what was sent from here, and statuses may come before it", async () => {
  const [to, id] = ["+15557420002", "wamid.echo.2"];
  await tell(mine, status(id, "delivered"));
  await tell(mine, echo(mine, to.slice(1), id), echo(mine, to.slice(1), id));
  await tell(mine, echo(mine, to.slice(1), id));
  const message = await history(mine, id);
  expect(message).toMatchObject({ status: "delivered", origin: "business_app" });
  expect(statuses(message).toSorted()).toEqual(["delivered", "sent"]);
  const sent = (await mine.send(to)).body;
  const { provider_message_id } = await mine.becomes(sent.id, "accepted");
  await tell(mine, echo(mine, to.slice(1), provider_message_id));
  await tell(mine, status(provider_message_id, "delivered"));
  expect(await mine.becomes(sent.id, "delivered")).not.toHaveProperty("origin");
  const { data } = (await mine.call("GET", `/v1/messages?contact_id=${message.contact_id}`)).body;
  expect(data.map((one: { id: string }) => one.id)).toEqual([sent.id, message.id]);
  expect(await mine.rows("select distinct kind from event where kind = 'message_deleted'")).toEqual([]);
  expect(await setAside()).toEqual([]);
});

it("is the latest of its conversation, and neither opens a window, nor opts out, nor counts as unread", async () => {
  const to = "15557420003";
  await tell(mine, echo(mine, to, "wamid.echo.3", { text: { body: "STOP" } }));
  const message = await shown(mine, "wamid.echo.3");
  const [latest] = (await mine.call("GET", "/v1/conversations")).body.data;
  expect(latest).toMatchObject({
    contact_id: message.contact_id,
    last_message: { id: message.id },
    unread_count: 0,
    window: { open: false },
  });
  expect((await mine.call("GET", `/v1/contacts/${message.contact_id}`)).body.marketing_consent).toBe("unknown");
  const free = await mine.call("POST", "/v1/messages", { body: { to: `+${to}`, type: "text", text: { body: "Hi" } } });
  expect([free.status, free.body.code]).toEqual([422, "window_closed"]);
  // What the person writes next is of the same conversation, and may quote it.
  await tell(mine, text(to, "wamid.answer.3", { context: { from: "1", id: "wamid.echo.3" } }));
  expect(await shown(mine, "wamid.answer.3")).toMatchObject({ contact_id: message.contact_id, reply_to: message.id });
});

it("is in no queue: it cannot be canceled or read, never expires, is listed by its status and counted as sent", async () => {
  await tell(mine, echo(mine, "15557420004", "wamid.echo.4"));
  const message = await shown(mine, "wamid.echo.4");
  expect(await mine.rows("select 1 from dispatch")).toEqual([]);
  for (const verb of ["cancel", "read"])
    expect((await mine.call("POST", `/v1/messages/${message.id}/${verb}`, { body: {} })).status).toBe(409);
  const listed = async (query: string) =>
    (await mine.call("GET", `/v1/messages?${query}&contact_id=${message.contact_id}`)).body.data.length;
  expect([await listed("status=sent"), await listed("status=queued"), await listed("direction=outbound")]).toEqual([
    1, 0, 1,
  ]);
  gateway.clock.advance(20 * 60_000);
  await gateway.partitionsAhead();
  expect(await shown(mine, "wamid.echo.4")).toMatchObject({ status: "sent" });
  expect(gateway.simulator.sent({ to: "+15557420004" }).data).toEqual([]);
  const failed = { errors: [{ code: 131_026, title: "Message undeliverable" }] };
  await tell(mine, statusOf("wamid.echo.4", "failed", gateway.clock.now(), failed));
  expect(await mine.becomes(message.id, "failed")).toMatchObject({ error: { provider: { code: 131_026 } } });
});

it("that reacts or takes back names the message by our id", async () => {
  const from = "15557420005";
  await tell(mine, text(from, "wamid.theirs.5"));
  const theirs5 = await shown(mine, "wamid.theirs.5");
  await tell(
    mine,
    echo(mine, from, "wamid.echo.5", {
      type: "reaction",
      text: undefined,
      reaction: { message_id: "wamid.theirs.5", emoji: "👍" },
    }),
    echo(mine, from, "wamid.echo.6", {
      type: "revoke",
      text: undefined,
      revoke: { original_message_id: "wamid.echo.5" },
    }),
  );
  const reaction = await shown(mine, "wamid.echo.5");
  expect(reaction).toMatchObject({ reaction: { message_id: theirs5.id, emoji: "👍" }, reply_to: null });
  expect(await shown(mine, "wamid.echo.6")).toMatchObject({ revoke: { original_message_id: reaction.id } });
});
