import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import { createLog } from "../../../lib/log.ts";
import { callAs, type Reply } from "../../../testing/call.ts";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";
import { Browser } from "../../sessions/testing/browser.ts";
import {
  accountsOf,
  addAccount,
  allowIn,
  completed,
  failed,
  type Granted,
  signupEvents,
} from "../signup/testing/signups.ts";
import { browserOf } from "./browser.ts";

const RETURN = "https://shop.example/connected?plan=1";
const HOUR_MS = 3_600_000;

let gateway: Gateway;
let mine: Workspace;
let theirs: Workspace;
/** All that the gateway has logged, and all that must not be in it. */
const lines: string[] = [];
const secrets: string[] = [];
beforeAll(async () => {
  const log = createLog("debug", { to: { write: (line) => void lines.push(line) } });
  gateway = await startGateway({}, { log });
  [mine, theirs] = [await gateway.workspace(), await gateway.workspace()];
});
afterAll(() => gateway.stop());

type Link = { id: string; url: string; secret: string };

async function linkOf(of: Pick<Workspace, "call">, body?: object): Promise<Link> {
  const { status, text, body: link } = await of.call("POST", "/v1/setup-links", body ? { body } : {});
  if (status !== 201) throw new Error(`no link: ${text}`);
  const secret = new URL(link.url).hash.slice(1);
  secrets.push(secret);
  return { ...link, secret };
}

/** The line of a call of a link's page. */
const lineOf = ({ id }: Pick<Link, "id">, path: string) =>
  lines.map((line) => JSON.parse(line)).find(({ actor, route }) => actor === id && route === `/signup/link/${path}`);

/** Keeps what a statement locks; resolves with what ends it. */
async function hold({ uuid }: Workspace, statement: string, values: string[] = []): Promise<() => Promise<void>> {
  let end = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  return await new Promise<() => Promise<void>>((resolve, reject) => {
    const held = gateway.app.db.transaction(uuid, async (sql) => {
      await sql.run(statement, values);
      resolve(() => {
        end();
        return held;
      });
      await until;
    });
    held.catch(reject);
  });
}

/** A browser with the page of a link open. */
class LinkPage {
  readonly browser: Browser;
  readonly #secret: string;

  constructor({ secret }: Pick<Link, "secret">, browser = new Browser(gateway)) {
    this.#secret = secret;
    this.browser = browser;
  }

  call(method: "GET" | "POST", path: string, body?: object): Promise<Reply> {
    const headers = { authorization: `Bearer ${this.#secret}` };
    return this.browser.send(method, `/signup/link/${path}`, { headers, ...(body ? { body } : {}) });
  }

  async view() {
    const { status, body, text } = await this.call("GET", "view");
    if (status !== 200) throw new Error(`no view: ${text}`);
    return body;
  }

  /** What the dialog brings back for these accounts. */
  async answer(...granted: Granted[]): Promise<{ code: string; state: string }> {
    const { body } = await this.call("POST", "dialog", {});
    const { searchParams } = await allowIn(body.dialog_url, ...granted);
    const answer = { code: searchParams.get("code") ?? "", state: searchParams.get("state") ?? "" };
    secrets.push(answer.code, answer.state);
    return answer;
  }
}

const statusOf = async (of: Pick<Workspace, "call">, { id }: Pick<Link, "id">): Promise<string> =>
  (await of.call("GET", `/v1/setup-links/${id}`)).body.status;
const signupOf = async (of: Pick<Workspace, "call">, { id }: Pick<Link, "id">): Promise<string> =>
  (await of.call("GET", `/v1/setup-links/${id}`)).body.embedded_signup_id;
const activityOf = async (of: Pick<Workspace, "call">, { id }: Pick<Link, "id">) => {
  await gateway.audited();
  return (await of.call("GET", `/v1/audit/activity?actor=${id}&limit=100`)).body.data;
};

describe("a setup link", () => {
  it("connects the client's account, once, and is of its workspace alone", async () => {
    const account = addAccount({ gateway });
    const created = await mine.call("POST", "/v1/setup-links", { body: { return_url: RETURN } });
    expect(created).toMatchObject({
      status: 201,
      headers: { location: `/v1/setup-links/${created.body.id}` },
      body: { id: expect.stringMatching(/^stl_/), status: "open", return_url: RETURN, embedded_signup_id: null },
    });
    const { id, url, expires_at } = created.body;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/signup#[\w-]{86}$/);
    expect(Math.abs(Date.parse(expires_at) - gateway.clock.now() - 24 * HOUR_MS)).toBeLessThan(10_000);
    const link = { id, url, secret: new URL(url).hash.slice(1) };
    const page = new LinkPage(link);
    const [{ name }] = (await mine.rows<{ name: string }>("select name from workspace")) as [{ name: string }];
    expect(await page.view()).toEqual({
      status: "open",
      expires_at,
      return_url: RETURN,
      workspace: name,
      signup: null,
    });

    const answer = await page.answer(account);
    expect((await page.call("POST", "code", answer)).status).toBe(202);
    const signupId = await signupOf(mine, link);
    const signup = await completed(mine, signupId);
    expect(await accountsOf(mine)).toEqual({ [account.wabaId]: "connected" });
    expect(await signupEvents(mine)).toEqual([account.wabaId]);
    expect(lineOf(link, "code")).toMatchObject({ status: 202, resource_id: signupId });
    expect(await page.view()).toMatchObject({ status: "completed", signup: { id: signupId, status: "completed" } });
    expect((await mine.call("GET", `/v1/setup-links/${id}`)).body).toEqual({
      id,
      status: "completed",
      expires_at,
      return_url: RETURN,
      embedded_signup_id: signup.id,
      created_at: created.body.created_at,
    });

    // Used: nothing more is done with it, but the page of it says so.
    for (const [path, body] of [
      ["dialog", {}],
      ["code", answer],
      ["resume", {}],
    ] as const)
      expect([path, (await page.call("POST", path, body)).body.code]).toEqual([path, "conflict"]);

    expect(await activityOf(mine, link)).toMatchObject([
      ...["embedded_signup.resume", "embedded_signup.create", "setup_link.open_dialog"].map((action) => ({
        action,
        actor: { type: "setup_link", id, name: null },
        response: { status: 409, code: "conflict" },
      })),
      { action: "embedded_signup.create", resource: { type: "signup", id: signupId }, response: { status: 202 } },
      { action: "setup_link.open_dialog", resource: { type: "setup_link", id }, response: { status: 200, code: null } },
    ]);
    const made = (await mine.call("GET", `/v1/audit/activity?resource=${id}&action=setup_link.create`)).body.data;
    expect(made).toMatchObject([{ actor: { type: "api_key" }, changes: { expires_at } }]);

    for (const [method, path] of [
      ["GET", `/v1/setup-links/${id}`],
      ["DELETE", `/v1/setup-links/${id}`],
      ["GET", `/v1/embedded-signups/${signupId}`],
    ] as const)
      expect([path, (await theirs.call(method, path)).status]).toEqual([path, 404]);
    expect((await theirs.call("GET", "/v1/setup-links")).body.data).toEqual([]);
    expect(await activityOf(theirs, link)).toEqual([]);
  });

  it("keeps its secret out of every table, and gives it again to the same request alone", async () => {
    const headers = { "idempotency-key": "link-1" };
    const create = () => mine.call("POST", "/v1/setup-links", { headers });
    const [first, again] = [await create(), await create()];
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
    const secret = new URL(first.body.url).hash.slice(1);
    await new LinkPage({ secret }).view();
    secrets.push(secret);
    expect(lineOf(first.body, "view")).toMatchObject({ status: 200 });
    const tables = ["setup_link", "audit", "idempotency_key", "event", "job"];
    for (const table of tables) {
      const rows = await mine.rows<{ all: string }>(`select t::text as all from ${table} t`);
      const all = rows.map((row) => row.all).join("\n");
      for (const text of [
        secret,
        Buffer.from(secret).toString("hex"),
        Buffer.from(secret, "base64url").toString("hex"),
      ])
        expect([table, all.includes(text)]).toEqual([table, false]);
    }
  });

  it("is opened without being spent, in several tabs, which begin one signup", async () => {
    const link = await linkOf(mine);
    const page = new LinkPage(link);
    const tab = new LinkPage(link, page.browser);
    await page.view();
    const answers = [await page.answer(addAccount({ gateway })), await tab.answer(addAccount({ gateway }))] as const;
    expect([await statusOf(mine, link), await signupOf(mine, link)]).toEqual(["open", null]);
    // Both at once: one signup, and the other answer waits or is refused.
    const given = await Promise.all([page.call("POST", "code", answers[0]), tab.call("POST", "code", answers[1])]);
    expect(given.map(({ status }) => status)).toContain(202);
    expect(given.every(({ status, body }) => status === 202 || body.code === "conflict")).toBe(true);
    const signup = await completed(mine, await signupOf(mine, link));
    expect((await mine.call("GET", "/v1/embedded-signups?limit=1")).body.data).toEqual([signup]);
  });

  it("takes the same answer twice as one", async () => {
    const link = await linkOf(mine);
    const page = new LinkPage(link);
    await page.view();
    const answer = await page.answer(addAccount({ gateway }));
    const count = async () => (await mine.rows("select 1 from embedded_signup")).length;
    const before = await count();
    const twins = await Promise.all([page.call("POST", "code", answer), page.call("POST", "code", answer)]);
    expect(twins.map(({ status }) => status)).toEqual([202, 202]);
    await completed(mine, await signupOf(mine, link));
    expect(await count()).toBe(before + 1);
  });
});

describe("an answer of the dialog", () => {
  it("is taken by the link and the browser that asked for it, and by no other", async () => {
    const [link, other, foreign] = [await linkOf(mine), await linkOf(mine), await linkOf(theirs)];
    const page = new LinkPage(link);
    await page.view();
    const answer = await page.answer(addAccount({ gateway }));
    const elsewhere = new LinkPage(link);
    await elsewhere.view();
    const refused = {
      "another browser with the link": elsewhere.call("POST", "code", answer),
      "a browser without a cookie": new LinkPage(link).call("POST", "code", answer),
      "another link in the same browser": new LinkPage(other, page.browser).call("POST", "code", answer),
      "a link of another workspace": new LinkPage(foreign, page.browser).call("POST", "code", answer),
      "a state of another browser": page.call("POST", "code", { ...answer, ...(await stateOf(elsewhere)) }),
      "a state of another link": page.call("POST", "code", {
        ...answer,
        ...(await stateOf(new LinkPage(other, page.browser))),
      }),
      "a state that was never asked for": page.call("POST", "code", { ...answer, state: "a".repeat(60) }),
    };
    for (const [who, reply] of Object.entries(refused))
      expect([who, (await reply).status, (await reply).body.code]).toEqual([who, 403, "forbidden"]);
    for (const of of [link, other]) expect(await signupOf(mine, of)).toBeNull();
    expect(await signupOf(theirs, foreign)).toBeNull();
    expect((await page.call("POST", "code", answer)).status).toBe(202);
    await completed(mine, await signupOf(mine, link));
  });

  const stateOf = async (page: LinkPage): Promise<{ state: string }> => {
    const { body } = await page.call("POST", "dialog", {});
    return { state: new URL(body.dialog_url).searchParams.get("state") ?? "" };
  };

  it("that the provider refuses is followed by another, in another browser, of another account", async () => {
    const link = await linkOf(mine);
    const page = new LinkPage(link);
    await page.view();
    const { state } = await page.answer(addAccount({ gateway }));
    expect((await page.call("POST", "code", { state, code: "spent" })).status).toBe(202);
    const signupId = await signupOf(mine, link);
    await failed(mine, signupId);
    const phone = new LinkPage(link);
    expect(await phone.view()).toMatchObject({
      status: "open",
      signup: {
        id: signupId,
        status: "failed",
        steps: [{ status: "failed", code: expect.stringMatching(/^code_/) }, {}, {}, {}, {}, {}],
      },
    });
    const account = addAccount({ gateway });
    expect((await phone.call("POST", "code", await phone.answer(account))).status).toBe(202);
    expect(await completed(mine, signupId)).toMatchObject({ provider_account_id: account.wabaId });
    expect(await signupOf(mine, link)).toBe(signupId);
  });
});

describe("a signup that stands still", () => {
  const AT_REGISTER = ["done", "done", "done", "done", "pin_wrong", "pending"];
  it("goes on with the PIN that its number has", async () => {
    const link = await linkOf(mine);
    const page = new LinkPage(link);
    await page.view();
    expect((await page.call("POST", "resume", {})).body.code).toBe("conflict"); // nothing was begun yet
    await page.call(
      "POST",
      "code",
      await page.answer(addAccount({ gateway }, { numbers: [{ status: "PENDING", pin: "445566" }] })),
    );
    const signupId = await signupOf(mine, link);
    await failed(mine, signupId);
    const { signup } = await page.view();
    expect(signup.steps.map(({ status, code }: { status: string; code: string | null }) => code ?? status)).toEqual(
      AT_REGISTER,
    );
    expect((await page.call("POST", "resume", { pin: "44556" })).body.errors).toMatchObject([{ pointer: "/pin" }]);
    expect((await page.call("POST", "resume", { pin: "445566" })).status).toBe(202);
    await completed(mine, signupId);
    expect(JSON.stringify(await activityOf(mine, link))).not.toContain("445566");
  });

  it("goes on with the account that the client chooses of those that the dialog granted", async () => {
    const granted = [addAccount({ gateway }), addAccount({ gateway })];
    const link = await linkOf(mine);
    const page = new LinkPage(link);
    await page.view();
    await page.call("POST", "code", await page.answer(...granted));
    const signupId = await signupOf(mine, link);
    await failed(mine, signupId);
    const { accounts } = (await page.view()).signup;
    expect(accounts.toSorted()).toEqual(granted.map(({ wabaId }) => wabaId));
    const [, chosen = ""] = accounts;
    expect((await page.call("POST", "resume", { provider_account_id: chosen })).status).toBe(202);
    expect(await completed(mine, signupId)).toMatchObject({ provider_account_id: chosen });
  });
});

describe("a link that is over", () => {
  const ends = {
    expired: async () => gateway.clock.advance(HOUR_MS),
    revoked: async ({ id }: Link) => void (await mine.call("DELETE", `/v1/setup-links/${id}`)),
  };

  it.each(["expired", "revoked"] as const)(
    "says that it is %s, and does nothing; what was begun goes on",
    async (how) => {
      const link = await linkOf(mine, { expires_at: new Date(gateway.clock.now() + HOUR_MS).toISOString() });
      const page = new LinkPage(link);
      await page.view();
      const account = addAccount({ gateway }, { numbers: [{ status: "PENDING", pin: "445566" }] });
      const answer = await page.answer(account);
      await page.call("POST", "code", answer);
      await failed(mine, await signupOf(mine, link));
      const late = await page.answer(account);
      await ends[how](link);
      expect([await statusOf(mine, link), (await page.view()).status]).toEqual([how, how]);
      for (const [path, body] of [
        ["dialog", {}],
        ["code", late],
        ["resume", { pin: "445566" }],
      ] as const) {
        const refused = await page.call("POST", path, body);
        expect([path, refused.body.code, refused.body.detail]).toEqual([
          path,
          "conflict",
          expect.stringContaining(how),
        ]);
      }
      const signupId = await signupOf(mine, link);
      await mine.call("POST", `/v1/embedded-signups/${signupId}/resume`, { body: { pin: "445566" } });
      await completed(mine, signupId);
      expect([await statusOf(mine, link), (await page.view()).status]).toEqual(["completed", "completed"]);
    },
  );
});

it("is revoked once, however often it is asked for", async () => {
  const link = await linkOf(mine);
  const revoke = () => mine.call("DELETE", `/v1/setup-links/${link.id}`);
  expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 204]);
  const rows = (await mine.call("GET", `/v1/audit/activity?resource=${link.id}&action=setup_link.delete`)).body.data;
  expect(rows.map(({ changes }: { changes: object }) => changes)).toEqual([null, { revoked_at: expect.any(String) }]);
});

describe("creating a link", () => {
  it.each([
    [{ return_url: "http://shop.example/connected" }, "/return_url"],
    [{ return_url: "http://127.0.0.1:3000/" }, "/return_url"],
    [{ return_url: "https://ann:secret@shop.example/" }, "/return_url"],
    [{ return_url: "javascript:alert(1)" }, "/return_url"],
    [{ return_url: `https://shop.example/${"a".repeat(2_048)}` }, "/return_url"],
    [{ expires_at: "2020-01-01T00:00:00Z" }, "/expires_at"],
    [{ expires_at: "2199-01-01T00:00:00Z" }, "/expires_at"],
    [{ url: "https://shop.example" }, "/url"],
  ])("with %o is refused", async (body, pointer) => {
    const refused = await mine.call("POST", "/v1/setup-links", { body });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer }]]);
  });

  it("lasts seven days at most", async () => {
    const at = (days: number) => ({ expires_at: new Date(gateway.clock.now() + days * 24 * HOUR_MS).toISOString() });
    expect((await mine.call("POST", "/v1/setup-links", { body: at(6.99) })).status).toBe(201);
    expect((await mine.call("POST", "/v1/setup-links", { body: at(7.01) })).status).toBe(400);
  });

  it("needs the scope, and reading another", async () => {
    const keyWith = async (scopes: string[]) =>
      gateway.as((await mine.call("POST", "/v1/api-keys", { body: { name: "one", scopes } })).body.key);
    const [reader, writer] = [await keyWith(["accounts:read"]), await keyWith(["accounts:write"])];
    expect((await reader("POST", "/v1/setup-links")).status).toBe(403);
    expect((await reader("GET", "/v1/setup-links")).status).toBe(200);
    const { body } = await writer("POST", "/v1/setup-links");
    expect((await writer("GET", `/v1/setup-links/${body.id}`)).status).toBe(403);
    expect((await reader("DELETE", `/v1/setup-links/${body.id}`)).status).toBe(403);
    expect((await writer("DELETE", `/v1/setup-links/${body.id}`)).status).toBe(204);
  });

  it("is refused where its address could be read on the way", async () => {
    const other = await startGateway({ PUBLIC_URL: "http://gateway.example" });
    try {
      const { status, body } = await (await other.workspace()).call("POST", "/v1/setup-links");
      expect([status, body.detail]).toEqual([409, expect.stringContaining("PUBLIC_URL")]);
    } finally {
      await other.stop();
    }
  });

  it("has a bound of those that are open", async () => {
    const of = await gateway.workspace();
    await of.call("POST", "/v1/setup-links");
    await gateway.app.db.transaction(of.uuid, (sql) =>
      sql.run(
        `insert into setup_link (workspace_id, id, digest, expires_at, created_at)
         select workspace_id, gen_random_uuid(), digest, expires_at, created_at from setup_link, generate_series(1, 499)`,
        [],
      ),
    );
    const refused = await of.call("POST", "/v1/setup-links");
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
    const { data } = (await of.call("GET", "/v1/setup-links?limit=1")).body;
    await of.call("DELETE", `/v1/setup-links/${data[0].id}`);
    expect((await of.call("POST", "/v1/setup-links")).status).toBe(201);
  });

  it("forgets the oldest that are over, beyond five thousand, and none that is open", async () => {
    const of = await gateway.workspace();
    const first = await linkOf(of);
    // Older than it: one that is open, and 5,000 that were revoked.
    await gateway.app.db.transaction(of.uuid, (sql) =>
      sql.run(
        `insert into setup_link (workspace_id, id, digest, expires_at, revoked_at, created_at)
         select workspace_id, lpad(to_hex(n), 32, '0')::uuid, digest, expires_at, case when n > 1 then created_at end, created_at
         from setup_link, generate_series(1, 5001) n`,
        [],
      ),
    );
    const second = await linkOf(of);
    const oldest = await of.rows("select id from setup_link order by id limit 2");
    expect(oldest).toEqual([1, 3].map((n) => ({ id: `00000000-0000-0000-0000-00000000000${n}` })));
    const list = async (query: string) => (await of.call("GET", `/v1/setup-links?${query}`)).body;
    const { data, next_cursor } = await list("limit=1");
    expect([...data, ...(await list(`limit=1&cursor=${next_cursor}`)).data].map(({ id }) => id)).toEqual([
      second.id,
      first.id,
    ]);
  });
});

describe("what calls the paths of the page", () => {
  it("is a setup link alone: no cookie of the console, no key, and none of these for a link", async () => {
    const link = await linkOf(mine);
    const browser = new Browser(gateway);
    await browser.signIn(mine.key);
    const asConsole = await browser.call("GET", "/signup/link/view");
    expect([asConsole.status, asConsole.body.code]).toEqual([401, "unauthorized"]);
    expect((await mine.call("GET", "/signup/link/view")).status).toBe(401);
    expect((await gateway.as(link.secret)("GET", "/v1/setup-links")).status).toBe(401);
    // Beside a link the console's cookie says nothing: it is the link's workspace, and its rights.
    const foreign = await linkOf(theirs);
    const beside = await new LinkPage(foreign, browser).view();
    const [{ name }] = (await theirs.rows<{ name: string }>("select name from workspace")) as [{ name: string }];
    expect(beside.workspace).toBe(name);
  });

  it.each([
    ["dialog", { return_url: "https://elsewhere.example" }, "/return_url"],
    ["dialog", { "a/b": "c" }, "/a~1b"],
    ["code", { code: "a code", state: "x" }, "/code"],
    ["code", { code: "x" }, ""],
    ["code", { code: "x", state: "x", redirect_uri: "https://elsewhere.example" }, "/redirect_uri"],
    ["resume", { code: "x" }, "/code"],
    ["resume", { provider_account_id: 9001 }, "/provider_account_id"],
    ["resume", [], ""],
  ])("gives %s no more than it takes: %o", async (path, body, pointer) => {
    const refused = await new LinkPage(await linkOf(mine)).call("POST", path, body);
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer }]]);
  });

  it("is refused while the workspace is suspended, within 5 s", async () => {
    const of = await gateway.workspace();
    const page = new LinkPage(await linkOf(of));
    await page.view();
    for (const [status, seen] of [
      ["suspended", 403],
      ["active", 200],
    ] as const) {
      await gateway.operator("PATCH", `/admin/v1/workspaces/${of.id}`, { body: { status } });
      gateway.clock.advance(4_000);
      expect([status, (await page.call("GET", "view")).status]).toEqual([status, seen]);
    }
  });

  it("gives a browser a cookie that no other site and no script has, by https under a name that is of this host alone", () => {
    const at = (PUBLIC_URL: string | null) =>
      browserOf({ headers: {} }, { ...gateway.app.config, PUBLIC_URL }).setCookie;
    const rest = "=[\\w-]{43}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict";
    expect(at("https://gateway.example/messages")).toMatch(new RegExp(`^__Host-waypost-setup${rest}; Secure$`));
    expect(at("http://127.0.0.1:8080")).toMatch(new RegExp(`^waypost_setup_8080${rest}$`));
  });

  it("is bounded by itself: a link that is called without end takes nothing from the workspace, nor fills its log", async () => {
    const link = await linkOf(mine);
    const page = new LinkPage(link);
    await page.view();
    const statuses = await Promise.all(
      Array.from({ length: 150 }, async () => {
        const { status, headers } = await page.call("GET", "view");
        return status === 429 ? `429 ${headers["retry-after"]}` : String(status);
      }),
    );
    expect([...new Set(statuses)].toSorted()).toEqual(["200", "429 1"]);
    expect(statuses.filter((status) => status === "200").length).toBeGreaterThanOrEqual(40);
    expect(await activityOf(mine, link)).toEqual([]);
    expect((await new LinkPage(await linkOf(mine)).view()).status).toBe("open");
    gateway.clock.advance(10_000);
    expect((await page.view()).status).toBe("open");
  });

  it("does as much as a person does: a link that is over fills no log of calls", async () => {
    const link = await linkOf(mine);
    const page = new LinkPage(link);
    await mine.call("DELETE", `/v1/setup-links/${link.id}`);
    const replies = await Promise.all(Array.from({ length: 60 }, () => page.call("POST", "dialog", {})));
    const refused = replies.filter(({ status }) => status === 409);
    expect(refused.length).toBeGreaterThanOrEqual(30);
    expect(refused.length).toBeLessThan(45); // one more each five seconds
    const others = replies.filter(({ status }) => status !== 409);
    for (const { status, headers } of others)
      expect([status, headers["retry-after"]]).toEqual([429, expect.stringMatching(/^[1-5]$/)]);
    expect(await activityOf(mine, link)).toHaveLength(refused.length);
    expect((await page.view()).status).toBe("revoked");
    gateway.clock.advance(5_000);
    expect((await page.call("POST", "dialog", {})).status).toBe(409);
  });

  it("waits for its turn at the database: many calls of a link that is locked hold up no other workspace", async () => {
    const link = await linkOf(mine);
    const page = new LinkPage(link);
    await page.view();
    const uuid = parseId("stl", link.id)!;
    const end = await hold(mine, "select 1 from setup_link where id = $1 for update", [uuid]);
    const used = (): number => gateway.app.db.connections().find(({ name }) => name === "work")!.used;
    const calls = Array.from({ length: 25 }, () => page.call("POST", "dialog", {}));
    await vi.waitFor(() => expect(used()).toBeGreaterThan(6), { timeout: 30_000 });
    for (let index = 0; index < 3; index++) expect((await theirs.call("GET", "/v1/embedded-signups")).status).toBe(200);
    expect(used()).toBeLessThan(14); // of sixteen
    await end();
    expect((await Promise.all(calls)).map(({ status }) => status)).toContain(200);
  });

  it("is looked up by few connections: who sends secrets at random leaves the others to those who have one", async () => {
    gateway.clock.advance(60_001);
    const end = await hold(theirs, "lock table setup_link in access exclusive mode");
    const statuses: number[] = [];
    const guesses = Array.from({ length: 40 }, async () => {
      const { status } = await callAs(gateway.url, randomBytes(64).toString("base64url"))("GET", "/signup/link/view");
      statuses.push(status);
    });
    await vi.waitFor(() => expect(statuses).toEqual(Array.from({ length: 32 }, () => 503)), { timeout: 7_000 });
    await end();
    await Promise.all(guesses);
    expect(statuses.slice(32)).toEqual(Array.from({ length: 8 }, () => 401));
  });

  it("may guess twenty times a minute, which keeps no link from working", async () => {
    gateway.clock.advance(60_001);
    const link = await linkOf(mine);
    const other = (await linkOf(theirs)).secret;
    // The place of one link with the random bytes of another, and what has no shape at all.
    const guesses = [link.secret.slice(0, 43) + other.slice(43), "x"];
    const statuses: number[] = [];
    for (let index = 0; index < 22; index++)
      statuses.push((await callAs(gateway.url, guesses[index % 2] ?? "")("GET", "/signup/link/view")).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429, 429]);
    await gateway.audited();
    const { data } = (await gateway.operator("GET", "/admin/v1/audit?action=setup_link.open&status=401&limit=100"))
      .body;
    expect(data[0]).toMatchObject({ actor: { type: "anonymous" }, response: { code: "unauthorized" } });
    expect(JSON.stringify(data)).not.toContain(guesses[0]);
    expect((await new LinkPage(link).view()).status).toBe("open");
  });
});

it("has left no secret, code or state in the log", () => {
  expect(secrets.length).toBeGreaterThan(30);
  const all = lines.join("");
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
});
