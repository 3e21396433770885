import { expect, it } from "vitest";
import { withClient } from "../../../testing/client.ts";
import { person, startSenders } from "../../messages/testing/senders.ts";

const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });

/** More than there are connections. */
const MANY = 40;
/** Kept waiting by a lock that only searches meet, as those over very many contacts keep the database busy. */
const SEARCHES = [
  (id: string) => ["GET", `/v1/segments/${id}/contacts`, undefined] as const,
  (id: string) => ["GET", `/v1/segments/${id}`, undefined] as const,
  () => ["GET", "/v1/segments", undefined] as const,
  () => ["POST", "/v1/segments", { name: "dear", filter: { field: "name", op: "contains", value: "zq" } }] as const,
  (id: string) => ["GET", `/v1/contacts?segment_id=${id}&q=zq`, undefined] as const,
  (id: string) => ["PATCH", `/v1/segments/${id}`, { name: "dearer" }] as const,
];

it("searches of one workspace, by any of its keys, keep nobody's send waiting", async () => {
  const filter = { field: "name", op: "contains", value: "zq" };
  const { id } = (await mine.call("POST", "/v1/segments", { body: { name: "dear", filter } })).body;
  const keys = [mine.key];
  for (const name of ["second", "third"])
    keys.push((await mine.call("POST", "/v1/api-keys", { body: { name, scopes: ["*"] } })).body.key);

  const searching = await withClient(gateway.database.url, async (client) => {
    await client.query("begin");
    await client.query("lock table segment in access exclusive mode");
    const asked = Array.from({ length: MANY }, (_, n) => {
      const [method, path, body] = (SEARCHES[n % SEARCHES.length] as (typeof SEARCHES)[0])(id);
      return gateway.as(keys[n % keys.length] ?? "")(method, path, body === undefined ? {} : { body });
    });
    // Those that are let through hang by now.
    await expect
      .poll(async () => (await client.query("select from pg_locks where not granted")).rowCount)
      .toBeGreaterThan(0);
    for (const of of [theirs, mine, theirs]) {
      const begun = performance.now();
      const sent = await of.send(person());
      // Sooner than the searches give up, which is after eight seconds.
      expect([sent.status, performance.now() - begun < 7_000]).toEqual([202, true]);
      await of.becomes(sent.body.id, "accepted");
    }
    // Other reads of the one that searches too.
    expect((await mine.call("GET", "/v1/workspace")).status).toBe(200);
    expect((await client.query("select from pg_locks where not granted")).rowCount).toBeGreaterThan(0);
    await client.query("rollback");
    return asked;
  });
  // Answered, or told when to come again.
  for (const { status, headers } of await Promise.all(searching))
    expect([status, headers["retry-after"] !== undefined]).toEqual([status, status === 429 || status === 503]);
});

it("a search whose caller has gone gives its turn to the next", async () => {
  const made = await mine.call("POST", "/v1/segments", {
    body: { name: "left", filter: { field: "name", op: "contains", value: "zq" } },
  });
  const url = `${gateway.url}/v1/segments/${made.body.id}/contacts`;
  await withClient(gateway.database.url, async (client) => {
    await client.query("begin");
    await client.query("lock table segment in access exclusive mode");
    const gone = Array.from({ length: MANY }, () => new AbortController());
    const ended = gone.map(({ signal }) =>
      fetch(url, { headers: { authorization: `Bearer ${mine.key}` }, signal }).catch(() => null),
    );
    await expect
      .poll(async () => (await client.query("select from pg_locks where not granted")).rowCount)
      .toBeGreaterThan(0);
    for (const one of gone) one.abort();
    await Promise.all(ended);
    await client.query("rollback");
  });
  expect((await mine.call("GET", `/v1/segments/${made.body.id}/contacts`)).status).toBe(200);
});
