import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newUuid, parseId } from "../../../lib/ids.ts";
import { withClient } from "../../../testing/client.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { PATIENCE, waitForLocks } from "../../../testing/patience.ts";
import { emitEvents } from "../../events/event.store.ts";
import { startCloudReceiver } from "../../webhooks/testing/cloud-receiver.ts";
import { ofAccount } from "../testing/front.ts";

let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway();
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

test("the endpoint of a number that is created while an event is written does not take it from the account's", async () => {
  const secret = "the-app-secret-of-the-client";
  const receiver = await startCloudReceiver(secret);
  await mine.call("PATCH", "/v1/workspace", { body: { front_app_secret: secret } });
  const body = { override_callback_uri: receiver.url, verify_token: receiver.token };
  expect((await mine.call("POST", ofAccount(mine, "/subscribed_apps"), { body })).body).toEqual({ success: true });
  const [endpoint] = (await mine.call("GET", "/v1/webhook-endpoints")).body.data;
  // What it gets stays in the queue.
  await mine.call("PATCH", `/v1/webhook-endpoints/${endpoint.id}`, { body: { enabled: false } });
  await receiver.close();

  const numberId = parseId("num", mine.phoneNumberId)!;
  const { app, clock, database } = gateway;
  await waitForLocks(database.url, emitEvents.installed);
  const write = () =>
    app.db.call(
      emitEvents,
      [
        {
          workspace_id: mine.uuid,
          kind: "messages",
          contact_id: null,
          message_id: null,
          resource_id: null,
          phone_number_id: numberId,
          business_account_id: null,
          state: {},
          conversation: "one",
          callback_id: null,
          unlisted: null,
        },
      ],
      clock.now(),
    );
  await withClient(database.url, async (holder) => {
    await holder.query("begin; lock table phone_number in access exclusive mode");
    const written = write();
    // Its statement has begun, and looks up of which account the number is.
    await vi.waitFor(async () => {
      const { rows } = await holder.query(
        "select from pg_locks where not granted and relation = 'phone_number'::regclass",
      );
      expect(rows).toHaveLength(1);
    }, PATIENCE);
    await app.db.transaction(mine.uuid, (sql) =>
      sql.run(
        `insert into webhook_endpoint (id, workspace_id, secret, url, events, fields, ordered, enabled, status, version, created_at, updated_at,
           phone_number_ids, is_limited, front_of)
         select $2, workspace_id, secret, url, events, fields, ordered, enabled, status, version, created_at, updated_at, array[$3::uuid], true, $3
         from webhook_endpoint where id = $1`,
        [parseId("whe", endpoint.id), newUuid(clock.now()), numberId],
      ),
    );
    await holder.query("commit");
    await written;
  });
  const waiting = () =>
    mine.rows<{ is_of_number: boolean }>(
      `select w.front_of = $1 as is_of_number from deliver d join webhook_endpoint w on w.lane = d.lane order by d.seq`,
      [numberId],
    );
  expect(await waiting()).toEqual([{ is_of_number: false }]);
  await write();
  expect(await waiting()).toEqual([{ is_of_number: false }, { is_of_number: true }]);
});
