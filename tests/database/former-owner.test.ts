import { afterAll, beforeAll, expect, it } from "vitest";
import { beginSends } from "../../packages/server/src/features/messages/dispatch/dispatch.store.ts";
import { selectWriters } from "../../packages/server/src/lanes/queue.store.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { waitForLocks } from "../../packages/server/src/testing/patience.ts";
import { NOW, type Owned, ownedDatabase, WORKER } from "./owned.ts";

let owned: Owned;
beforeAll(async () => {
  owned = await ownedDatabase();
});
afterAll(() => owned.drop());

it("a call that begins sends is a writer of the queue before it reads whose slot it is", async () => {
  const { db, url } = owned;
  await waitForLocks(url, beginSends.installed);
  await withClient(url, async (client) => {
    await client.query("begin; lock table slot in access exclusive mode");
    const ids = { workspace_id: newUuid(NOW), message_id: newUuid(NOW), worker: WORKER };
    const begun = db.call(beginSends, [{ ...ids, slot: 1, seq: 1, attempt: 0, epoch: 1, state: 0, asked: false }], NOW);
    await expect.poll(() => selectWriters(db.sql, "dispatch")).toHaveLength(1);
    await client.query("commit");
    expect(await begun).toMatchObject([{ outcome: "no" }]);
  });
});
