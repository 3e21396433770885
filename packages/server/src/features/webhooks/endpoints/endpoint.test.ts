import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../../../lib/duration.ts";
import { withClient } from "../../../testing/client.ts";
import { startWebhooks, type WebhooksApp } from "../testing/app.ts";

let app: WebhooksApp;
beforeAll(async () => {
  app = await startWebhooks({ env: { EGRESS_ALLOW_CIDRS: "" } });
});
afterAll(() => app.stop());

const URL = "https://example.com/hooks";
const PATH = "/v1/webhook-endpoints";

test("a new endpoint has its secret in that answer alone, encrypted at rest", async () => {
  const { call, id } = await app.workspace();
  const created = await call("POST", PATH, {
    body: { url: URL, events: ["messages", "delivered"], description: "shop" },
  });
  expect(created.status).toBe(201);
  expect(created.headers["location"]).toBe(`${PATH}/${created.body.id}`);
  expect(created.headers["etag"]).toBe('"1"');
  const { secret, ...shown } = created.body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const at = new Date(app.clock.now()).toISOString();
  const rest = {
    ordered: false,
    phone_number_ids: null,
    business_account_ids: null,
    headers: [],
    timeout_seconds: 15,
    rate_per_second: null,
    enabled: true,
    status: "active",
    disabled_reason: null,
    created_at: at,
    updated_at: at,
  };
  expect(shown).toEqual({
    id: expect.stringMatching(/^whe_/),
    url: URL,
    format: "waypost",
    events: ["messages", "delivered"],
    fields: [],
    description: "shop",
    ...rest,
  });
  expect((await call("GET", `${PATH}/${shown.id}`)).body).toEqual(shown);
  const list = await call("GET", PATH);
  expect(list.body).toEqual({ data: [shown], next_cursor: null });
  const stored = await app.app.db.read(id, (sql) =>
    sql.query<{ secret: Buffer }>("select secret from webhook_endpoint"),
  );
  expect(stored[0]?.secret.includes(secret)).toBe(false);
});

test("a repeated idempotency key gets the same answer, byte for byte", async () => {
  const { call } = await app.workspace();
  const once = () => call("POST", PATH, { body: { url: URL, events: ["*"] }, headers: { "x-idempotency-key": "one" } });
  const [first, second] = [await once(), await once()];
  expect(second.text).toBe(first.text);
  expect(second.headers["idempotent-replayed"]).toBe("true");
  expect((await call("GET", PATH)).body.data).toHaveLength(1);
});

test.each([
  [{ events: ["*"] }, "/url"],
  [{ url: URL }, "/events"],
  [{ url: URL, events: [] }, "/events"],
  [{ url: URL, events: ["nonsense"] }, "/events/0"],
  [{ url: URL, events: ["endpoint_test"] }, "/events/0"],
  [{ url: URL, events: ["sent", "sent"] }, "/events"],
  [{ url: URL, events: "*" }, "/events"],
  [{ url: 5, events: ["*"] }, "/url"],
  [{ url: "http://example.com/", events: ["*"] }, "/url"],
  [{ url: "https://user:pw@example.com/", events: ["*"] }, "/url"],
  [{ url: "https://169.254.169.254/latest", events: ["*"] }, "/url"],
  [{ url: "https://[::1]/", events: ["*"] }, "/url"],
  [{ url: "not a url", events: ["*"] }, "/url"],
  [{ url: URL, events: ["*"], secret: "mine" }, "/secret"],
  [{ url: URL, events: ["*"], ordered: "true" }, "/ordered"],
])("refuses %j at %s", async (body, pointer) => {
  const { call } = await app.workspace();
  const reply = await call("POST", PATH, { body });
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_request"]);
  expect(reply.body.errors[0].pointer).toBe(pointer);
  expect((await call("GET", PATH)).body.data).toEqual([]);
});

const LABEL_63 = "a".repeat(63);
/** 253 characters, the longest name there is. */
const NAME_253 = `${`${LABEL_63}.`.repeat(3)}${"b".repeat(61)}`;

test.each([
  ["a line break", "https://example.com/\nhook"],
  ["a carriage return", "https://example.com/\rhook"],
  ["a header", "https://example.com/\r\nX-Evil: 1"],
  ["a tab", "https://exa\tmple.com/"],
  ["a blank in front", " https://example.com/"],
  ["a blank behind", "https://example.com/ "],
  ["a blank inside", "https://example.com/a b"],
  ["a NUL", "https://example.com/\u0000"],
  ["a no-break space", "https://example.com/\u00a0"],
  ["a zero-width space", "https://exam\u200bple.com/"],
  ["a line separator", "https://example.com/\u2028"],
  ["an empty label", "https://example..com/"],
  ["a leading dot", "https://.example.com/"],
  ["two dots at the end", "https://example.com../"],
  ["a label of 64", `https://${LABEL_63}a.com/`],
  ["a label of 64 in its ASCII form", `https://${"ü".repeat(60)}.com/`],
  ["a name of 254", `https://${NAME_253}b/`],
  ["a user", "https://user@example.com/"],
  ["a password", "https://:pw@example.com/"],
  ["too many letters beyond ASCII", `https://example.com/${"ü".repeat(400)}`],
])("a URL with %s is refused in a new endpoint and in a change", async (_name, url) => {
  const { call } = await app.workspace();
  const refused = { status: 400, body: { code: "invalid_request", errors: [{ pointer: "/url" }] } };
  expect(await call("POST", PATH, { body: { url, events: ["*"] } })).toMatchObject(refused);
  const { body: created } = await call("POST", PATH, { body: { url: URL, events: ["*"] } });
  expect(await call("PATCH", `${PATH}/${created.id}`, { body: { url } })).toMatchObject(refused);
  expect((await call("GET", PATH)).body.data).toEqual([created].map(({ secret: _secret, ...shown }) => shown));
});

test.each([
  ["HTTPS://EXAMPLE.com:443/a/../Hook?x=ü#top", "https://example.com/Hook?x=%C3%BC#top"],
  ["https://bücher.example", "https://xn--bcher-kva.example/"],
  ["https://example.com./hook", "https://example.com./hook"],
  ["https://_dmarc.a-b.example/", "https://_dmarc.a-b.example/"],
  ["https://example.com/a%20b", "https://example.com/a%20b"],
  [`https://${LABEL_63}.com/`, `https://${LABEL_63}.com/`],
  [`https://${NAME_253}/`, `https://${NAME_253}/`],
])("%s is stored and returned as %s", async (url, kept) => {
  const { call, id } = await app.workspace();
  const { body: created } = await call("POST", PATH, { body: { url, events: ["*"] } });
  expect(created.url).toBe(kept);
  const { body: other } = await call("POST", PATH, { body: { url: URL, events: ["*"] } });
  const changed = await call("PATCH", `${PATH}/${other.id}`, { body: { url } });
  expect(changed.body.url).toBe(kept);
  const stored = await app.app.db.read(id, (sql) =>
    sql.query<{ url: string }>("select distinct url from webhook_endpoint"),
  );
  expect(stored).toEqual([{ url: kept }]);
});

test("an endpoint whose URL was stored under older rules is returned, changed and kept", async () => {
  const { call, id } = await app.workspace();
  const { body: created } = await call("POST", PATH, { body: { url: URL, events: ["*"] } });
  const old = "https://example.com/old hook\n";
  await withClient(app.database.url, async (client) => {
    await client.query("begin");
    await client.query("select set_config('app.workspace_id', $1, true)", [id]);
    const { rowCount } = await client.query("update webhook_endpoint set url = $1", [old]);
    expect(rowCount).toBe(1);
    await client.query("commit");
  });
  const changed = await call("PATCH", `${PATH}/${created.id}`, { body: { description: "still here" } });
  expect(changed).toMatchObject({ status: 200, body: { url: old, description: "still here" } });
});

test("a host name that does not resolve now is accepted", async () => {
  const { call } = await app.workspace();
  expect((await call("POST", PATH, { body: { url: "https://nowhere.invalid/x", events: ["*"] } })).status).toBe(201);
});

test("PATCH merges, null clears, and If-Match guards it", async () => {
  const { call } = await app.workspace();
  const { body: created } = await call("POST", PATH, { body: { url: URL, events: ["*"], description: "d" } });
  const path = `${PATH}/${created.id}`;
  const changed = await call("PATCH", path, {
    body: { description: null, events: ["sent"] },
    headers: { "if-match": '"1"' },
  });
  expect([changed.status, changed.headers["etag"]]).toEqual([200, '"2"']);
  expect(changed.body).toMatchObject({ url: URL, description: null, events: ["sent"], enabled: true });
  expect((await call("PATCH", path, { body: { ordered: true }, headers: { "if-match": '"1"' } })).body.code).toBe(
    "precondition_failed",
  );
  expect((await call("PATCH", path, { body: { url: "http://10.0.0.1/" } })).body.errors[0].pointer).toBe("/url");
  expect((await call("PATCH", path, { body: { enabled: false } })).body).toMatchObject({
    enabled: false,
    status: "disabled",
    disabled_reason: "requested",
  });
  expect((await call("POST", `${path}/test`)).status).toBe(409);
  expect((await call("PATCH", path, { body: { enabled: true } })).body).toMatchObject({
    enabled: true,
    status: "active",
    disabled_reason: null,
  });
  expect((await call("DELETE", path, { headers: { "if-match": '"1"' } })).status).toBe(412);
  expect((await call("DELETE", path)).status).toBe(204);
  expect((await call("GET", path)).status).toBe(404);
  expect((await call("DELETE", path)).status).toBe(404);
});

test("a workspace has at most 100 endpoints, also when several are created at once", async () => {
  const { call } = await app.workspace();
  const create = () => call("POST", PATH, { body: { url: URL, events: ["*"] } });
  for (let n = 0; n < 95; n++) expect((await create()).status).toBe(201);
  const replies = await Promise.all(Array.from({ length: 20 }, create));
  const refused = replies.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(15);
  for (const { status, body } of refused) expect([status, body.code]).toEqual([409, "conflict"]);
  expect((await call("GET", `${PATH}?limit=100`)).body).toMatchObject({ data: { length: 100 }, next_cursor: null });
  // Another workspace has its own hundred.
  const other = await app.workspace();
  expect((await other.call("POST", PATH, { body: { url: URL, events: ["*"] } })).status).toBe(201);
});

test("another workspace's endpoint does not exist, on every path", async () => {
  const [mine, theirs] = [await app.workspace(), await app.workspace()];
  const { body: created } = await mine.call("POST", PATH, { body: { url: URL, events: ["*"] } });
  const { body: tested } = await mine.call("POST", `${PATH}/${created.id}/test`);
  const unknown = `${PATH}/whe_01jd0000000000000000000000`;
  for (const path of [`${PATH}/${created.id}`, unknown, `${PATH}/msg_01jd0000000000000000000000`]) {
    const replies = await Promise.all([
      theirs.call("GET", path),
      theirs.call("PATCH", path, { body: { enabled: false } }),
      theirs.call("DELETE", path),
      theirs.call("POST", `${path}/rotate-secret`, { body: {} }),
      theirs.call("POST", `${path}/test`),
      theirs.call("GET", `${path}/deliveries`),
    ]);
    for (const reply of replies) expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
  }
  expect((await theirs.call("GET", `/v1/deliveries/${tested.id}`)).status).toBe(404);
  expect((await mine.call("GET", `${PATH}/${created.id}`)).body.enabled).toBe(true);
});

test("reading and writing need their scopes", async () => {
  const { call } = await app.workspace(["webhooks:read"]);
  expect((await call("GET", PATH)).status).toBe(200);
  expect((await call("POST", PATH, { body: { url: URL, events: ["*"] } })).status).toBe(403);
});

test("a rotated secret is new, and 0 seconds of overlap end the old one at once", async () => {
  const { call, id } = await app.workspace();
  const { body: created } = await call("POST", PATH, { body: { url: URL, events: ["*"] } });
  const path = `${PATH}/${created.id}/rotate-secret`;
  const ended = () =>
    app.app.db.read(id, (sql) =>
      sql.query<{ until: Date | null }>("select previous_secret_until as until from webhook_endpoint"),
    );
  await call("POST", path, { body: { overlap_seconds: 0 } });
  expect((await ended())[0]?.until).toBeNull();
  const rotated = await call("POST", path, { body: {} });
  expect(rotated.status).toBe(200);
  expect(rotated.body.secret).toMatch(/^whsec_/);
  expect(rotated.body.secret).not.toBe(created.secret);
  expect((await ended())[0]?.until?.getTime()).toBe(app.clock.now() + DAY_MS);
  for (const overlap_seconds of [-1, 604_801, 1.5, "1"])
    expect((await call("POST", path, { body: { overlap_seconds } })).status).toBe(400);
});

test("an endpoint has at most 10 secrets at a time", async () => {
  const { call } = await app.workspace();
  const { body: created } = await call("POST", PATH, { body: { url: URL, events: ["*"] } });
  const rotate = (overlap_seconds: number) =>
    call("POST", `${PATH}/${created.id}/rotate-secret`, { body: { overlap_seconds } });
  for (let n = 1; n < 10; n++) expect((await rotate(n * 60)).status).toBe(200);
  const refused = await rotate(60);
  expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
  expect(refused.body.detail).toContain(new Date(app.clock.now() + 60_000).toISOString());
  // The present one makes room for the new one, or time does.
  expect((await rotate(0)).status).toBe(200);
  expect((await rotate(1)).status).toBe(409);
  app.clock.advance(60_000);
  expect((await rotate(1)).status).toBe(200);
  expect((await rotate(1)).status).toBe(409);
});

test("a test event is put into the queue of this endpoint alone", async () => {
  const { call, id } = await app.workspace();
  await call("POST", PATH, { body: { url: URL, events: ["*"] } });
  const { body: created } = await call("POST", PATH, { body: { url: URL, events: ["sent"] } });
  const tested = await call("POST", `${PATH}/${created.id}/test`);
  expect(tested.status).toBe(202);
  expect(tested.headers["location"]).toBe(`/v1/deliveries/${tested.body.id}`);
  expect(tested.body).toMatchObject({
    webhook_endpoint_id: created.id,
    kind: "endpoint_test",
    status: "pending",
    attempt: 0,
    attempts: [],
    completed_at: null,
  });
  expect(await app.queue(id)).toEqual([]);
  const rows = await app.rows<{ slot: number }>(id, "select slot from redeliver");
  expect(rows).toHaveLength(1);
  const hinted = app.hints.filter(({ kind }) => kind === "redeliver");
  expect(hinted.flatMap(({ slots }) => slots)).toContain(rows[0]!.slot);
  expect((await call("GET", `/v1/deliveries/${tested.body.id}`)).body).toEqual(tested.body);
});

test("the engine role cannot see a secret", async () => {
  await withClient(app.database.url, async (client) => {
    const { rows } = await client.query<{ visible: boolean }>(
      "select has_column_privilege(i.engine_role, 'webhook_endpoint', c.name, 'select') as visible from installation i, (values ('secret'), ('previous_secret'), ('older_secrets')) c(name)",
    );
    expect(rows.map((row) => row.visible)).toEqual([false, false, false]);
  });
});
