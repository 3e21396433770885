import { describe, expect, it } from "vitest";
import { formatId, newUuid } from "../../lib/ids.ts";
import { pageOf } from "./message.ts";
import { EVERYTHING } from "./testing/message-filter.ts";
import { startSenders } from "./testing/senders.ts";

const { gateway, mine, theirs } = await startSenders();

type Listed = { id: string; to: string | null };
const list = async (query: string, of = mine): Promise<Listed[]> => {
  const reply = await of.call("GET", `/v1/messages?limit=100${query}`);
  expect([query, reply.status]).toEqual([query, 200]);
  return reply.body.data;
};
const ids = async (query: string, of = mine) => (await list(query, of)).map(({ id }) => id);

describe("the list", () => {
  it("filters by each field, alone and together, within the workspace", async () => {
    const before = new Date(gateway.clock.now() - 1).toISOString();
    const first = (await mine.send("+15555000001", { reference: "ref-1" })).body;
    await mine.becomes(first.id, "accepted");
    const failed = (await mine.send("+12025550116")).body;
    const { error } = await mine.becomes(failed.id, "failed");
    const inbound = await mine.inbound("+15555000003", "Hello");
    gateway.clock.advance(1_000);
    const between = new Date(gateway.clock.now()).toISOString();
    gateway.clock.advance(1_000);
    const reply = await mine.call("POST", "/v1/messages", {
      body: { to: "+15555000003", type: "text", text: { body: "Hi" }, reference: "ref-1" },
    });
    const text = reply.body;
    await mine.becomes(text.id, "accepted");
    const foreign = (await theirs.send("+15555000001", { reference: "ref-1" })).body;
    const providerId = async (of: typeof mine, { id }: { id: string }) =>
      encodeURIComponent((await of.becomes(id, "accepted")).provider_message_id ?? "");
    const [own, other] = [await providerId(mine, first), await providerId(theirs, foreign)];
    const { provider_message_id: heard } = (await mine.call("GET", `/v1/messages/${inbound.id}`)).body;
    const encoded = encodeURIComponent;
    expect(await ids("")).toEqual([text.id, inbound.id, failed.id, first.id]);
    for (const [query, expected] of [
      ["&direction=inbound", [inbound.id]],
      ["&direction=outbound", [text.id, failed.id, first.id]],
      ["&status=accepted", [text.id, first.id]],
      ["&status=failed", [failed.id]],
      ["&status=received", [inbound.id]],
      ["&status=queued", []],
      ["&status=scheduled", []],
      ["&status=read", []],
      ["&type=text", [text.id, inbound.id]],
      ["&type=template&status=accepted", [first.id]],
      [`&to=${encoded("+15555000001")}`, [first.id]],
      [`&to=${encoded(mine.account.phone)}`, [inbound.id]],
      [`&from=${encoded("+15555000003")}`, [inbound.id]],
      [`&from=${encoded(mine.account.phone)}`, [text.id, failed.id, first.id]],
      [`&contact_id=${text.contact_id}`, [text.id, inbound.id]],
      ["&template=order_ready", [failed.id, first.id]],
      ["&template=order", []],
      ["&reference=ref-1", [text.id, first.id]],
      [`&provider_message_id=${own}`, [first.id]],
      [`&provider_message_id=${own}&direction=inbound`, []],
      [`&provider_message_id=${encoded(heard)}`, [inbound.id]],
      [`&provider_message_id=${other}`, []],
      ["&provider_message_id=wamid.none", []],
      [`&error_code=${error.code}`, [failed.id]],
      [`&error_code=${error.code}&status=failed&direction=outbound`, [failed.id]],
      [`&error_code=${error.code}&status=accepted`, []],
      [`&error_code=${error.code}&created_before=${before}`, []],
      ["&error_code=window_closed", []],
      ["&error_code=nothing", []],
      [`&contact_id=${foreign.contact_id}`, []],
      ["&contact_id=con_01jd0000000000000000000000", []],
      [`&created_after=${between}`, [text.id]],
      [`&created_before=${between}&direction=outbound`, [failed.id, first.id]],
      [`&created_after=${before}&created_before=${before}`, []],
    ] as const) {
      expect([query, await ids(query)]).toEqual([query, expected]);
    }
  });

  it("pages through those with an error, while more come, and finds none by an id of an erased person's message", async () => {
    const many = await gateway.sender();
    const fail = async (): Promise<string> => {
      gateway.simulator.addFault({ kind: "refuse", code: 131026, recipient: "+15555000046" });
      return (await many.becomes((await many.send("+15555000046")).body.id, "failed")).id;
    };
    const failed = [await fail(), await fail(), await fail()].toReversed();
    const page = async (cursor: string) =>
      (await many.call("GET", `/v1/messages?error_code=recipient_unreachable&limit=2${cursor}`)).body;
    const first = await page("");
    await fail();
    const second = await page(`&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(failed);
    expect(second.next_cursor).toBe(null);
    const { id, contact_id } = (await many.send("+15555000044")).body;
    const { provider_message_id } = await many.becomes(id, "accepted");
    const found = async () => {
      const query = `provider_message_id=${encodeURIComponent(provider_message_id ?? "")}`;
      return (await many.call("GET", `/v1/messages?${query}`)).body.data.map((one: Listed) => one.id);
    };
    expect(await found()).toEqual([id]);
    await many.call("DELETE", `/v1/contacts/${contact_id}`);
    expect(await found()).toEqual([]);
  });

  it("has the messages of a template, also those of which it was the fallback that was sent", async () => {
    const many = await gateway.sender();
    const withFallback = async (to: string, name: string) =>
      (
        await many.call("POST", "/v1/messages", {
          body: {
            to,
            type: "text",
            text: { body: "Hi" },
            fallback: { template: { name, language: { code: "en_US" } } },
          },
        })
      ).body;
    const template = (await many.send("+15555000041")).body;
    const replaced = await withFallback("+15555000042", "order_ready");
    const other = await withFallback("+15555000042", "promo_spring");
    await many.inbound("+15555000043");
    const unused = await withFallback("+15555000043", "order_ready");
    for (const { id } of [template, replaced, other, unused]) await many.becomes(id, "accepted");
    const listed = async (query: string) =>
      (await many.call("GET", `/v1/messages?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await listed("template=order_ready")).toEqual([replaced.id, template.id]);
    expect(await listed("template=order_ready&type=text")).toEqual([replaced.id]);
    expect(await listed("template=order_ready&limit=1")).toEqual([replaced.id]);
    expect(await listed("template=promo_spring&status=accepted")).toEqual([other.id]);
    expect(await listed("template=order_ready&status=failed")).toEqual([]);
  });

  it("has what waits to be sent by the status that each message shows", async () => {
    const waiting = await gateway.sender();
    const listed = async (status: string): Promise<string[]> => {
      const { body } = await waiting.call("GET", `/v1/messages?status=${status}`);
      return body.data.map(({ id, status: shown }: { id: string; status: string }) => `${shown} ${id}`);
    };
    const later = new Date(gateway.clock.now() + 3_600_000).toISOString();
    const { id: scheduled } = (await waiting.send("+15555000021", { send_at: later })).body;
    const to = "+15555000022";
    gateway.simulator.addFault({ kind: "hang", recipient: to });
    const { id: sending } = (await waiting.send(to)).body;
    await waiting.becomes(sending, "sending");
    const { id: queued } = (await waiting.send(to)).body;
    for (const [status, id] of Object.entries({ scheduled, sending, queued }))
      expect(await listed(status)).toEqual([`${status} ${id}`]);
    // Its time has come: it is being sent, although it was scheduled.
    gateway.simulator.addFault({ kind: "hang", recipient: "+15555000021" });
    gateway.clock.advance(3_600_000);
    await waiting.becomes(scheduled, "sending");
    expect(await listed("sending")).toContain(`sending ${scheduled}`);
    expect(await listed("scheduled")).toEqual([]);
    await waiting.call("POST", `/v1/messages/${queued}/cancel`);
  });

  it("says that a scheduled message waits in the queue once its time has come", async () => {
    const waiting = await gateway.sender();
    const to = "+15555000022";
    gateway.simulator.addFault({ kind: "hang", recipient: to });
    const { id: first } = (await waiting.send(to)).body;
    await waiting.becomes(first, "sending");
    const key = { "x-idempotency-key": "its-time" };
    const more = { send_at: new Date(gateway.clock.now() + 60_000).toISOString() };
    const accepted = await waiting.send(to, more, key);
    const { id } = accepted.body;
    const shown = async () => [
      (await waiting.call("GET", `/v1/messages/${id}`)).body.status,
      (await waiting.call("GET", "/v1/conversations")).body.data[0].last_message.status,
      ...(await Promise.all(
        ["scheduled", "queued"].map(async (status) => {
          const { data } = (await waiting.call("GET", `/v1/messages?status=${status}`)).body;
          return data.map((message: { id: string; status: string }) => `${message.status} ${message.id}`);
        }),
      )),
    ];
    expect(await shown()).toEqual(["scheduled", "scheduled", [`scheduled ${id}`], []]);
    // It waits behind the first one, whose answer is not there.
    gateway.clock.advance(60_000);
    expect(await shown()).toEqual(["queued", "queued", [], [`queued ${id}`]]);
    expect((await waiting.send(to, more, key)).text).toBe(accepted.text);
    expect((await waiting.call("POST", `/v1/messages/${id}/cancel`)).body.status).toBe("canceled");
  });

  it("looks through a part of it where few messages match, and goes on there", async () => {
    const many = await gateway.sender();
    const sent: string[] = [];
    for (const reference of [null, "x", "x", "x", "x", null])
      sent.unshift((await many.send("+15555000031", reference === null ? {} : { reference })).body.id);
    const search = (type: string, before: string | null, pieces: number[]) =>
      gateway.app.db.read(many.uuid, (sql) =>
        pageOf(
          { sql, workspaceId: many.uuid, now: gateway.clock.now() },
          { ...EVERYTHING, type, before },
          { limit: 2, before, fetch: 3 },
          pieces,
        ),
      );
    const first = await search("text", null, [2, 2]);
    expect(first.data).toEqual([]);
    expect(formatId("msg", first.next_cursor ?? "")).toBe(sent[3]);
    expect(await search("text", first.next_cursor, [2, 2])).toEqual({ data: [], next_cursor: null });
    const found = await search("template", null, [2, 2]);
    expect(found.data.map(({ id }) => id)).toEqual(sent.slice(0, 2));
    expect(formatId("msg", found.next_cursor ?? "")).toBe(sent[1]);
  });

  it("is empty, not an error, for a filter with an id that does not exist here", async () => {
    const foreign = (await theirs.send("+15555000009")).body.contact_id;
    for (const id of [foreign, formatId("con", newUuid(1)), "msg_01jd0000000000000000000000", "nonsense"])
      expect(await ids(`&contact_id=${id}`)).toEqual([]);
  });

  it("is 400 for an invalid parameter, with its name", async () => {
    for (const [query, pointer] of [
      ["limit=0", "?limit"],
      ["limit=101", "?limit"],
      ["cursor=x", "?cursor"],
      ["status=lost", "?status"],
      ["direction=up", "?direction"],
      ["created_after=yesterday", "?created_after"],
      ["created_before=2026-02-30T00:00:00Z", "?created_before"],
      ["since=1", "?since"],
    ]) {
      const reply = await mine.call("GET", `/v1/messages?${query}`);
      expect([query, reply.status, reply.body.code]).toEqual([query, 400, "invalid_request"]);
      expect([query, reply.body.errors[0].pointer]).toEqual([query, pointer]);
    }
  });

  it("has pages, newest first, that are stable while rows arrive; a cursor works in its workspace alone", async () => {
    const two = await gateway.sender();
    const sent: string[] = [];
    for (let i = 0; i < 7; i++) sent.unshift((await two.send(`+155560000${10 + i}`)).body.id);
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const { body } = await two.call("GET", `/v1/messages?limit=3${cursor}`);
      seen.push(...body.data.map(({ id }: Listed) => id));
      await two.send("+15556000099");
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
      const other = await mine.call("GET", `/v1/messages?limit=100${cursor}`);
      expect([other.status, other.body.errors?.[0]?.pointer]).toEqual([400, "?cursor"]);
    }
    expect(seen).toEqual(sent);
  });

  it("has 25 messages by default", async () => {
    const two = await gateway.sender();
    await Promise.all(Array.from({ length: 26 }, (_, i) => two.send(`+155570000${10 + i}`)));
    const { body } = await two.call("GET", "/v1/messages");
    expect([body.data.length, typeof body.next_cursor]).toEqual([25, "string"]);
  });
});

describe("one message", () => {
  it("shows its history, each status once, in the order of arrival", async () => {
    gateway.simulator.setDelays({ statuses: true, sentMs: 1, deliveredMs: 1, readMs: 1 });
    const { body } = await mine.send("+15555000020");
    const look = async () => (await mine.call("GET", `/v1/messages/${body.id}`)).body;
    // The statuses may come before the answer to the send is stored.
    await expect.poll(async () => (await look()).history.length).toBe(4);
    await gateway.simulator.idle();
    gateway.simulator.setDelays({ statuses: false });
    const { history, ...read } = await look();
    const time = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/);
    expect(history.map(({ status }: { status: string }) => status).toSorted()).toEqual([
      "accepted",
      "delivered",
      "read",
      "sent",
    ]);
    for (const entry of history)
      expect(entry).toEqual({ status: expect.any(String), at: time, received_at: time, error: null });
    expect(read).toMatchObject({
      final: true,
      accepted_at: time,
      sent_at: time,
      delivered_at: time,
      read_at: time,
      failed_at: null,
      error: null,
    });
    expect((await list(`&reference=none`)).length).toBe(0);
  });

  it("is the same 404 when it is unknown, another workspace's, or of another kind", async () => {
    const foreign = (await theirs.send("+15555000030")).body.id;
    const texts = new Set<string>();
    for (const id of [foreign, formatId("msg", newUuid(1)), foreign.replace("msg_", "con_"), "msg_", "x"]) {
      const reply = await mine.call("GET", `/v1/messages/${id}`);
      expect([id, reply.status, reply.body.code]).toEqual([id, 404, "not_found"]);
      texts.add(JSON.stringify({ ...reply.body, request_id: null }));
    }
    expect(texts.size).toBe(1);
  });

  it("is in the audit log as reads of other resources are", async () => {
    const { id } = (await mine.send("+15555000031")).body;
    await mine.call("GET", `/v1/messages/${id}`);
    gateway.clock.advance(500);
    const reads = async () => (await mine.call("GET", "/v1/audit/activity?action=message.read")).body.data;
    await expect
      .poll(async () => (await reads()).map((row: { resource: object }) => row.resource))
      .toContainEqual({
        type: "message",
        id,
      });
  });
});
