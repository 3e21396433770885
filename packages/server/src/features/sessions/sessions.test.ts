import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NIL_WORKSPACE } from "../../lib/ids.ts";
import { readPlacedSecret } from "../../lib/placed-secret.ts";
import { callAs } from "../../testing/call.ts";
import { EventReader } from "../../testing/event-reader.ts";
import { type Gateway, OPERATOR_KEY, type Sender, startGateway } from "../../testing/gateway.ts";
import { Browser } from "./testing/browser.ts";

const PATIENCE = { timeout: 20_000, interval: 20 };
const HOUR_MS = 3_600_000;

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({}, { isDevelopment: true });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const signedIn = async (key = mine.key): Promise<Browser> => {
  const browser = new Browser(gateway);
  expect((await browser.signIn(key)).status).toBe(200);
  return browser;
};
/** The time of its last request is written beside the answer, at most once a minute. */
const isSeen = async ({ cookie }: Browser, workspaceId: string): Promise<void> => {
  const id = readPlacedSecret(cookie?.split("=")[1] ?? "")?.id ?? "";
  const seen = () =>
    gateway.app.db.read(workspaceId, (sql) =>
      sql.query<{ at: Date }>("select seen_at as at from console_session where id = $1", [id]),
    );
  await expect
    .poll(async () => (await seen())[0]?.at.getTime(), PATIENCE)
    .toBeGreaterThan(gateway.clock.now() - 60_000);
};
/** What is remembered of sessions and keys for some seconds. */
const forgotten = (): void => gateway.clock.advance(5_000);
const activity = async (of: Pick<Sender, "call">, action: string) => {
  await gateway.audited();
  return (await of.call("GET", `/v1/audit/activity?action=${action}&limit=100`)).body.data;
};

describe("a session of an API key", () => {
  it("is begun with the key, shown, and calls as the key does, in its workspace alone", async () => {
    const browser = new Browser(gateway);
    const { status, body, headers } = await browser.signIn(mine.key);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^ses_/),
      kind: "workspace",
      workspace: { id: mine.id },
      key: { id: expect.stringMatching(/^key_/), scopes: ["*"] },
      simulator_url: `${gateway.simulator.url}/sim`,
      version: expect.stringMatching(/^\d/),
    });
    expect(JSON.stringify(body)).not.toContain(mine.key);
    const { port } = new URL(gateway.url);
    expect(headers["set-cookie"]).toMatch(
      new RegExp(`^waypost_${port}=[\\w-]{86}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict$`),
    );
    expect(Date.parse(body.expires_at) - gateway.clock.now()).toBeLessThanOrEqual(12 * HOUR_MS);
    expect((await browser.session()).body).toMatchObject({ id: body.id, workspace: body.workspace, key: body.key });

    const sent = await browser.call("POST", "/v1/contacts", { body: { phone: "+15558200001" } });
    expect(sent.status).toBe(201);
    expect((await mine.call("GET", `/v1/contacts/${sent.body.id}`)).status).toBe(200);
    expect((await theirs.call("GET", `/v1/contacts/${sent.body.id}`)).status).toBe(404);
    const listed = await browser.call("GET", "/v1/contacts");
    expect(listed.headers).toMatchObject({ "cache-control": "no-store", "waypost-session": body.id });
    expect(listed.headers["ratelimit"]).toBeDefined();
    expect((await browser.call("GET", "/v1/workspace")).body.api_key.id).toBe(body.key.id);
    expect((await browser.call("GET", "/admin/v1/workspaces")).status).toBe(401);

    const [created] = await activity(mine, "contact.create");
    expect(created).toMatchObject({
      actor: { type: "api_key", id: body.key.id },
      request: { session: body.id },
    });
    const [begun] = await activity(mine, "session.create");
    expect(begun).toMatchObject({ actor: { id: body.key.id }, resource: { type: "session", id: body.id } });
    const [withKey] = await activity(mine, "audit_activity.list");
    expect(withKey?.request.session ?? null).toBeNull();
  });

  it("has the scopes that its key has", async () => {
    const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "reader", scopes: ["contacts:read"] } });
    const browser = await signedIn(body.key);
    expect((await browser.call("GET", "/v1/contacts")).status).toBe(200);
    expect((await browser.call("GET", "/v1/messages")).body).toMatchObject({ status: 403, code: "forbidden" });
  });

  it("ends when its key is revoked or expires, also the stream that it reads", async () => {
    const expires_at = new Date(gateway.clock.now() + HOUR_MS).toISOString();
    const [revoked, expiring] = [
      (await mine.call("POST", "/v1/api-keys", { body: { name: "a", scopes: ["*"] } })).body,
      (await mine.call("POST", "/v1/api-keys", { body: { name: "b", scopes: ["*"], expires_at } })).body,
    ];
    const [one, other] = [await signedIn(revoked.key), await signedIn(expiring.key)];
    expect((await other.session()).body.expires_at).toBe(expires_at);
    const headers = { cookie: one.cookie ?? "", "sec-fetch-site": "same-origin" };
    const stream = await EventReader.open(gateway.url, null, { headers });
    expect((await mine.call("DELETE", `/v1/api-keys/${revoked.id}`)).status).toBe(204);
    forgotten();
    expect((await one.session()).status).toBe(401);
    expect((await one.call("GET", "/v1/contacts")).status).toBe(401);
    gateway.clock.advance(20_000);
    await expect.poll(() => stream.isOver, PATIENCE).toBe(true);
    expect((await other.session()).status).toBe(200);
    gateway.clock.advance(HOUR_MS);
    expect((await other.session()).status).toBe(401);
  });

  it("ends after twelve hours without a request, and after seven days with them", async () => {
    const [idle, busy] = [await signedIn(), await signedIn()];
    for (let hours = 0; hours < 24 * 7; hours += 11) {
      expect([hours, (await busy.call("GET", "/v1/contacts?limit=1")).status]).toEqual([hours, 200]);
      await isSeen(busy, mine.uuid);
      gateway.clock.advance(11 * HOUR_MS);
    }
    expect((await busy.session()).status).toBe(401);
    expect((await idle.session()).status).toBe(401);
    const fresh = await signedIn();
    gateway.clock.advance(12 * HOUR_MS + 1);
    expect((await fresh.session()).status).toBe(401);
  });

  it("ends when it is signed out, once, and its cookie is taken away", async () => {
    const browser = await signedIn();
    const kept = browser.cookie;
    const { id } = (await browser.session()).body;
    const out = await browser.call("DELETE", "/console/session");
    expect([out.status, browser.cookie]).toEqual([204, null]);
    expect((await browser.session()).status).toBe(401);
    browser.cookie = kept;
    expect((await browser.call("GET", "/v1/contacts")).status).toBe(401);
    expect((await browser.call("DELETE", "/console/session")).status).toBe(204);
    const ended = (await activity(mine, "session.end")).filter(
      ({ resource }: { resource: { id: string } }) => resource.id === id,
    );
    expect(ended).toMatchObject([{ request: { session: id } }]);
  });

  it("ends with a suspension of its workspace", async () => {
    const other = await gateway.workspace();
    const browser = await signedIn(other.key);
    const suspend = (status: string) =>
      gateway.operator("PATCH", `/admin/v1/workspaces/${other.id}`, { body: { status } });
    expect((await suspend("suspended")).status).toBe(200);
    forgotten();
    expect((await browser.session()).status).toBe(401);
    expect((await new Browser(gateway).signIn(other.key)).body).toMatchObject({ status: 403, code: "forbidden" });
    await suspend("active");
  });
});

describe("a cookie", () => {
  it("counts for requests of the console's own pages alone", async () => {
    const browser = await signedIn();
    const origin = gateway.url;
    const answers = await Promise.all(
      [
        ["GET", {}],
        ["GET", { "sec-fetch-site": "none" }],
        ["GET", { "sec-fetch-site": "cross-site" }],
        ["GET", { "sec-fetch-site": "same-site", origin }],
        ["GET", { origin: "https://evil.example" }],
        ["POST", { "sec-fetch-site": "same-origin" }],
        ["POST", { "sec-fetch-site": "cross-site", "waypost-console": "1" }],
        ["POST", { origin: "https://evil.example", "waypost-console": "1" }],
        ["POST", { origin, "waypost-console": "yes" }],
      ].map(async ([method, headers]) => {
        const body = method === "POST" ? { body: { phone: "+15558200002" } } : {};
        return await browser.send(method as "GET", "/v1/contacts", {
          headers: headers as Record<string, string>,
          ...body,
        });
      }),
    );
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [403, "forbidden"]));
    expect((await browser.send("GET", "/v1/contacts", { headers: { origin } })).status).toBe(200);
    const posted = { headers: { origin, "waypost-console": "1" }, body: { phone: "+15558200003" } };
    expect((await browser.send("POST", "/v1/contacts", posted)).status).toBe(201);
    expect((await browser.send("GET", "/console/session", { headers: {} })).status).toBe(403);
    expect((await browser.send("DELETE", "/console/session", { headers: { origin } })).status).toBe(403);
    expect((await browser.session()).status).toBe(200);
  });

  it("gives way to a key, which decides alone", async () => {
    const browser = await signedIn();
    const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
    expect((await browser.call("GET", "/v1/workspace", bearer(theirs.key))).body.id).toBe(theirs.id);
    expect((await browser.call("GET", "/v1/workspace", bearer("wrong"))).status).toBe(401);
  });

  it("counts on no other path, and nothing that is no cookie of ours is taken for one", async () => {
    const browser = await signedIn();
    for (const path of ["/healthz", "/", "/openapi.json"])
      expect((await browser.call("GET", path)).headers["waypost-session"]).toBeUndefined();
    const [name, value = ""] = (browser.cookie ?? "").split("=");
    const others = [
      `${name}=`,
      `${name}=x`,
      `${name}=${value.slice(0, -2)}AA`,
      `waypost_1=${value}`,
      `__Host-waypost=${value}`,
    ];
    for (const cookie of others) {
      browser.cookie = cookie;
      expect([cookie, (await browser.session()).status]).toEqual([
        cookie,
        expect.toSatisfy((status) => [401, 403].includes(status)),
      ]);
    }
  });
});

describe("signing in", () => {
  it("refuses what is no key, says nothing of it, counts with the other bad tries, and is in the log", async () => {
    const fresh = await startGateway();
    const browser = new Browser(fresh);
    const answers = [];
    for (let tries = 0; tries < 21; tries++) answers.push(await browser.signIn(`wp_live_wrong${tries}`));
    expect(answers[0]?.body).toMatchObject({ status: 401, code: "unauthorized" });
    expect(answers[0]?.text).not.toContain("wrong0");
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(401), 429]);
    expect(answers.at(-1)?.headers["retry-after"]).toBeDefined();
    await fresh.audited();
    const { data } = (await fresh.operator("GET", "/admin/v1/audit?action=session.create&limit=100")).body;
    expect(data).toHaveLength(20);
    expect(data[0]).toMatchObject({ actor: { type: "anonymous" }, response: { status: 401, code: "unauthorized" } });
    expect((await fresh.workspace()).key).toBeTruthy();
    await fresh.stop();
  });

  it.each([
    ["{", 400, "invalid_json"],
    ["[]", 400, "invalid_request"],
    ["{}", 400, "invalid_request"],
    ['{"key":1}', 400, "invalid_request"],
    ['{"key":""}', 400, "invalid_request"],
    ['{"key":"a","code":"b"}', 400, "invalid_request"],
    ['{"token":"a"}', 400, "invalid_request"],
    ['{"code":"never made"}', 401, "unauthorized"],
  ])("with %s is %i", async (body, status, code) => {
    const headers = { "content-type": "application/json" };
    expect((await new Browser(gateway).call("POST", "/console/session", { body, headers })).body).toMatchObject({
      status,
      code,
    });
  });

  it("is taken from no page of another site", async () => {
    const browser = new Browser(gateway);
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
      const answer = await browser.send("POST", "/console/session", { body: { key: mine.key }, headers });
      expect([answer.status, answer.headers["set-cookie"]]).toEqual([403, undefined]);
    }
  });

  it("is refused where the cookie could be read on its way", async () => {
    const proxied = await startGateway({ PUBLIC_URL: "https://waypost.example/gate" });
    const of = await proxied.workspace();
    const browser = new Browser(proxied);
    expect((await browser.signIn(of.key)).headers["set-cookie"]).toMatch(
      /^__Host-waypost=[\w-]{86}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect((await browser.session()).status).toBe(200);
    const headers = (origin: string) => ({ headers: { origin } });
    expect((await browser.send("GET", "/v1/contacts", headers("https://waypost.example"))).status).toBe(200);
    expect((await browser.send("GET", "/v1/contacts", headers(proxied.url))).status).toBe(403);
    await proxied.stop();
    const plain = await startGateway({ PUBLIC_URL: "http://waypost.example" });
    expect((await new Browser(plain).signIn((await plain.workspace()).key)).body).toMatchObject({
      status: 403,
      detail: expect.stringContaining("https"),
    });
    await plain.stop();
  });

  it("is done by a code once, within ten minutes, where a developer runs it alone", async () => {
    const code = async () => (await mine.call("POST", "/console/codes")).body;
    const first = await code();
    expect(Date.parse(first.expires_at) - gateway.clock.now()).toBeGreaterThan(590_000);
    const take = (given: string) => new Browser(gateway).call("POST", "/console/session", { body: { code: given } });
    expect((await take(first.code)).body).toMatchObject({ kind: "workspace", workspace: { id: mine.id } });
    expect((await take(first.code)).status).toBe(401);
    const late = await code();
    gateway.clock.advance(600_000);
    expect((await take(late.code)).status).toBe(401);
    expect((await gateway.as("wp_live_wrong")("POST", "/console/codes")).status).toBe(401);
    const production = await startGateway();
    const of = await production.workspace();
    expect((await of.call("POST", "/console/codes")).status).toBe(404);
    await production.stop();
  });
});

describe("the receiver of a developer's machine", () => {
  it("keeps the last fifty webhooks of each workspace for its own sessions, with the headers that receivers read", async () => {
    const browser = await signedIn();
    const { receiver_path: path } = (await browser.session()).body;
    expect(path).toBe(`/console/receiver/${mine.id}`);
    const url = `${gateway.url}${path}`;
    const headers = { "x-own": "secret" };
    const { body: endpoint } = await browser.call("POST", "/v1/webhook-endpoints", {
      body: { url, events: ["messages"], headers },
    });
    const { id } = await mine.inbound("+15558200090", "For the receiver");
    const received = async () => (await browser.call("GET", "/console/receiver")).body.data;
    await expect.poll(async () => (await received()).length, PATIENCE).toBe(1);
    const [{ body, headers: arrived }] = await received();
    expect(JSON.parse(body)).toMatchObject({ kind: "messages", data: { message: { id } } });
    expect(Object.keys(arrived)).toEqual(
      expect.arrayContaining(["webhook-id", "webhook-timestamp", "webhook-signature"]),
    );
    expect(JSON.stringify(arrived)).not.toContain("secret");

    const post = callAs(gateway.url, null);
    for (let n = 0; n < 60; n += 1) expect((await post("POST", path, { body: { n } })).status).toBe(204);
    expect((await received()).map((one: { body: string }) => JSON.parse(one.body).n)).toEqual(
      Array.from({ length: 50 }, (_, n) => 59 - n),
    );
    const other = await signedIn(theirs.key);
    expect((await other.call("GET", "/console/receiver")).body.data).toEqual([]);
    expect((await new Browser(gateway).call("GET", "/console/receiver")).status).toBe(401);
    expect((await post("POST", "/console/receiver/ws_none", { body: {} })).status).toBe(404);
    await mine.call("DELETE", `/v1/webhook-endpoints/${endpoint.id}`);
  });

  it("is nowhere else", async () => {
    const production = await startGateway();
    const of = await production.workspace();
    const browser = new Browser(production);
    expect((await browser.signIn(of.key)).body.receiver_path).toBeNull();
    expect((await browser.call("GET", "/console/receiver")).status).toBe(404);
    expect((await of.call("POST", `/console/receiver/${of.id}`, { body: {} })).status).toBe(404);
    await production.stop();
  });
});

describe("the operator's session", () => {
  it("calls as the operator, enters a workspace and leaves it, each with another cookie", async () => {
    const browser = await signedIn(OPERATOR_KEY);
    const begun = (await browser.session()).body;
    expect(begun).toMatchObject({ kind: "operator", workspace: null, key: null });
    expect((await browser.call("GET", "/admin/v1/workspaces")).status).toBe(200);
    expect((await browser.call("GET", "/v1/contacts")).body).toMatchObject({ status: 403, code: "forbidden" });
    const before = browser.cookie;
    expect((await browser.call("POST", `/admin/v1/workspaces/${mine.id}/sessions`)).status).toBe(204);
    expect(browser.cookie).not.toBe(before);
    const entered = (await browser.session()).body;
    expect(entered).toMatchObject({ kind: "operator", workspace: { id: mine.id }, key: null });
    expect(entered.id).not.toBe(begun.id);
    const workspace = (await browser.call("GET", "/v1/workspace")).body;
    expect(workspace).toMatchObject({ id: mine.id, api_key: null });
    const { body } = await browser.call("POST", "/v1/contacts", { body: { phone: "+15558200009" } });
    const [row] = await activity(mine, "contact.create");
    expect(row).toMatchObject({
      actor: { type: "operator" },
      resource: { id: body.id },
      request: { session: entered.id },
    });
    expect((await browser.call("GET", "/admin/v1/workspaces")).status).toBe(200);
    // The cookie of before is worth nothing.
    const old = new Browser(gateway);
    old.cookie = before;
    expect((await old.session()).status).toBe(401);

    expect((await browser.call("DELETE", `/admin/v1/workspaces/${theirs.id}/sessions`)).status).toBe(404);
    expect((await browser.call("DELETE", `/admin/v1/workspaces/${mine.id}/sessions`)).status).toBe(204);
    expect((await browser.session()).body).toMatchObject({ kind: "operator", workspace: null });
    const log = (await gateway.operator("GET", "/admin/v1/audit?limit=100")).body.data;
    const actions = log.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(["session.create", "session.enter", "session.leave"]));
    expect(log.find(({ action }: { action: string }) => action === "session.enter")).toMatchObject({
      resource: { type: "workspace", id: mine.id },
      request: { session: entered.id },
    });
  });

  it("ends after an hour without a request, and after twelve", async () => {
    const [idle, busy] = [await signedIn(OPERATOR_KEY), await signedIn(OPERATOR_KEY)];
    for (let step = 0; step < 13; step++) {
      expect([step, (await busy.session()).status]).toEqual([step, 200]);
      await isSeen(busy, NIL_WORKSPACE);
      gateway.clock.advance(55 * 60_000);
    }
    gateway.clock.advance(10 * 60_000);
    expect((await busy.session()).status).toBe(401);
    expect((await idle.session()).status).toBe(401);
  });

  it("cannot be had by a key alone, nor entered into what is not there", async () => {
    expect((await gateway.operator("POST", `/admin/v1/workspaces/${mine.id}/sessions`)).status).toBe(409);
    const browser = await signedIn(OPERATOR_KEY);
    expect((await browser.call("POST", "/admin/v1/workspaces/ws_00000000000000000000000000/sessions")).status).toBe(
      404,
    );
    expect((await browser.call("POST", "/admin/v1/workspaces/nonsense/sessions")).status).toBe(404);
    const own = await signedIn();
    expect((await own.call("POST", `/admin/v1/workspaces/${mine.id}/sessions`)).status).toBe(401);
  });
});
