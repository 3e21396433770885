import { afterAll, beforeAll, expect, it } from "vitest";
import type { SqlValue } from "../../db/database.ts";
import { newUuid } from "../../lib/ids.ts";
import { postCallback } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { goldenText } from "./testing/golden-texts.ts";

let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway();
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

const NOT_HANDLED = ["callback-account-violation", "callback-echoes", "callback-template-without-name"];
const REASON = "not_handled by the version before";
const sql = (text: string, values: readonly SqlValue[] = []) => gateway.app.db.sql.query(text, values);
const kinds = async () =>
  (await mine.rows<{ kind: string }>("select kind from event where kind <> 'contact_created' order by kind")).map(
    ({ kind }) => kind,
  );

/** As a version leaves them that does not handle them: stored, off the queue, and set aside. */
async function leaveToLaterVersion(): Promise<void> {
  for (const name of NOT_HANDLED) {
    const id = newUuid(gateway.clock.now());
    await sql("insert into callback (id, received_at, body) values ($1, $2, $3)", [
      id,
      new Date(gateway.clock.now()),
      Buffer.from(goldenText(name, mine.account)),
    ]);
    await sql("insert into quarantine (id, callback_id, lane, reason, created_at) values ($1, $2, 1, $3, $4)", [
      newUuid(gateway.clock.now()),
      id,
      REASON,
      new Date(gateway.clock.now()),
    ]);
  }
}

it("what a version could not handle is handled by one call of the next one, once", async () => {
  await leaveToLaterVersion();
  const replay = () => gateway.operator("POST", "/admin/v1/quarantine/replay", { body: { reason: REASON } });
  expect(await replay()).toMatchObject({ status: 202, body: { replayed: NOT_HANDLED.length, has_more: false } });
  await expect.poll(kinds).toEqual(["account_changed", "approved", "provider_notice", "provider_notice", "sent"]);
  expect((await gateway.operator("GET", "/admin/v1/quarantine")).body.data).toEqual([]);
  expect((await replay()).body).toEqual({ replayed: 0, has_more: false });
  // The provider repeats them too.
  for (const name of NOT_HANDLED)
    expect((await postCallback(gateway, goldenText(name, mine.account))).status).toBe(200);
  await expect.poll(() => sql("select from ingest")).toEqual([]);
  expect(await kinds()).toEqual(["account_changed", "approved", "provider_notice", "provider_notice", "sent"]);
});
