import { expect, it } from "vitest";
import type { TxCtx } from "../../ctx.ts";
import { formatId, parseId } from "../../lib/ids.ts";
import { callbackOf, postCallback, preferencesOf, statusOf, textFrom } from "../../testing/callback.ts";
import { withClient } from "../../testing/client.ts";
import { waitForLocks } from "../../testing/patience.ts";
import { takeCallbacks } from "../messages/callbacks/provider-events.store.ts";
import { person, startSenders } from "../messages/testing/senders.ts";
import { peopleOf } from "../people/testing/people.ts";
import { deleteContact } from "./erase.ts";

const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" });
const { hear, find, seconds } = peopleOf(gateway, mine);

const waiting = (): Promise<number> =>
  withClient(gateway.database.url, async (client) => {
    const { rows } = await client.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows[0]?.n ?? 0;
  });

it.each([
  {
    what: "a STOP",
    callback: (digits: string) => textFrom(digits, `wamid.moment.${digits}`, "STOP", gateway.clock.now()),
  },
  {
    what: "a setting",
    callback: (digits: string) => preferencesOf(mine.account, { wa_id: digits, value: "stop", timestamp: seconds() }),
  },
])("$what that comes while its person is being erased is of their next contact", async ({ what, callback }) => {
  await waitForLocks(gateway.database.url, takeCallbacks.installed);
  const to = person();
  const uuid = await hear(to.slice(1));
  const value = callback(to.slice(1));
  const taken = await gateway.app.db.transaction(mine.uuid, async (sql) => {
    // Of the context of a request it needs no more.
    const ctx = { sql, workspaceId: mine.uuid, now: gateway.clock.now() } as TxCtx;
    await deleteContact(ctx, { params: { id: formatId("con", uuid) } });
    const taking = postCallback(gateway, what === "a STOP" ? callbackOf(mine.account, value) : value);
    await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toBeGreaterThan(0);
    return { taking };
  });
  expect((await taken.taking).status).toBe(200);
  const next = await find(to);
  expect(parseId("con", next?.id ?? "")).not.toBe(uuid);
  expect(next).toMatchObject({ marketing_consent: "opted_out" });
});

it("a refusal that says so of a message to somebody erased since is reported, and is nobody else's", async () => {
  const to = person();
  const { body } = await mine.send(to);
  const { provider_message_id } = await mine.becomes(body.id, "accepted");
  expect((await mine.call("DELETE", `/v1/contacts/${body.contact_id}`)).status).toBe(204);
  const errors = [{ code: 131050, title: "User has stopped marketing messages" }];
  const refusal = statusOf(provider_message_id, "failed", gateway.clock.now(), { recipient_id: to.slice(1), errors });
  expect((await postCallback(gateway, callbackOf(mine.account, refusal))).status).toBe(200);
  await mine.becomes(body.id, "failed");
  expect(await find(to)).toBeUndefined();
});
