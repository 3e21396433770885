import { describe, expect, it } from "vitest";
import type { Sql } from "../../../db/database.ts";
import { requestKey } from "../../../http/idempotency-key.ts";
import { newUuid } from "../../../lib/ids.ts";
import { ORDER_READY } from "../../../testing/gateway.ts";
import { keyed, startSenders } from "../testing/senders.ts";

const { gateway, countOf, mine, theirs } = await startSenders();

const TO = "+15553000001";
const send = (key: string, to = TO) => mine.send(to, {}, keyed(key));
/** Repeats a send while another request with its key is running, as a client does. */
async function sendPatiently(key: string, to = TO): ReturnType<typeof send> {
  for (;;) {
    const reply = await send(key, to);
    if (reply.body.code !== "idempotency_in_progress") return reply;
  }
}

type Open = { end(how: "commit" | "rollback"): Promise<void> };

/** A transaction of another process that has done `work` and is not committed yet. */
async function open(work: (sql: Sql) => Promise<unknown>): Promise<Open> {
  const done = gate();
  const ended = gate<"commit" | "rollback">();
  const transaction = gateway.app.db.transaction(mine.uuid, async (sql) => {
    await work(sql);
    done.open();
    if ((await ended.opened) === "rollback") throw new Error("rolled back");
  });
  const over = transaction.catch(() => undefined);
  await done.opened;
  return {
    async end(how) {
      ended.open(how);
      await over;
    },
  };
}

function gate<Word = void>(): { opened: Promise<Word>; open(word: Word): void } {
  let open: (word: Word) => void = () => {};
  return { opened: new Promise((resolve) => (open = resolve)), open: (word) => open(word) };
}

/** Another process took this key for the same request and answered with `message`. */
function otherProcess(key: string, message: string): Promise<Open> {
  const body = { to: TO, type: "template", template: ORDER_READY };
  const { digest, fingerprint } = requestKey(key, "POST", "/v1/messages", body);
  return open((sql) =>
    sql.run(
      "insert into idempotency_key (workspace_id, digest, fingerprint, resource_id, created_at) values ($1, $2, $3, $4, $5)",
      [mine.uuid, Buffer.from(digest, "hex"), Buffer.from(fingerprint, "hex"), message, now()],
    ),
  );
}

const now = (): Date => new Date(gateway.app.clock.now());

async function waitsForLock(): Promise<void> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(() => gateway.app.db.sql.query(waiting)).toHaveLength(1);
}

describe("a key that another process is using", () => {
  it("replays the answer when that commits; other requests of the batch are accepted", async () => {
    const first = await send("first");
    const twin = await otherProcess("seen-late", first.body.id);
    const replies = Promise.all([
      sendPatiently("seen-late"),
      theirs.send("+15553000002"),
      send("neighbour", "+15553000003"),
    ]);
    await waitsForLock();
    await twin.end("commit");
    const [replayed, ...neighbours] = await replies;
    expect([replayed.status, replayed.headers["idempotent-replayed"], replayed.text]).toEqual([
      202,
      "true",
      first.text,
    ]);
    expect(neighbours.map((reply) => reply.status)).toEqual([202, 202]);
    expect([await countOf(TO), await countOf("+15553000003")]).toEqual([1, 1]);
  });

  it("is free when that process rolls back", async () => {
    const before = await countOf(TO);
    const twin = await otherProcess("given-up", "msg_00000000000000000000000000");
    const reply = sendPatiently("given-up");
    await waitsForLock();
    await twin.end("rollback");
    const { status, body } = await reply;
    expect([status, await countOf(TO)]).toEqual([202, before + 1]);
    // However long it waited: lists by time search for the row at the time in its id.
    const audit = await mine.rows<{ at: Date }>("select at from audit where resource_id = $1", [body.id]);
    expect(audit.map(({ at }) => at.toISOString())).toEqual([body.created_at]);
  });

  it("is 409 while that transaction stays open, for this request alone", async () => {
    const before = await countOf(TO);
    const twin = await otherProcess("stuck", "msg_00000000000000000000000000");
    const replies = Promise.all([send("stuck"), theirs.send("+15553000004")]);
    await waitsForLock();
    gateway.clock.advance(2_000);
    const [stuck, neighbour] = await replies;
    expect(stuck).toMatchObject({ status: 409, body: { code: "idempotency_in_progress", retryable: true } });
    expect(stuck.headers["retry-after"]).toBe("1");
    expect([neighbour.status, await countOf(TO)]).toEqual([202, before]);
    await twin.end("rollback");
  });
});

describe("requests with one key that come to one process at once", () => {
  it("are each 409 after their own two seconds while another process has the key", async () => {
    const before = await countOf(TO);
    const twin = await otherProcess("crowded", "msg_00000000000000000000000000");
    const begun = gateway.clock.monotonic();
    const replies = await Promise.all(Array.from({ length: 10 }, () => send("crowded")));
    // One after the other they took 20 s.
    expect(gateway.clock.monotonic() - begun).toBeLessThan(4_000);
    expect(replies.map(({ body }) => body.code)).toEqual(replies.map(() => "idempotency_in_progress"));
    expect(new Set(replies.map(({ headers }) => headers["retry-after"]))).toEqual(new Set(["1"]));
    await twin.end("rollback");
    expect([(await send("crowded")).status, await countOf(TO)]).toEqual([202, before + 1]);
  });

  it("wait no longer for a first one that is stored slowly", async () => {
    const to = "+15553000007";
    const held = gateway.databaseProxy.hold("accept_messages", "request");
    const first = send("slow", to);
    const call = await held;
    const late = await send("slow", to);
    expect([late.status, late.body.code, late.headers["retry-after"]]).toEqual([409, "idempotency_in_progress", "1"]);
    call.pass();
    const { status, text } = await first;
    expect([status, (await send("slow", to)).text, await countOf(to)]).toEqual([202, text, 1]);
  });
});

describe("a lock on another row", () => {
  it("that is held too long is 503, without a word about the key", async () => {
    const to = "+15553000006";
    const stranger = await open((sql) =>
      sql.run("insert into contact (workspace_id, id, phone, created_at, updated_at) values ($1, $2, $3, $4, $4)", [
        mine.uuid,
        newUuid(now().getTime()),
        to,
        now(),
      ]),
    );
    const sending = send("other-lock", to);
    await waitsForLock();
    gateway.clock.advance(2_000);
    const reply = await sending;
    await stranger.end("commit");
    expect([reply.status, reply.body.code]).toEqual([503, "unavailable"]);
    expect((await send("other-lock", to)).status).toBe(202);
    expect(await countOf(to)).toBe(1);
  });
});

describe("a recipient whom this process remembers", () => {
  it("becomes a contact again when the contact was deleted", async () => {
    const to = "+15553000005";
    const first = await mine.send(to);
    await mine.becomes(first.body.id, "accepted");
    await gateway.app.db.transaction(mine.uuid, (sql) =>
      sql.run("delete from contact where workspace_id = $1 and phone = $2", [mine.uuid, to]),
    );
    const again = await mine.send(to);
    expect(again.status).toBe(202);
    expect(again.body.contact_id).not.toBe(first.body.contact_id);
    expect(await mine.rows("select phone from contact where phone = $1", [to])).toHaveLength(1);
  });
});
