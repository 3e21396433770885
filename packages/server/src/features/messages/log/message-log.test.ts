import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../lib/duration.ts";
import { callbackOf, postCallback, statusOf } from "../../../testing/callback.ts";
import { person, startSenders } from "../testing/senders.ts";

const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });

type Entry = {
  id: string;
  at: string;
  message_id: string;
  event: string;
  actor: Record<string, unknown>;
  detail: unknown;
};
const PATH = "/v1/audit/messages";
const log = async (query = "", of = mine): Promise<Entry[]> => {
  const reply = await of.call("GET", `${PATH}?limit=100${query}`);
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body.data;
};
const eventsOf = (entries: readonly Entry[]) => entries.map(({ event }) => event);
/** What of `readBy` the log has: the clock advances before each status, but not between the request and the provider's answer. */
const expectWholeLife = (entries: readonly Entry[]): void => {
  const events = eventsOf(entries);
  expect([...events.slice(0, 3), ...events.slice(3).toSorted()]).toEqual([
    "read",
    "delivered",
    "sent",
    "accepted",
    "created",
  ]);
};
const report = (wamid: string, status: string) =>
  postCallback(gateway, callbackOf(mine.account, statusOf(wamid, status, gateway.clock.now())));

/** A message that was delivered and read. */
async function readBy(to: string) {
  const message = await mine.becomes((await mine.send(to)).body.id, "accepted");
  const wamid = message.provider_message_id;
  for (const status of ["sent", "delivered", "read"]) {
    gateway.clock.advance(1_000);
    await report(wamid, status);
    // While the database is slow it is applied behind its answer.
    await mine.becomes(message.id, status);
  }
  return message;
}

describe("the log of messages", () => {
  it("has each step of a message once, newest first, with who did it", async () => {
    const message = await readBy(person());
    const entries = await log(`&message_id=${message.id}`);
    expectWholeLife(entries);
    expect(entries.find(({ event }) => event === "created")).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: message.created_at,
      message_id: message.id,
      event: "created",
      actor: { type: "api_key", id: mine.keyId, name: expect.any(String) },
      detail: { type: "template", phone_number_id: mine.phoneNumberId, occurred_at: null, send_at: null },
    });
    expect(entries[0]).toMatchObject({
      actor: { type: "provider", id: null, name: null },
      detail: { occurred_at: expect.any(String), error: null },
    });
    expect(new Set(entries.map(({ id }) => id)).size).toBe(5);
    expect(await log(`&message_id=${message.id}`, theirs)).toEqual([]);
  });

  it("finds a person by every form, and what came in by the message and the time alone", async () => {
    const to = "+5521987651234";
    const message = await readBy(to);
    const heard = await mine.inbound(to);
    for (const form of [to, "+552187651234", message.contact_id])
      expectWholeLife(await log(`&to=${encodeURIComponent(form)}`));
    expect(await log(`&message_id=${heard.id}`)).toMatchObject([
      { event: "received", actor: { type: "contact", id: heard.contact_id } },
    ]);
    for (const nobody of ["to=%2B15550000000", "to=x", "message_id=msg_01jd0000000000000000000000", "message_id=con_x"])
      expect(await log(`&${nobody}`)).toEqual([]);
  });

  it("knows who canceled a message, and that the gateway did when its contact was erased", async () => {
    const later = new Date(gateway.clock.now() + HOUR_MS).toISOString();
    const [one, two] = [
      (await mine.send(person(), { send_at: later })).body,
      (await mine.send(person(), { send_at: later })).body,
    ];
    await mine.call("POST", `/v1/messages/${one.id}/cancel`);
    await mine.call("DELETE", `/v1/contacts/${two.contact_id}`);
    expect((await log(`&message_id=${one.id}`))[0]).toMatchObject({
      event: "canceled",
      actor: { type: "api_key", id: mine.keyId },
    });
    expect((await log(`&message_id=${two.id}`))[0]).toMatchObject({
      event: "canceled",
      actor: { type: "system", id: null },
    });
  });

  it("has the error of what failed", async () => {
    const to = person();
    gateway.simulator.addFault({ kind: "refuse", code: 131026, recipient: to });
    const failed = await mine.becomes((await mine.send(to)).body.id, "failed");
    expect((await log(`&message_id=${failed.id}`))[0]).toMatchObject({
      event: "failed",
      detail: { error: { code: "recipient_unreachable" } },
    });
  });

  it("has each attempt that was refused and tried again, and nothing of the provider's once the person is erased", async () => {
    const to = person();
    for (const code of [131056, 131016]) gateway.simulator.addFault({ kind: "refuse", code, recipient: to });
    const { id, contact_id } = (await mine.send(to)).body;
    const of = async (event: string) => (await log(`&message_id=${id}`)).filter((entry) => entry.event === event);
    for (const count of [1, 2]) {
      await expect.poll(async () => (await of("refused")).length).toBe(count);
      gateway.clock.advance(60_000);
    }
    await mine.becomes(id, "accepted");
    const entries = await log(`&message_id=${id}`);
    expect(entries.find(({ event }) => event !== "sent" && event !== "delivered" && event !== "read")?.event).toBe(
      "accepted",
    );
    expect(entries.filter(({ event }) => event === "refused")).toMatchObject([
      {
        actor: { type: "provider", id: null },
        detail: { attempt: 2, error: { code: "provider_error", retryable: false, provider: { code: 131016 } } },
      },
      { detail: { attempt: 1, error: { code: "rate_limited", provider: { code: 131056 } } } },
    ]);
    // By time and by person too, each once.
    const ids = entries.map((entry) => entry.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await log(`&to=${encodeURIComponent(to)}`)).toEqual(await log(`&message_id=${id}`));
    expect((await log()).filter(({ message_id }) => message_id === id)).toEqual(await log(`&message_id=${id}`));
    expect((await log("", theirs)).some(({ message_id }) => message_id === id)).toBe(false);
    await mine.call("DELETE", `/v1/contacts/${contact_id}`);
    for (const { detail } of await of("refused")) expect(JSON.stringify(detail)).not.toContain("trace_id");
    expect(await of("refused")).toHaveLength(2);
  });

  it("is paged without gaps and repetitions, by time too, and needs its scope", async () => {
    const to = person();
    gateway.clock.advance(60_000);
    const from = encodeURIComponent(new Date(gateway.clock.now()).toISOString());
    for (let i = 0; i < 3; i++) await readBy(i === 1 ? person() : to);
    for (const filter of [`&at_after=${from}`, `&to=${encodeURIComponent(to)}`]) {
      const all = await log(filter);
      const paged: string[] = [];
      for (let cursor = ""; ; ) {
        const { body } = await mine.call("GET", `${PATH}?limit=4${filter}${cursor}`);
        paged.push(...body.data.map(({ id }: Entry) => id));
        if (body.next_cursor === null) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      expect(paged).toEqual(all.map(({ id }) => id));
      expect(all.length).toBe(filter.startsWith("&at") ? 15 : 10);
    }
    const before = await log(`&at_before=${from}`);
    const since = new Set((await log(`&at_after=${from}`)).map(({ id }) => id));
    expect(before.some(({ id }) => since.has(id))).toBe(false);
    expect(before.length + since.size).toBe((await log()).length);
    const times = (await log()).map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect((await mine.call("GET", `${PATH}?at_after=yesterday`)).status).toBe(400);
    const { call } = await gateway.workspace(["messages:read"]);
    expect((await call("GET", PATH)).status).toBe(403);
  });
});

describe("a stream", () => {
  it("of either log has the whole range, as CSV and as NDJSON", async () => {
    await gateway.audited();
    const streamed = async (path: string, accept: string) => {
      const reply = await fetch(`${gateway.url}${path}`, {
        headers: { authorization: `Bearer ${mine.key}`, accept },
      });
      expect([reply.status, reply.headers.get("content-type")]).toEqual([200, expect.stringContaining(accept)]);
      return (await reply.text()).trim().split(/\r?\n/);
    };
    const entries = await log();
    const lines = (await streamed(PATH, "application/x-ndjson")).map((line) => JSON.parse(line));
    expect(lines).toEqual(entries);
    const [header, first] = await streamed(`${PATH}?message_id=${entries[0]?.message_id}`, "text/csv");
    expect(header).toBe("id,at,message_id,event,actor_type,actor_id,actor_name,detail");
    expect(first?.startsWith(`${entries[0]?.id},`)).toBe(true);
    const calls = (await streamed("/v1/audit/activity?action=message.create", "application/x-ndjson")).map((line) =>
      JSON.parse(line),
    );
    const listed = await mine.call("GET", "/v1/audit/activity?action=message.create&limit=100");
    expect(calls).toEqual(listed.body.data);
    const [columns, row] = await streamed("/v1/audit/activity?action=message.create", "text/csv");
    expect(columns).toContain("actor_id,actor_name,action,resource_type,resource_id,method,path");
    expect(row).toContain(mine.keyId);
  });
});
