import { afterAll, beforeAll, expect, it } from "vitest";
import { beginSends, dispatchQueue } from "../../packages/server/src/features/messages/dispatch/dispatch.store.ts";
import { selectWriters } from "../../packages/server/src/lanes/queue.store.ts";
import type { Queue } from "../../packages/server/src/lanes/queue.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { waitForLocks } from "../../packages/server/src/testing/patience.ts";
import { AT, NOW, type Owned, ownedDatabase, WORKER } from "./owned.ts";

const queue = dispatchQueue as { [K in keyof Queue]: NonNullable<Queue[K]> };

let owned: Owned;
beforeAll(async () => {
  owned = await ownedDatabase();
});
afterAll(() => owned.drop());

// What a call does that was sent by the owner of a slot and arrives when another process has the slot.

it("a call that begins sends is a writer of the queue before it reads whose slot it is", async () => {
  const { db, url } = owned;
  await waitForLocks(url, beginSends.installed);
  await withClient(url, async (client) => {
    await client.query("begin; lock table slot in access exclusive mode");
    const ids = { workspace_id: newUuid(NOW), message_id: newUuid(NOW), worker: WORKER };
    const row = {
      ...ids,
      slot: 1,
      seq: 1,
      attempt: 0,
      epoch: 1,
      state: 0,
      asked: false,
      recipient: "0",
      joined: 1,
      portfolio: null,
    };
    const begun = db.call(beginSends, [row], NOW);
    await expect.poll(() => selectWriters(db.sql, "dispatch")).toHaveLength(1);
    await client.query("commit");
    expect(await begun).toMatchObject([{ outcome: "no" }]);
  });
});

it("only the owner of a slot deletes its holds", async () => {
  const { db } = owned;
  const hold = { slot: 1, lane: 65, workspace_id: newUuid(NOW), key: "15551230001" };
  await db.call(queue.defer, [{ ...hold, seq: 1, due: AT }], NOW);
  const left = async (worker: string, epoch: number): Promise<number> => {
    await db.call(queue.unhold, [{ ...hold, until: AT, worker, epoch }], NOW);
    return (await db.call(queue.held, [{ slot: 1 }], NOW)).length;
  };
  expect(await left(newUuid(NOW), 1)).toBe(1);
  expect(await left(WORKER, 0)).toBe(1);
  expect(await left(WORKER, 1)).toBe(0);
});
