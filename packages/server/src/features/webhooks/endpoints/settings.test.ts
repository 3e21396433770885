import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../../testing/gateway.ts";
import { testClaim } from "../../../testing/queue.ts";
import { deliveriesOf, PATH, startWebhooks, type TestWorkspace, type WebhooksApp } from "../testing/app.ts";

let app: WebhooksApp;
let gateway: Gateway;
beforeAll(async () => {
  [app, gateway] = await Promise.all([startWebhooks(), startGateway()]);
});
afterAll(() => Promise.all([app.stop(), gateway.stop()]));

const change = ({ call }: Pick<TestWorkspace, "call">, id: string, body: object) =>
  call("PATCH", `${PATH}/${id}`, { body });

const laneOf = async (workspaceId: string): Promise<number> =>
  (await app.rows<{ lane: number }>(workspaceId, "select lane from webhook_endpoint"))[0]!.lane;
const laneSettings = async (workspaceId: string) => {
  const lane = await laneOf(workspaceId);
  return (await app.deliver.settings([lane])).get(lane);
};

test("an endpoint has the settings that it is given, and a change leaves what it does not name", async () => {
  const { call } = await gateway.workspace();
  const url = "https://example.com/hooks";
  const { body: plain } = await call("POST", PATH, { body: { url, events: ["*"] } });
  expect(plain).toMatchObject({ timeout_seconds: 15, rate_per_second: null, headers: [], enabled: true });
  const given = { timeout_seconds: 30, rate_per_second: 1_000, headers: { "X-Two": "2", Authorization: "Bearer one" } };
  const made = await call("POST", PATH, { body: { url, events: ["*"], ...given } });
  const { secret: _, ...shown } = made.body;
  expect(shown).toMatchObject({ timeout_seconds: 30, rate_per_second: 1_000, headers: ["authorization", "x-two"] });
  expect((await call("GET", `${PATH}/${shown.id}`)).body).toEqual(shown);
  expect((await call("GET", PATH)).body.data[0]).toEqual(shown);
  const changes = { timeout_seconds: 5, headers: { "x-two": null, "X-Three": "3", "x-never": null } };
  const changed = await change({ call }, shown.id, changes);
  expect(changed.body).toEqual({
    ...shown,
    updated_at: expect.any(String),
    timeout_seconds: 5,
    headers: ["authorization", "x-three"],
  });
  expect((await change({ call }, shown.id, { rate_per_second: null })).body).toMatchObject({
    timeout_seconds: 5,
    rate_per_second: null,
    headers: ["authorization", "x-three"],
  });
});

const CANARY = "canary-7f3a9c";

test("values of headers are in no answer, no row and no audit record", async () => {
  const { call, uuid } = await gateway.workspace();
  const body = { url: "https://example.com/hooks", events: ["*"], headers: { "x-key": CANARY } };
  const made = await call("POST", PATH, { body });
  const again = await change({ call }, made.body.id, { headers: { "x-key": `${CANARY}2`, "x-other": CANARY } });
  const refused = await change({ call }, made.body.id, { headers: { "x-key": `${CANARY}\u0000` } });
  expect([made.status, again.status, refused.status]).toEqual([201, 200, 400]);
  const audit = await call("GET", "/v1/audit/activity?limit=100");
  const entries = audit.body.data.filter((entry: { action: string }) => entry.action.startsWith("webhook_endpoint."));
  expect(entries.map((entry: { changes: object }) => entry.changes)).toContainEqual({ headers: ["x-key", "x-other"] });
  const rows = await gateway.app.db.read(uuid, (sql) =>
    sql.query("select row_to_json(w)::text, encode(w.sealed_headers, 'escape') from webhook_endpoint w"),
  );
  for (const shown of [made, again, refused, audit, rows]) expect(JSON.stringify(shown)).not.toContain(CANARY);
});

test("sealed headers open for their own endpoint alone", async () => {
  const one = await app.subscribed({ headers: { "x-key": "one" } });
  const two = await app.subscribed({ headers: { "x-key": "two" } });
  const [row] = await app.rows<{ sealed: Uint8Array }>(one.id, "select sealed_headers as sealed from webhook_endpoint");
  await app.app.db.transaction(two.id, (sql) =>
    sql.run("update webhook_endpoint set sealed_headers = $1, version = version + 1", [row!.sealed]),
  );
  await app.emit(two.id, [{}]);
  expect(await app.workAll(two.id)).toMatchObject([{ kind: "later" }]);
  expect(two.receiver.received).toEqual([]);
});

test("each delivery carries the endpoint's headers as they are now, beside ours", async () => {
  const mine = await app.subscribed({ headers: { Authorization: "Bearer one", "x-tenant": "a b" } });
  const theirs = await app.subscribed();
  const next = async () => {
    for (const { id } of [mine, theirs]) {
      await app.emit(id, [{}]);
      await app.workAll(id);
    }
    const { authorization, "x-tenant": tenant } = mine.receiver.received.at(-1)!.headers;
    return [authorization, tenant];
  };
  expect(await next()).toEqual(["Bearer one", "a b"]);
  expect(app.verifies(mine.receiver, mine.endpoint.secret)).toBe(true);
  await change(mine, mine.endpoint.id, { headers: { authorization: "Bearer two", "x-tenant": null } });
  expect(await next()).toEqual(["Bearer two", undefined]);
  // Neither another setting nor a new secret loses them.
  await change(mine, mine.endpoint.id, { description: "changed" });
  await mine.call("POST", `${PATH}/${mine.endpoint.id}/rotate-secret`);
  expect(await next()).toEqual(["Bearer two", undefined]);
  expect(theirs.receiver.received.every(({ headers }) => headers.authorization === undefined)).toBe(true);
});

test.each([
  "Host",
  "content-type",
  "Content-Length",
  "User-Agent",
  "webhook-id",
  "X-Service-Event",
  "x-hub-signature",
  "X-Hub-Signature-256",
  "connection",
  "Keep-Alive",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "expect",
  "proxy-authorization",
  "accept-encoding",
])("the header %s cannot be set", async (name) => {
  const { call, endpoint } = await app.subscribed();
  const body = { url: endpoint.url, events: ["*"], headers: { [name]: "x" } };
  const refused = { status: 400, body: { code: "invalid_request", errors: [{ pointer: `/headers/${name}` }] } };
  expect(await call("POST", PATH, { body })).toMatchObject(refused);
  expect(await change({ call }, endpoint.id, { headers: { [name]: "x" } })).toMatchObject(refused);
});

const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`x-${n}`, "v"]));

test.each([
  [{ headers: { "a b": "x" } }, "/headers/a b"],
  [{ headers: { "": "x" } }, "/headers/"],
  [{ headers: { x: "" } }, "/headers/x"],
  [{ headers: { x: "a\r\nb: c" } }, "/headers/x"],
  [{ headers: { x: " a" } }, "/headers/x"],
  [{ headers: { x: "ü" } }, "/headers/x"],
  [{ headers: { x: "v".repeat(2_049) } }, "/headers/x"],
  [{ headers: { x: null } }, "/headers/x"],
  [{ headers: { "x-a": "1", "X-A": "2" } }, "/headers/X-A"],
  [{ headers: eleven }, "/headers"],
  [{ headers: { a: "v".repeat(2_048), b: "v".repeat(2_047) } }, "/headers"],
  [{ timeout_seconds: 4 }, "/timeout_seconds"],
  [{ timeout_seconds: 31 }, "/timeout_seconds"],
  [{ timeout_seconds: 7.5 }, "/timeout_seconds"],
  [{ rate_per_second: 0 }, "/rate_per_second"],
  [{ rate_per_second: 1_001 }, "/rate_per_second"],
])("a new endpoint is refused for %j at %s", async (settings, pointer) => {
  const { call } = await app.workspace();
  const reply = await call("POST", PATH, { body: { url: "http://127.0.0.1/", events: ["*"], ...settings } });
  expect([reply.status, reply.body.code, reply.body.errors?.[0].pointer]).toEqual([400, "invalid_request", pointer]);
});

test("a change that adds an eleventh header is refused; ten may be replaced by ten", async () => {
  const { "x-10": _, ...ten } = eleven;
  const { call, endpoint } = await app.subscribed({ headers: ten });
  expect((await change({ call }, endpoint.id, { headers: { y: "1" } })).status).toBe(400);
  const others = Object.fromEntries(
    Object.keys(ten).flatMap((name) => [
      [name, null],
      [`y${name}`, "v"],
    ]),
  );
  const changed = await change({ call }, endpoint.id, { headers: others });
  expect([changed.status, changed.body.headers.length, changed.body.headers[0]]).toEqual([200, 10, "yx-0"]);
});

test("timeout_seconds is the deadline of the next attempt", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed({ timeout_seconds: 30 });
  receiver.answer(() => {});
  const attempt = async (seconds: number) => {
    const before = receiver.received.length;
    let isOver = false;
    const working = app.workAll(id).finally(() => (isOver = true));
    await receiver.got(before + 1);
    app.clock.advance((seconds - 1) * 1_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    app.clock.advance(1_000);
    await working;
    const [listed] = await deliveriesOf({ call }, endpoint.id);
    const { body } = await call("GET", `/v1/deliveries/${listed.id}`);
    expect(body.attempts.at(-1)).toMatchObject({
      duration_ms: seconds * 1_000,
      error: `No complete answer within ${seconds} s.`,
    });
  };
  await app.emit(id, [{}]);
  await attempt(30);
  await change({ call }, endpoint.id, { timeout_seconds: 5 });
  app.clock.advance(120_000);
  await attempt(5);
});

test("the rate is that of the endpoint's lane, from the change on, and paces the posts too", async () => {
  const { id, call, endpoint, receiver } = await app.subscribed({ rate_per_second: 7 });
  expect(await laneSettings(id)).toMatchObject({ ratePerSecond: 7 });
  let departures = 0;
  const departed: number[] = [];
  const claim = {
    ...testClaim(),
    departure: () => Promise.resolve(void departed.push((departures += 1), receiver.received.length)),
  };
  await app.emit(id, [{}, {}]);
  await app.workAll(id, claim);
  expect(departed).toEqual([1, 0, 2, 1]);
  await change({ call }, endpoint.id, { rate_per_second: null });
  expect(await laneSettings(id)).toMatchObject({ ratePerSecond: null });
  await app.emit(id, [{}]);
  await app.workAll(id, claim);
  expect([departures, receiver.received.length]).toEqual([2, 3]);
});

test("an endpoint that begins disabled keeps its deliveries until it is enabled", async () => {
  const { id, call, endpoint } = await app.subscribed({ enabled: false });
  expect(endpoint).toMatchObject({ enabled: false, status: "disabled", disabled_reason: "requested" });
  await app.emit(id, [{}]);
  expect(await laneSettings(id)).toMatchObject({ closed: true });
  expect((await change({ call }, endpoint.id, { enabled: true })).body).toMatchObject({
    status: "active",
    disabled_reason: null,
  });
  expect(await laneSettings(id)).toMatchObject({ closed: false });
  expect(await app.workAll(id)).toEqual([{ kind: "done", coped: true }]);
});
