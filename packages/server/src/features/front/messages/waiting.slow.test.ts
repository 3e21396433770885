import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callbackOf, postCallback, statusOf, textFrom } from "../../../testing/callback.ts";
import { type Gateway, ORDER_READY, type Sender, startGateway } from "../../../testing/gateway.ts";
import { PATIENCE } from "../../../testing/patience.ts";
import { type CloudReceiver, startCloudReceiver } from "../../webhooks/testing/cloud-receiver.ts";
import { expectGraphError, ofNumber, textTo } from "../testing/front.ts";

/** FRONT_WAIT is 0.3 s; the rest is for a busy machine, and far less than a provider that needs 30 s. */
const ANSWERED_WITHIN_MS = 12_000;
const SECRET = "an-app-secret-of-the-receiver";
const TWINS = 50;

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let receiver: CloudReceiver;
beforeAll(async () => {
  gateway = await startGateway({ FRONT_WAIT: "0.3", API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  receiver = await startCloudReceiver(SECRET);
  for (const sender of [mine, theirs]) {
    const body = { url: receiver.url, format: "provider", fields: ["messages"], secret: SECRET };
    expect((await sender.call("POST", "/v1/webhook-endpoints", { body })).status).toBe(201);
  }
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

let people = 0;
const person = (): string => `+1555778${String((people += 1)).padStart(4, "0")}`;
const sentTo = (to: string) => gateway.simulator.sent({ to }).data;
const arrival = async (to: string) => {
  await expect.poll(() => sentTo(to).filter(({ accepted }) => accepted).length, PATIENCE).toBe(1);
  const [entry] = sentTo(to).filter(({ accepted }) => accepted);
  return { id: entry?.id ?? "", opaque: entry?.opaque ?? "" };
};

const order = (to: string) => ({
  messaging_product: "whatsapp",
  to: to.slice(1),
  type: "template",
  template: ORDER_READY,
  biz_opaque_callback_data: `order-of-${to}`,
});
const post = (of: Sender, body: object, key?: string) =>
  of.call("POST", ofNumber(of, "/messages"), { body, headers: key === undefined ? {} : { "idempotency-key": key } });

/** Sends, and returns the id that was answered while the provider had not said its own. */
async function minted(of: Sender, to: string, key?: string): Promise<string> {
  const begun = performance.now();
  const { status, body, text } = await post(of, order(to), key);
  expect([status, text]).toEqual([200, expect.stringContaining('"message_status":"accepted"')]);
  expect(performance.now() - begun).toBeLessThan(ANSWERED_WITHIN_MS);
  const [{ id }] = body.messages;
  expect(id).toMatch(/^wamid\.[A-Za-z0-9]{50,}$/);
  expect(sentTo(to).map((entry) => entry.id)).not.toContain(id);
  return id;
}

const messagesOf = async (of: Sender, id: string) =>
  (await of.call("GET", `/v1/messages?provider_message_id=${encodeURIComponent(id)}`)).body.data;
const tell = async (value: object, of = mine) =>
  expect((await postCallback(gateway, callbackOf(of.account, value))).status).toBe(200);
/** Statuses about the person that the receiver has got, each `id status value`. */
const statuses = (to: string): string[] =>
  receiver.received
    .flatMap(({ body }) => body.entry[0].changes[0].value.statuses ?? [])
    .filter(({ recipient_id: digits }) => digits === to.slice(1))
    .map((one) => `${one.id} ${one.status} ${one.biz_opaque_callback_data}`);

/** The provider reports with the id that is its own. */
const report = async (status: string, { id, opaque, to }: { id: string; opaque: string; to: string }, of = mine) =>
  await tell(
    statusOf(id, status, gateway.clock.now(), { recipient_id: to.slice(1), biz_opaque_callback_data: opaque }),
    of,
  );

/** The receiver gets the id that was answered, and the client's own value; both ids find the message. */
async function reportedUnder(publicId: string, to: string, of = mine): Promise<void> {
  const sent = { ...(await arrival(to)), to };
  const expected: string[] = [];
  for (const status of ["sent", "delivered"]) {
    await report(status, sent, of);
    expected.push(`${publicId} ${status} order-of-${to}`);
    await expect.poll(() => statuses(to), PATIENCE).toEqual(expected);
  }
  const [found] = await messagesOf(of, publicId);
  expect(found).toMatchObject({ to, status: "delivered", provider_message_id: sent.id });
  expect(await messagesOf(of, sent.id)).toEqual([found]);
}

describe("an id is answered within FRONT_WAIT, and reported from then on", () => {
  test.each([
    ["the provider's answer is lost", { kind: "reset", accept: true }],
    ["the provider needs 30 s", { kind: "delay", delayMs: 30_000 }],
    ["the provider answers late", { kind: "delay", delayMs: 1_500 }],
  ] as const)("when %s", async (_when, fault) => {
    const to = person();
    gateway.simulator.addFault({ ...fault, recipient: to });
    const publicId = await minted(mine, to);
    expect(publicId).toMatch(/^wamid\./);
    await reportedUnder(publicId, to);
  });

  test("when the number is paused, for those that wait behind it too", async () => {
    const [first, second] = [person(), person()];
    const fault = { kind: "refuse", code: 130429, phone_number_id: theirs.account.providerPhoneNumberId } as const;
    gateway.simulator.addFault({ ...fault, count: null });
    const ids = [await minted(theirs, first), await minted(theirs, second)];
    gateway.simulator.clearFaults();
    await expect
      .poll(
        () => {
          gateway.clock.advance(10_000);
          return [first, second].map((to) => sentTo(to).filter(({ accepted }) => accepted).length);
        },
        { ...PATIENCE, interval: 200 },
      )
      .toEqual([1, 1]);
    await reportedUnder(ids[0] ?? "", first, theirs);
    await reportedUnder(ids[1] ?? "", second, theirs);
  });

  test("and it names the message: in a quote, a reaction, a receipt, and in what the person writes", async () => {
    const to = person();
    await mine.inbound(to);
    gateway.simulator.addFault({ kind: "reset", accept: true, recipient: to });
    const publicId = await minted(mine, to);
    const { id, opaque } = await arrival(to);
    await report("sent", { id, opaque, to });
    const [message] = await messagesOf(mine, publicId);

    const named = { message_id: publicId };
    const quote = await post(mine, textTo(to, { context: named }));
    const [quoting] = await messagesOf(mine, quote.body.messages[0].id);
    expect(quoting).toMatchObject({ type: "text", reply_to: message.id });
    const reacting = textTo(to, { type: "reaction", reaction: { ...named, emoji: "👍" } });
    expect((await post(mine, reacting)).status).toBe(200);
    await expect.poll(() => sentTo(to).length, PATIENCE).toBe(3);
    // The provider knows it by its own.
    const requests = sentTo(to).map(({ request }) => request as Record<string, unknown>);
    expect(requests).toContainEqual(expect.objectContaining({ context: { message_id: id } }));
    expect(requests).toContainEqual(expect.objectContaining({ reaction: { message_id: id, emoji: "👍" } }));

    // It is found, and is none that could be marked as read; to another workspace it is unknown.
    const read = { messaging_product: "whatsapp", status: "read", ...named };
    expectGraphError(await post(mine, read), 400, 100);
    expectGraphError(await post(theirs, read), 400, 100, 33);

    const value = textFrom(to.slice(1), `wamid.quoting.${to}`, "Thanks", gateway.clock.now()) as { messages: [object] };
    await tell({ ...value, messages: [{ ...value.messages[0], context: { id } }] });
    const quoted = () =>
      receiver.received
        .flatMap(({ body }) => body.entry[0].changes[0].value.messages ?? [])
        .find((one) => one.id === `wamid.quoting.${to}`)?.context.id;
    await expect.poll(quoted, PATIENCE).toBe(publicId);
  });
});

describe(`${TWINS} requests with one key at once`, () => {
  test.each([
    ["are one send, and have one answer", null],
    ["have one id where it is ours", { kind: "delay", delayMs: 5_000 }],
    ["have one id where the answer is lost", { kind: "reset", accept: true }],
  ] as const)("%s", async (_what, fault) => {
    const to = person();
    if (fault !== null) gateway.simulator.addFault({ ...fault, recipient: to });
    const replies = await Promise.all(Array.from({ length: TWINS }, () => post(mine, order(to), `twins-${to}`)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const [first] = replies;
    expect(new Set(replies.map(({ text }) => text))).toEqual(new Set([first?.text]));
    expect(replies.filter(({ headers }) => headers["idempotent-replayed"] === "true")).toHaveLength(TWINS - 1);
    await reportedUnder(first?.body.messages[0].id, to);
    expect((await post(mine, order(to), `twins-${to}`)).text).toBe(first?.text);
    expect(sentTo(to)).toHaveLength(1);
  });
});

describe("while the database is away", () => {
  const mended = async (): Promise<void> => {
    gateway.databaseProxy.mend();
    await expect.poll(async () => (await mine.call("GET", "/v1/messages?limit=1")).status, PATIENCE).toBe(200);
  };
  /** The answer in the end, of a client that repeats what is transient. */
  const repeated = async (to: string) => {
    await expect.poll(async () => (await post(mine, order(to), `away-${to}`)).status, PATIENCE).toBe(200);
    return (await post(mine, order(to), `away-${to}`)).body.messages[0].id as string;
  };

  test("a send that was not begun may be repeated: 503, with a key and without", async () => {
    const [to, other] = [person(), person()];
    gateway.databaseProxy.cut();
    const replies = await Promise.all([post(mine, order(to), `away-${to}`), post(mine, order(other))]);
    await mended();
    for (const reply of replies) {
      expectGraphError(reply, 503, 2);
      expect(reply.body.error.is_transient).toBe(true);
    }
    await reportedUnder(await repeated(to), to);
    expect(sentTo(other)).toEqual([]);
  });

  test.each([
    ["accept_messages", "committed, and its answer is lost", true],
    ["accept_messages", "committed, and its answer is lost", false],
    ["decide_public_ids", "named, and its id is not known", true],
    ["decide_public_ids", "named, and its id is not known", false],
  ] as const)("%s: a send that was %s may be repeated with a key alone (%s)", async (call, _what, isKeyed) => {
    const to = person();
    gateway.simulator.addFault({ kind: "delay", delayMs: 3_000, recipient: to });
    const caught = gateway.databaseProxy.hold(call, "answer");
    const posting = post(mine, order(to), isKeyed ? `away-${to}` : undefined);
    const held = await caught;
    gateway.databaseProxy.cut();
    held.cut();
    const reply = await posting;
    await mended();
    expectGraphError(reply, isKeyed ? 503 : 500, isKeyed ? 2 : 1);
    expect(reply.body.error.is_transient).toBe(isKeyed);
    if (isKeyed) await reportedUnder(await repeated(to), to);
    await arrival(to);
    expect(sentTo(to)).toHaveLength(1);
  });
});
