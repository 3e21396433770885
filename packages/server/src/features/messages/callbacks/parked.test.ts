import { describe, expect, it } from "vitest";
import { TURN_LOCK } from "../../../db/locks.ts";
import { HOUR_MS } from "../../../lib/duration.ts";
import { parseId } from "../../../lib/ids.ts";
import { createLog, type Log } from "../../../lib/log.ts";
import { callbackOf, postCallback, statusOf } from "../../../testing/callback.ts";
import { withClient } from "../../../testing/client.ts";
import { testEngine } from "../../../testing/engine.ts";
import type { Sender } from "../../../testing/gateway.ts";
import { sealCorrelationToken } from "../correlation-token.ts";
import { reportingOf } from "../testing/reported.ts";
import { startSenders } from "../testing/senders.ts";
import { joinParked, MOST_PARKED_A_NUMBER } from "./status.store.ts";

/** What was logged that an operator should look at. */
const warned: object[] = [];
const silent = createLog("silent");
const log: Log = {
  ...silent,
  warn: (fields) => void warned.push(fields),
  error: (fields) => void warned.push(fields),
  child: () => log,
};
// No process dispatches: a message's provider id becomes known only from the test.
const { gateway, mine, theirs } = await startSenders(
  { API_RATE_LIMIT: "off" },
  { roles: ["api", "ingress", "maintenance"], log },
);
const { setAside } = reportingOf(gateway);
const engine = testEngine(gateway.database.url);

const PATIENCE = { timeout: 30_000, interval: 50 };

let made = 0;
const wamid = (): string => `wamid.P${(made += 1)}`;

async function tell(of: Sender, ids: readonly string[], status: string, more: object = {}): Promise<void> {
  const values = ids.map((id) => statusOf(id, status, gateway.clock.now(), more));
  expect((await postCallback(gateway, callbackOf(of.account, ...values))).status).toBe(200);
}

type Parked = { id: string; looks: boolean };
const parked = (of: Sender): Promise<Parked[]> =>
  engine.rows(
    "select provider_message_id as id, look_at is not null as looks from parked_status where workspace_id = $1 order by received_at, 1",
    [of.uuid],
  );

/** Joins parked statuses as the timer does, at a time ahead; returns how many were looked at. */
const look = async (aheadMs: number): Promise<number> => {
  const { db, clock } = gateway.app;
  const up_to = new Date(clock.now() + aheadMs).toISOString();
  return (await db.call(joinParked, [{ up_to }], clock.now())).length;
};

/** The row of a "read" that a transaction leaves which could not see the provider id yet. */
const park = (providerMessageId: string): Promise<unknown> =>
  engine.rows(
    "insert into parked_status (workspace_id, provider_message_id, bit, at, received_at, look_at) values ($1, $2, 32, now(), now(), now()) returning 1",
    [mine.uuid, providerMessageId],
  );

async function message(): Promise<{ id: string; opaque: string }> {
  const { body } = await mine.send("+15557300001");
  return { id: body.id, opaque: sealCorrelationToken(gateway.app.secrets, parseId("msg", body.id) ?? "", 1) };
}

describe("a status whose message is not known", () => {
  it("is joined when a later one names the message by our own value", async () => {
    const [{ id, opaque }, known] = [await message(), wamid()];
    await tell(mine, [known], "sent");
    await expect.poll(() => parked(mine), PATIENCE).toHaveLength(1);
    await tell(mine, [known], "delivered", { biz_opaque_callback_data: opaque });
    expect(await mine.becomes(id, "delivered")).toMatchObject({ provider_message_id: known });
    const { body } = await mine.call("GET", `/v1/messages/${id}`);
    expect(body.history.map(({ status }: { status: string }) => status).toSorted()).toEqual(["delivered", "sent"]);
    expect(await parked(mine)).toEqual([]);
  });

  it("says that the person stopped marketing as soon as it is joined", async () => {
    const { body } = await mine.send("+15557300002");
    const opaque = sealCorrelationToken(gateway.app.secrets, parseId("msg", body.id) ?? "", 1);
    const known = wamid();
    await tell(mine, [known], "failed", { errors: [{ code: 131_050, title: "User has stopped marketing messages" }] });
    await expect.poll(() => parked(mine), PATIENCE).toHaveLength(1);
    await tell(mine, [known], "sent", { biz_opaque_callback_data: opaque });
    await mine.becomes(body.id, "failed");
    const contact = async () => (await mine.call("GET", `/v1/contacts/${body.contact_id}`)).body;
    await expect
      .poll(contact, PATIENCE)
      .toMatchObject({ marketing_consent: "opted_out", consent_source: "preference" });
  });

  it("is joined by the next look when its message was just being stored", async () => {
    const [{ id, opaque }, known] = [await message(), wamid()];
    await tell(mine, [known], "delivered", { biz_opaque_callback_data: opaque });
    await mine.becomes(id, "delivered");
    await park(known);
    await look(0);
    await mine.becomes(id, "read");
    expect(await parked(mine)).toEqual([]);
  });

  it("is joined while a migration runs, which may build indexes for hours", async () => {
    const [{ id, opaque }, known] = [await message(), wamid()];
    await tell(mine, [known], "delivered", { biz_opaque_callback_data: opaque });
    await mine.becomes(id, "delivered");
    await park(known);
    await withClient(gateway.database.url, async (migration) => {
      await migration.query("select pg_advisory_lock($1)", [TURN_LOCK]);
      await look(0);
      expect(await mine.becomes(id, "read")).toMatchObject({ provider_message_id: known });
    });
  });

  it("is looked at twice and no more, however long it waits", async () => {
    const foreign = [wamid(), wamid(), wamid()];
    await tell(theirs, foreign, "sent");
    await expect.poll(() => parked(theirs), PATIENCE).toHaveLength(3);
    expect(await look(HOUR_MS)).toBe(3);
    expect((await parked(theirs)).map(({ looks }) => looks)).toEqual([true, true, true]);
    expect(await look(HOUR_MS)).toBe(3);
    expect((await parked(theirs)).map(({ looks }) => looks)).toEqual([false, false, false]);
    expect(await look(HOUR_MS)).toBe(0);
  });
});

describe("a number that another system sends from too", () => {
  it("reports what it has to that system's messages, which is no reason to set anything aside or to warn", async () => {
    const [before, warnings] = [await setAside(), warned.length];
    const errors = [{ code: 131_031, title: "Account locked" }];
    for (const more of [{}, { biz_opaque_callback_data: "theirs" }])
      for (const status of ["sent", "delivered", "read", "played", "failed", "deleted", "warning"])
        await tell(mine, [wamid()], status, { ...more, ...(status === "failed" ? { errors } : {}) });
    await tell(mine, [wamid()], "failed", { errors: null });
    await look(HOUR_MS);
    expect(await setAside()).toEqual(before);
    expect(warned.slice(warnings)).toEqual([]);
    const [account] = await mine.rows<{ status: string }>("select status from business_account");
    expect(account?.status).toBe("connected");
  });

  it("keeps its newest statuses, and leaves those of another number alone", async () => {
    const before = await parked(mine);
    await tell(mine, [wamid()], "sent");
    const many = Array.from({ length: MOST_PARKED_A_NUMBER + 700 }, wamid);
    for (let at = 0; at < many.length; at += 950) {
      await tell(theirs, many.slice(at, at + 950), "sent");
      gateway.clock.advance(1);
    }
    const bounded = async (): Promise<boolean> => {
      gateway.clock.advance(1_000);
      const ids = (await parked(theirs)).map(({ id }) => id);
      return ids.includes(many.at(-1) ?? "") && ids.length <= MOST_PARKED_A_NUMBER;
    };
    await expect.poll(bounded, PATIENCE).toBe(true);
    const kept = (await parked(theirs)).map(({ id }) => id);
    // Statuses of one callback have one time: some of them may be dropped with the oldest.
    expect(kept.length).toBeGreaterThan(MOST_PARKED_A_NUMBER - 1_000);
    expect(new Set(kept)).toEqual(new Set(many.slice(-kept.length)));
    expect(await parked(mine)).toHaveLength(before.length + 1);
  });
});
