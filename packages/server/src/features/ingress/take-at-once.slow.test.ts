import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rawRequest } from "../../http/testing/raw-request.ts";
import { newUuid, parseId } from "../../lib/ids.ts";
import { callbackOf, postCallback, signatureOf, statusOf, textFrom } from "../../testing/callback.ts";
import { withClient } from "../../testing/client.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { sealCorrelationToken } from "../messages/correlation-token.ts";

// Without the role `deliver`: what is written for endpoints stays in the queue, in the order in which it was written.
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" }, { roles: ["api", "ingress", "dispatch", "maintenance"] });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const PATIENCE = { timeout: 30_000, interval: 15 };
/** So many changes go through the queue. */
const MANY = 51;

let counter = 0;
const wamid = (): string => `wamid.A${(counter += 1)}`;
const digits = (): string => `1555740${String((counter += 1)).padStart(4, "0")}`;
const now = (): number => gateway.clock.now();
const post = async (of: Sender, ...values: object[]): Promise<number> =>
  (await postCallback(gateway, callbackOf(of.account, ...values))).status;
const text = (id: string, body = "Hi"): object => textFrom(digits(), id, body, now());
const queued = () => gateway.app.db.sql.query<{ callback_id: string }>("select callback_id from ingest order by seq");
const parsed = async (): Promise<void> => {
  await expect.poll(queued, PATIENCE).toEqual([]);
};
const stored = async (): Promise<number> =>
  (await gateway.app.db.sql.query<{ n: number }>("select count(*)::int as n from callback"))[0]?.n ?? 0;

/** What was reported, by events in their order: kind and provider id. */
const events = async (of: Sender): Promise<string[]> =>
  (
    await of.rows<{ what: string }>(
      `select e.kind || ' ' || s.provider_message_id as what from event e join message_state s on s.id = e.message_id
       where e.kind <> 'accepted' order by e.sequence`,
    )
  ).map(({ what }) => what);

/** A message that the provider has accepted: its id, and that of the provider. */
async function sent(of: Sender): Promise<{ id: string; wamid: string }> {
  const { body } = await of.send(`+${digits()}`);
  return { id: body.id, wamid: (await of.becomes(body.id, "accepted")).provider_message_id };
}

/** A callback that arrives now: over HTTP, the order of arrival is not known. */
function arrive(payload: object): Promise<{ status: number }> {
  const route = gateway.features.rawRoutes.find(({ method, path }) => `${method} ${path}` === "POST /webhooks/receive");
  if (!route) throw new Error("there is no such route");
  const body = Buffer.from(JSON.stringify(payload));
  const headers = { "x-hub-signature-256": signatureOf(body) };
  return route.handle(rawRequest({ method: "POST", body, headers }));
}

/** Posts what goes into the queue, and holds it there until the returned function is called. */
async function postHeld(payload: object | string): Promise<() => void> {
  const caught = gateway.databaseProxy.hold("finish_ingest", "request");
  expect((await postCallback(gateway, payload)).status).toBe(200);
  return (await caught).pass;
}

beforeEach(async () => {
  await parsed();
});

describe("when the 200 is there", () => {
  it("a status and a message have had their effect, and the raw bytes are kept; nothing waits", async () => {
    const one = await sent(mine);
    const before = await stored();
    const id = wamid();
    expect(await post(mine, statusOf(one.wamid, "delivered", now()), text(id))).toBe(200);
    expect((await events(mine)).slice(-2)).toEqual([`delivered ${one.wamid}`, `messages ${id}`]);
    expect(await queued()).toEqual([]);
    expect(await stored()).toBe(before + 1);
    expect((await mine.call("GET", `/v1/messages/${one.id}`)).body.status).toBe("delivered");
    expect(await events(theirs)).toEqual([]);
  });

  it("a repetition, twice and ten times at once, has had none", async () => {
    const one = await sent(mine);
    const callback = [statusOf(one.wamid, "read", now()), text(wamid())];
    expect(await post(mine, ...callback)).toBe(200);
    const before = await events(mine);
    expect(await post(mine, ...callback)).toBe(200);
    expect(new Set(await Promise.all(Array.from({ length: 10 }, () => post(mine, ...callback))))).toEqual(
      new Set([200]),
    );
    expect(await events(mine)).toEqual(before);
    expect(await queued()).toEqual([]);
  });

  it("callbacks that came together are events in one order, those of each workspace its own", async () => {
    const ids = Array.from({ length: 40 }, wamid);
    const statuses = await Promise.all(ids.map((id, n) => post(n % 2 ? mine : theirs, text(id))));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const of = (wanted: number) => ids.filter((_, n) => n % 2 === wanted).map((id) => `messages ${id}`);
    expect((await events(mine)).slice(-20).toSorted()).toEqual(of(1).toSorted());
    expect((await events(theirs)).slice(-20).toSorted()).toEqual(of(0).toSorted());
  });

  it("no callback has overtaken one before it that still waited for the owner of its number", async () => {
    const fresh = await gateway.sender();
    const ids = [wamid(), wamid(), wamid()] as const;
    const first = gateway.databaseProxy.hold("find_owners", "answer");
    const posted = [arrive(callbackOf(fresh.account, text(ids[0])))];
    const heldFirst = await first;
    posted.push(arrive(callbackOf(fresh.account, text(ids[1]))));
    const second = gateway.databaseProxy.hold("find_owners", "answer");
    heldFirst.pass();
    const heldSecond = await second;
    await posted[0];
    // The owner is known by now, to all but the second, whose question is on its way.
    posted.push(arrive(callbackOf(fresh.account, text(ids[2]))));
    heldSecond.pass();
    expect((await Promise.all(posted)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await events(fresh)).toEqual(ids.map((id) => `messages ${id}`));
  });
});

describe("behind a callback of the number that is in the queue", () => {
  it("the next ones go there too, and become events in the order of their answers", async () => {
    const first = Array.from({ length: MANY }, wamid);
    const [second, third] = [wamid(), wamid()];
    const before = (await events(mine)).length;
    const release = await postHeld(callbackOf(mine.account, ...first.map((id) => text(id))));
    expect(await post(mine, text(second))).toBe(200);
    expect(await post(mine, text(third))).toBe(200);
    expect(await queued()).toHaveLength(3);
    const other = wamid();
    expect(await post(theirs, text(other))).toBe(200);
    expect((await events(theirs)).at(-1)).toBe(`messages ${other}`);
    release();
    await parsed();
    expect((await events(mine)).slice(before)).toEqual([...first, second, third].map((id) => `messages ${id}`));
  });
});

describe("through the queue goes", () => {
  it.each([
    [
      "a callback of more than 50 changes",
      () => callbackOf(mine.account, ...Array.from({ length: MANY }, () => text(wamid()))),
      0,
    ],
    [
      "one of two numbers",
      () => {
        const both = callbackOf(mine.account, text(wamid())) as { entry: object[] };
        both.entry.push(...(callbackOf(theirs.account, text(wamid())) as { entry: object[] }).entry);
        return both;
      },
      0,
    ],
    [
      "one with a change of another kind",
      () => {
        const callback = callbackOf(mine.account, text(wamid())) as { entry: { changes: object[] }[] };
        callback.entry[0]?.changes.push({ field: "brand_new_field", value: {} });
        return callback;
      },
      1,
    ],
    [
      "one of a number that is not ours",
      () => callbackOf({ ...mine.account, providerPhoneNumberId: `none-${(counter += 1)}` }, text(wamid())),
      1,
    ],
    [
      "one that is not understood",
      () => callbackOf(mine.account, { statuses: [{ status: "teleported", id: "x" }] }),
      1,
    ],
    ["what is no JSON", () => "<html>", 1],
  ])("%s", async (_name, callback, setAside) => {
    const aside = async () => (await gateway.app.db.sql.query("select 1 from quarantine")).length;
    const before = await aside();
    const release = await postHeld(callback());
    expect(await queued()).toHaveLength(1);
    release();
    await parsed();
    expect((await aside()) - before).toBe(setAside);
  });

  it("a report on a message of ours that is not here: set aside, and its neighbours are applied", async () => {
    const id = wamid();
    const token = sealCorrelationToken(gateway.app.secrets, newUuid(now()), 1);
    const status = statusOf("wamid.gone", "sent", now(), { biz_opaque_callback_data: token });
    expect(await post(mine, text(id), status)).toBe(200);
    expect((await events(mine)).at(-1)).toBe(`messages ${id}`);
    await parsed();
    const rows = await gateway.app.db.sql.query("select reason from quarantine order by id desc limit 1");
    expect(rows).toEqual([{ reason: "unknown_message" }]);
    expect((await events(mine)).filter((what) => what === `messages ${id}`)).toHaveLength(1);
  });

  it("one that the database refuses: set aside alone, its neighbours have had their effect with their 200", async () => {
    await gateway.app.db.sql.run(
      "alter table message add constraint mistake check (content::text not like '%POISON%') not valid",
    );
    const ids = Array.from({ length: 8 }, wamid);
    const answers = await Promise.all(ids.map((id, n) => post(theirs, text(id, n === 3 ? "POISON" : "Hi"))));
    expect(new Set(answers)).toEqual(new Set([200]));
    await parsed();
    await gateway.app.db.sql.run("alter table message drop constraint mistake");
    expect((await events(theirs)).slice(-7).toSorted()).toEqual(
      ids
        .toSpliced(3, 1)
        .map((id) => `messages ${id}`)
        .toSorted(),
    );
    const [row] = await gateway.app.db.sql.query<{ detail: string }>(
      "select detail from quarantine order by id desc limit 1",
    );
    expect(row?.detail).toBe("23514 message mistake");
  });

  it("one whose message another transaction holds, and those of other workspaces do not wait for it", async () => {
    const [one, other] = [await sent(mine), wamid()];
    const free = await lockMessage(one.id);
    let waits = true;
    const posting = post(mine, statusOf(one.wamid, "read", now())).finally(() => (waits = false));
    expect(await post(theirs, text(other))).toBe(200);
    expect(waits).toBe(true);
    expect((await events(theirs)).at(-1)).toBe(`messages ${other}`);
    expect(await posting).toBe(200);
    expect(await queued()).toHaveLength(1);
    await free();
    await expect.poll(async () => (await events(mine)).at(-1), PATIENCE).toBe(`read ${one.wamid}`);
  });
});

/** Locks the state of a message until the returned function is called. */
function lockMessage(id: string): Promise<() => Promise<void>> {
  return new Promise((locked, failed) => {
    const done = withClient(gateway.database.url, async (client) => {
      const { rows } = await client.query<{ role: string }>("select engine_role as role from installation");
      const role = rows[0]?.role ?? "";
      await client.query(`begin; grant ${role} to current_user; set local role ${role}`);
      await client.query("select from message_state where id = $1 for update", [parseId("msg", id)]);
      await new Promise<void>((free) =>
        locked(() => {
          free();
          return done;
        }),
      );
    });
    done.catch(failed);
  });
}

describe("when the database", () => {
  it.each(["request", "answer"] as const)(
    "loses the connection at the %s of the call, the 200 comes and the effect is there once",
    async (at) => {
      const one = await sent(mine);
      const caught = gateway.databaseProxy.hold("take_callbacks", at);
      const posting = post(mine, statusOf(one.wamid, "delivered", now()));
      (await caught).cut();
      expect(await posting).toBe(200);
      expect((await events(mine)).filter((what) => what === `delivered ${one.wamid}`)).toHaveLength(1);
      expect(await queued()).toEqual([]);
    },
  );

  it("is slow, 500 callbacks wait for it and the next ones are stored without their effect", async () => {
    const caught = gateway.databaseProxy.hold("take_callbacks", "request");
    const ids = Array.from({ length: 520 }, wamid);
    let answered = 0;
    const posted = ids.map(async (id) => {
      const status = await post(mine, text(id));
      answered += 1;
      return status;
    });
    const held = await caught;
    await expect.poll(() => answered, PATIENCE).toBe(20);
    held.pass();
    expect(new Set(await Promise.all(posted))).toEqual(new Set([200]));
    await parsed();
    const found = await mine.rows<{ n: number }>(
      "select count(*)::int as n from message_state where provider_message_id = any($1)",
      [ids],
    );
    expect(found).toEqual([{ n: 520 }]);
  });

  // Last, because it disconnects the database.
  it("is away, the answer is 503 and the bytes are not stored; the repetition has its effect once", async () => {
    const before = await stored();
    const id = wamid();
    const callback = callbackOf(mine.account, text(id));
    gateway.databaseProxy.cut();
    expect((await postCallback(gateway, callback)).status).toBe(503);
    gateway.databaseProxy.mend();
    await expect.poll(async () => (await postCallback(gateway, callback)).status, PATIENCE).toBe(200);
    expect((await postCallback(gateway, callback)).status).toBe(200);
    expect((await events(mine)).filter((what) => what === `messages ${id}`)).toHaveLength(1);
    expect(await stored()).toBe(before + 2);
  });
});
