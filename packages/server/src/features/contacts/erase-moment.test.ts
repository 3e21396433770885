import { expect, it } from "vitest";
import type { TxCtx } from "../../ctx.ts";
import { formatId, parseId } from "../../lib/ids.ts";
import { callbackOf, postCallback, preferencesOf, statusOf, textFrom } from "../../testing/callback.ts";
import { withClient } from "../../testing/client.ts";
import { waitForLocks } from "../../testing/patience.ts";
import { changeOf, peopleOf } from "../identity/testing/people.ts";
import { coexistenceOf, DAY_S } from "../ingress/testing/coexistence.ts";
import { takeCallbacks } from "../messages/callbacks/provider-events.store.ts";
import { takeAlone } from "../messages/testing/observing.ts";
import { person, startSenders } from "../messages/testing/senders.ts";
import { deleteContact } from "./erase.ts";

const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" });
const { erasure } = gateway.features.services;
const { hear, find, seconds } = peopleOf(gateway, mine);
const { past, chunk, post, settled } = coexistenceOf(gateway);

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
    await deleteContact(ctx, { params: { id: formatId("con", uuid) } }, erasure);
    const taking = postCallback(gateway, what === "a STOP" ? callbackOf(mine.account, value) : value);
    await expect.poll(waiting, { timeout: 30_000, interval: 20 }).toBeGreaterThan(0);
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

it("an erasure while a history of its person is being stored leaves nothing of that", async () => {
  // Of whom nothing is learned by it, so that nothing else holds the two apart.
  const to = "US.4680001";
  const contact = formatId("con", await hear(null, to));
  const id = "wamid.moment.history";
  // Emptying has come to messages that are older than those.
  await post(chunk(mine, { id: to, messages: [past({ from: to, id: `${id}.0`, ago: 100 * DAY_S })] }));
  await settled(mine);
  // Something else holds the call up, where it has found its people.
  const erased = await withClient(gateway.database.url, async (client) => {
    await client.query("begin");
    await client.query("select set_config('app.workspace_id', $1, true)", [mine.uuid]);
    await client.query(
      "insert into provider_message (workspace_id, provider_message_id, message_id, created_at) values ($1, $2, gen_random_uuid(), now())",
      [mine.uuid, id],
    );
    const message = past({ from: to, id, ago: 40 * DAY_S, body: "old words" });
    await post(chunk(mine, { id: to, messages: [message, { ...message, id: `${id}.2` }] }));
    await expect.poll(waiting, { timeout: 30_000, interval: 20 }).toBe(1);
    const erasing = mine.call("DELETE", `/v1/contacts/${contact}`);
    let answered = false;
    void erasing.then(() => {
      answered = true;
    });
    await expect.poll(async () => answered || (await waiting()) === 2, { timeout: 30_000, interval: 20 }).toBe(true);
    await client.query("rollback");
    return await erasing;
  });
  expect(erased.status).toBe(204);
  await settled(mine);
  gateway.clock.advance(61_000);
  await expect.poll(() => mine.rows("select from job where completed_at is null")).toEqual([]);
  expect(await find(to)).toBeUndefined();
  expect(await mine.rows("select 1 from message where content::text like '%old words%'")).toEqual([]);
});

it("an erasure at the moment of a notice erases the record that the notice joins to the person", async () => {
  const [before, after] = [person(), person()];
  const moved = formatId("con", await hear(before.slice(1)));
  const { body } = await mine.call("POST", "/v1/contacts", { body: { phone: after, name: "Ana Privada" } });
  gateway.clock.advance(3_000);
  // Alone: nothing is learned because of it.
  await takeAlone(gateway, mine, changeOf(before.slice(1), after.slice(1), seconds()));
  const alone = gateway.app.db.transaction(mine.uuid, (sql) =>
    deleteContact(
      { sql, workspaceId: mine.uuid, now: gateway.clock.now() } as TxCtx,
      { params: { id: moved } },
      erasure,
    ),
  );
  await expect(alone).rejects.toMatchObject({ code: "40001" });
  expect((await mine.call("GET", `/v1/contacts/${body.id}`)).body).toMatchObject({ id: body.id, name: "Ana Privada" });
  expect((await mine.call("DELETE", `/v1/contacts/${moved}`)).status).toBe(204);
  for (const id of [moved, body.id]) expect((await mine.call("GET", `/v1/contacts/${id}`)).status).toBe(404);
  expect(await find(after)).toBeUndefined();
});
