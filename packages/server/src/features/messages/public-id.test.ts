import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../lib/duration.ts";
import { formatId, parseId } from "../../lib/ids.ts";
import { callbackOf, postCallback, statusOf } from "../../testing/callback.ts";
import { retain } from "../retention/retention.ts";
import { SettledWaiters } from "./accept/settled-waiters.ts";
import { findMessageByPublicId, newMintedId, PublicIds } from "./public-id.ts";
import { secondProcess } from "./testing/second-process.ts";
import { keyed, person, startSenders } from "./testing/senders.ts";

const { gateway, mine, theirs, sentTo } = await startSenders();
const { sending } = gateway.features.services;

let other: Awaited<ReturnType<typeof secondProcess>>;
let others: PublicIds;
beforeAll(async () => {
  other = await secondProcess(gateway);
  others = new PublicIds(other.app);
});
afterAll(() => other.stop());

const uuidOf = (id: string): string => parseId("msg", id) ?? "";
const decide = (id: string, of = mine) => sending.decidePublicId(of.uuid, uuidOf(id));
const find = (publicId: string, of = mine) =>
  gateway.app.db.read(of.uuid, (sql) => findMessageByPublicId(sql, of.uuid, publicId));
const listed = async (publicId: string, of = mine): Promise<string[]> =>
  (await of.call("GET", `/v1/messages?provider_message_id=${encodeURIComponent(publicId)}`)).body.data.map(
    (message: { id: string }) => message.id,
  );

/** A message that waits for its time, so that the provider knows nothing of it yet; `go` sends it. */
async function waiting(more: object = {}) {
  const to = person();
  const send_at = new Date(gateway.clock.now() + HOUR_MS).toISOString();
  const { status, body } = await mine.send(to, { ...more, send_at });
  expect(status).toBe(202);
  return { to, id: body.id as string, go: () => gateway.clock.advance(HOUR_MS + 1_000) };
}

describe("the public id", () => {
  it("is the provider's where that is known, and nothing is minted", async () => {
    const { body } = await mine.send(person());
    const { provider_message_id } = await mine.becomes(body.id, "accepted");
    expect(await decide(body.id)).toEqual({ publicId: provider_message_id, minted: false, ended: null });
    expect(await mine.rows("select from message_state where minted_id is not null")).toEqual([]);
  });

  it("is minted where the provider's is not, and stays when that comes: both find the message", async () => {
    const { to, id, go } = await waiting();
    const first = await decide(id);
    expect(first).toEqual({ publicId: expect.stringMatching(/^wamid\.[0-9A-Za-z]{56}$/), minted: true, ended: null });
    const said = Buffer.from(first.publicId.slice(6), "base64").toString("latin1");
    for (const text of [first.publicId, said]) expect(text).not.toContain(to.slice(-7));
    go();
    const message = await mine.becomes(id, "accepted");
    expect(message.provider_message_id).toBe(sentTo(to)[0]?.id);
    expect(await decide(id)).toEqual(first);
    expect(await others.decide(mine.uuid, uuidOf(id))).toEqual(first);
    for (const name of [first.publicId, message.provider_message_id]) {
      expect(await listed(name)).toEqual([id]);
      expect(await find(name)).toEqual({
        messageId: uuidOf(id),
        direction: "outbound",
        phoneNumberId: parseId("num", mine.phoneNumberId),
        contactId: parseId("con", message.contact_id),
        providerMessageId: message.provider_message_id,
      });
    }
    expect((await mine.call("GET", `/v1/messages/${id}`)).body.provider_message_id).toBe(message.provider_message_id);
  });

  it("of another workspace is as unknown as one of none, and cannot be minted by it", async () => {
    const { id } = await waiting();
    const { publicId } = await decide(id);
    expect([await find(publicId, theirs), await find(newMintedId(), theirs)]).toEqual([null, null]);
    expect(await listed(publicId, theirs)).toEqual([]);
    await decide(id, theirs);
    expect((await decide(id)).publicId).toBe(publicId);
    for (const text of ["", "wamid.\0", "é", "x".repeat(257)]) expect(await find(text)).toBeNull();
  });

  it("of a message that came in is the provider's", async () => {
    const from = person();
    const { id } = await mine.inbound(from);
    const { provider_message_id } = (await mine.call("GET", `/v1/messages/${id}`)).body;
    expect(await find(provider_message_id)).toMatchObject({ messageId: uuidOf(id), direction: "inbound" });
  });

  it("is one for all who ask at once, in two processes, while outcomes are stored", async () => {
    const { body: batch } = await mine.call("POST", "/v1/messages/batch", {
      body: {
        messages: Array.from({ length: 40 }, () => ({
          to: person(),
          type: "template",
          template: { name: "order_ready", language: { code: "en_US" } },
        })),
      },
    });
    const ids = batch.data.map((row: { message: { id: string } }) => row.message.id) as string[];
    expect(ids).toHaveLength(40);
    // Askers come in some turns of the event loop one after the other, so that outcomes are stored before, between and after them.
    const answers = await Promise.all(
      ids.map(async (id, n) => {
        for (let turn = 0; turn < n * 4; turn++) await new Promise((resolve) => setImmediate(resolve));
        return await Promise.all([decide(id), others.decide(mine.uuid, uuidOf(id)), decide(id)]);
      }),
    );
    for (const [n, id] of ids.entries()) {
      const { provider_message_id } = await mine.becomes(id, "accepted");
      const [one, ...same] = answers[n] ?? [];
      expect(same).toEqual([one, one]);
      expect(one?.minted).toBe(one?.publicId !== provider_message_id);
      expect(await decide(id)).toEqual(one);
      expect(await others.decide(mine.uuid, uuidOf(id))).toEqual(one);
    }
  });

  it("is the provider's where a status came before the answer", async () => {
    const to = person();
    gateway.simulator.addFault({ kind: "reset", accept: true, recipient: to });
    const { body } = await mine.send(to);
    await mine.becomes(body.id, "unknown");
    const [sent] = sentTo(to);
    const opaque = { biz_opaque_callback_data: sent?.opaque };
    const status = statusOf(sent?.id ?? "", "delivered", gateway.clock.now(), opaque);
    expect((await postCallback(gateway, callbackOf(mine.account, status))).status).toBe(200);
    await mine.becomes(body.id, "delivered");
    expect(await decide(body.id)).toEqual({ publicId: sent?.id, minted: false, ended: null });
  });

  it("of a message that the provider refused is ours, with the reason", async () => {
    const to = person();
    gateway.simulator.addFault({ kind: "refuse", code: 131_026, recipient: to });
    const { body } = await mine.send(to);
    await mine.becomes(body.id, "failed");
    expect(await decide(body.id)).toMatchObject({
      publicId: body.id,
      minted: false,
      ended: { error: { code: "recipient_unreachable", provider: { code: 131_026 } } },
    });
    const { id } = await waiting();
    expect((await mine.call("POST", `/v1/messages/${id}/cancel`)).status).toBe(200);
    expect(await decide(id)).toEqual({ publicId: id, minted: false, ended: { error: null } });
  });
});

describe("a caller that needs the id", () => {
  const ctx = (seconds: number, key: Parameters<typeof sending.sendAndWait>[0]["key"] = null) => ({
    workspaceId: mine.uuid,
    actor: { type: "system" as const, id: null, name: null, scopes: [], phoneNumberIds: null },
    requestId: "req",
    now: gateway.clock.now(),
    key,
    audit: null,
    wait: { seconds, signal: new AbortController().signal },
  });
  const body = (to: string) => ({
    to,
    type: "template" as const,
    template: { name: "order_ready", language: { code: "en_US" } },
  });

  it("gets it with the outcome, also of a send that another process makes", async () => {
    const to = person();
    const { sent, messageId, outcome } = await sending.sendAndWait(ctx(30), body(to));
    expect(formatId("msg", messageId)).toBe(sent.message.id);
    expect(outcome).toEqual({ kind: "named", publicId: sentTo(to)[0]?.id });
    const waiters = new SettledWaiters(other.app);
    const of = { workspaceId: mine.uuid, id: messageId, needs: "name" } as const;
    expect(await waiters.settled(of, 30_000, new AbortController().signal)).toEqual(outcome);
  });

  it("gets the refusal, or that the answer was lost", async () => {
    const [refused, lost] = [person(), person()];
    gateway.simulator.addFault({ kind: "refuse", code: 131_026, recipient: refused });
    gateway.simulator.addFault({ kind: "reset", accept: true, recipient: lost });
    const of = async (to: string) => (await sending.sendAndWait(ctx(30), body(to))).outcome;
    expect(await of(refused)).toMatchObject({ kind: "refused", error: { provider: { code: 131_026 } } });
    expect(await of(lost)).toEqual({ kind: "lost" });
  });

  it("gets what another one was answered, before the provider has answered", async () => {
    const { id, go } = await waiting();
    const of = { workspaceId: mine.uuid, id: uuidOf(id) };
    const signal = new AbortController().signal;
    const named = [sending.waiters, new SettledWaiters(other.app)].map((waiters) =>
      waiters.settled({ ...of, needs: "name" }, HOUR_MS, signal),
    );
    const settled = sending.waiters.settled(of, 2 * HOUR_MS, signal);
    const { publicId } = await decide(id);
    expect(await Promise.all(named)).toEqual([1, 2].map(() => ({ kind: "named", publicId })));
    let isSettled = false;
    void settled.then(() => (isSettled = true));
    expect(isSettled).toBe(false);
    go();
    expect(await settled).toEqual({ kind: "named", publicId });
  });

  it("waits no longer than it says", async () => {
    const { id } = await waiting();
    const of = { workspaceId: mine.uuid, id: uuidOf(id), needs: "name" } as const;
    const late = sending.waiters.settled(of, 5_000, new AbortController().signal);
    gateway.clock.advance(5_001);
    expect(await late).toBeNull();
    const gone = new AbortController();
    gone.abort();
    expect(await sending.waiters.settled(of, 5_000, gone.signal)).toBeNull();
  });
});

describe("a minted id", () => {
  it("goes with its message, and finds no person who was erased", async () => {
    const { id, go } = await waiting();
    const { publicId } = await decide(id);
    go();
    const { contact_id } = await mine.becomes(id, "accepted");
    expect((await mine.call("DELETE", `/v1/contacts/${contact_id}`)).status).toBe(204);
    expect([await find(publicId), await listed(publicId)]).toEqual([null, []]);
    expect((await decide(id)).publicId).toBe(publicId);
    const rows = () => mine.rows("select from provider_message where provider_message_id = $1", [publicId]);
    expect(await rows()).toHaveLength(1);
    await retain(gateway.app);
    expect(await rows()).toHaveLength(1);
  });

  it("is not in the first answer, nor in its repetition", async () => {
    const headers = keyed("minted-1");
    const to = person();
    const send_at = new Date(gateway.clock.now() + HOUR_MS).toISOString();
    const first = await mine.send(to, { send_at }, headers);
    await decide(first.body.id);
    const again = await mine.send(to, { send_at }, headers);
    expect(again.text).toBe(first.text);
    expect(again.body.provider_message_id).toBeNull();
  });
});
