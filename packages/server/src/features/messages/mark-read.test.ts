import { describe, expect, it } from "vitest";
import { callbackOf, postCallback, textFrom } from "../../testing/callback.ts";
import type { Sender } from "../../testing/gateway.ts";
import { PATIENCE, peopleOf } from "../identity/testing/people.ts";
import { keyed, person, startSenders } from "./testing/senders.ts";

const { gateway, mine, theirs } = await startSenders();

const read = (id: string, body?: object, headers = {}, of: Sender = mine) =>
  of.call("POST", `/v1/messages/${id}/read`, body === undefined ? { headers } : { body, headers });
/** The receipts that the simulator got for a message. */
const receipts = (wamid: string): object[] =>
  gateway.simulator
    .sent()
    .data.map(({ request }) => request as { status?: string; message_id?: string })
    .filter(({ status, message_id }) => status === "read" && message_id === wamid);
const unread = async (contactId: string): Promise<number> =>
  (await mine.call("GET", `/v1/conversations?contact_id=${contactId}`)).body.data[0].unread_count;

/** Two messages of a new person. */
async function written() {
  const from = person();
  const first = await mine.inbound(from);
  await mine.inbound(from);
  const { data } = (await mine.call("GET", `/v1/conversations/${first.contact_id}/messages`)).body;
  const [later, earlier] = data as { id: string; contact_id: string; provider_message_id: string }[];
  if (!later || !earlier) throw new Error("two messages were written");
  return { from, later, earlier };
}

describe("POST /v1/messages/{id}/read", () => {
  it("tells the provider, and counts what is unread from there on", async () => {
    const { from, earlier, later } = await written();
    expect(await unread(later.contact_id)).toBe(2);
    const { status, body } = await read(earlier.id);
    expect(status).toBe(200);
    const { history, ...shown } = (await mine.call("GET", `/v1/messages/${earlier.id}`)).body;
    expect([body, history]).toEqual([shown, []]);
    expect(receipts(earlier.provider_message_id)).toEqual([
      { messaging_product: "whatsapp", status: "read", message_id: earlier.provider_message_id },
    ]);
    expect(await unread(later.contact_id)).toBe(1);
    await read(later.id);
    expect(await unread(later.contact_id)).toBe(0);
    await mine.inbound(from);
    await expect.poll(() => unread(later.contact_id)).toBe(1);
  });

  it("with typing also shows that a reply is being written, each time", async () => {
    const { later } = await written();
    for (let i = 0; i < 2; i++) expect((await read(later.id, { typing: true })).status).toBe(200);
    const shown = { status: "read", typing_indicator: { type: "text" } };
    expect(receipts(later.provider_message_id)).toMatchObject([shown, shown]);
  });

  it("is asked of the provider once, and a later message stays the mark", async () => {
    const { earlier, later } = await written();
    for (const id of [later.id, later.id, earlier.id]) expect((await read(id, {})).status).toBe(200);
    expect(receipts(later.provider_message_id)).toHaveLength(1);
    expect(receipts(earlier.provider_message_id)).toEqual([]);
    expect(await unread(later.contact_id)).toBe(0);
  });

  it("replays the answer of a key without asking again", async () => {
    const { later } = await written();
    const first = await read(later.id, { typing: true }, keyed("read"));
    const again = await read(later.id, { typing: true }, keyed("read"));
    expect(again.body).toEqual(first.body);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(receipts(later.provider_message_id)).toHaveLength(1);
  });

  it("leaves an audit row", async () => {
    const { later } = await written();
    await read(later.id, { typing: true });
    const { data } = (await mine.call("GET", "/v1/audit/activity?action=message.mark_read")).body;
    expect(data[0]).toMatchObject({ resource: { type: "message", id: later.id }, changes: { typing: true } });
  });

  it("is 422 with the provider's error when it refuses, 502 when there is no answer; both change nothing", async () => {
    const { from, later } = await written();
    gateway.simulator.addFault({ kind: "refuse", code: 131009, recipient: from });
    const refused = await read(later.id);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ code: "provider_rejected", provider: { code: 131009 } });
    for (const kind of ["reset", "html"] as const) {
      gateway.simulator.addFault({ kind, recipient: from });
      const lost = await read(later.id);
      expect(lost.status).toBe(502);
      expect(lost.body).toMatchObject({ code: "provider_unavailable", retryable: true });
    }
    gateway.simulator.addFault({ kind: "refuse", code: 130429, recipient: from });
    expect((await read(later.id)).status).toBe(502);
    expect(await unread(later.contact_id)).toBe(2);
    expect((await read(later.id)).status).toBe(200);
    expect(await unread(later.contact_id)).toBe(0);
  });

  it("is 502 when the provider does not answer in time", async () => {
    const { from, later } = await written();
    gateway.simulator.addFault({ kind: "hang", recipient: from });
    const answer = read(later.id);
    await expect.poll(() => receipts(later.provider_message_id).length, PATIENCE).toBe(1);
    gateway.clock.advance(8_000);
    expect((await answer).status).toBe(502);
  });

  it("is 409 for a message of your own, and 404 for one of another workspace, of none and of another kind", async () => {
    const sent = (await mine.send(person())).body;
    expect(await read(sent.id)).toMatchObject({ status: 409, body: { code: "conflict" } });
    const { later } = await written();
    expect((await read(later.id, {}, {}, theirs)).status).toBe(404);
    expect((await read("msg_01jd0000000000000000000000")).status).toBe(404);
    expect((await read(sent.contact_id)).status).toBe(404);
    expect(await unread(later.contact_id)).toBe(2);
  });

  it.each([{ typing: "yes" }, { typing: null }, { text: true }])("refuses %j", async (body) => {
    const { later } = await written();
    expect((await read(later.id, body)).status).toBe(400);
  });

  it("needs a connected account", async () => {
    const left = await gateway.sender();
    await postCallback(
      gateway,
      callbackOf(left.account, textFrom("15552009999", "wamid.left", "Hi", gateway.clock.now())),
    );
    const { id } = (await left.call("GET", "/v1/messages")).body.data[0];
    const [account] = (await left.call("GET", "/v1/business-accounts")).body.data;
    await left.call("DELETE", `/v1/business-accounts/${account.id}`);
    await expect.poll(async () => (await read(id, {}, {}, left)).body.code, PATIENCE).toBe("sender_unavailable");
  });

  it("holds over a merge: what was read of either record stays read", async () => {
    const { get } = peopleOf(gateway, mine);
    const heard = await mine.inbound("+5491112340031");
    expect((await read(heard.id)).status).toBe(200);
    const sent = (await mine.send("+541112340031")).body;
    await expect.poll(async () => (await get(sent.contact_id)).id, PATIENCE).toBe(heard.contact_id);
    expect(await unread(sent.contact_id)).toBe(0);
    await mine.inbound("+5491112340031", "Again");
    await expect.poll(() => unread(heard.contact_id)).toBe(1);
  });
});
