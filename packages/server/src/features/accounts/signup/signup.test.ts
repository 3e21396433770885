import { beforeAll, describe, expect, it } from "vitest";
import { requestKey } from "../../../http/idempotency-key.ts";
import { startGateway, type Workspace } from "../../../testing/gateway.ts";
import {
  accountsOf,
  addAccount,
  begin,
  codeFor,
  completed,
  failed,
  nextOf,
  resume,
  signupEvents,
  startSignups,
} from "./testing/signups.ts";

const signups = await startSignups();
const { gateway, provider } = signups;
let mine: Workspace;
let theirs: Workspace;
beforeAll(async () => {
  [mine, theirs] = [await gateway.workspace(), await gateway.workspace()];
});

const steps = ["exchange", "inspect_token", "verify_ownership", "subscribe", "register", "import"];

describe("a signup", () => {
  it("connects the account: numbers registered, one event, its callbacks replayed, nothing of it readable elsewhere", async () => {
    const account = addAccount(signups);
    // The callbacks of the dialog come before any workspace owns the account.
    const code = codeFor(signups, [account], { report: true });
    await gateway.simulator.idle();
    const created = await mine.call("POST", "/v1/embedded-signups", { body: { code } });
    expect(created).toMatchObject({ status: 202, body: { status: "pending", completed_at: null } });
    expect(created.headers["location"]).toBe(`/v1/embedded-signups/${created.body.id}`);
    const done = await completed(mine, created.body.id);
    expect(done).toMatchObject({ provider_account_id: account.wabaId, provider_phone_number_id: null });
    expect(done.steps.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual(
      steps.map((name) => [name, "done"]),
    );
    const shown = await mine.call("GET", `/v1/business-accounts/${done.business_account_id}`);
    expect(shown.body).toMatchObject({ status: "connected", phone_numbers: [{ status: "connected" }] });
    expect(await signupEvents(mine)).toEqual([account.wabaId]);
    const heard = () => mine.rows("select state->>'provider_event' as e from event where kind = 'permissions_changed'");
    await expect.poll(async () => (await heard()).length).toBe(2);
    expect((await theirs.call("GET", `/v1/embedded-signups/${done.id}`)).status).toBe(404);
    expect((await theirs.call("POST", `/v1/embedded-signups/${done.id}/resume`)).status).toBe(404);
    const audit = await mine.rows(
      "select action, resource_id, status from audit where action like 'embedded_signup.create'",
    );
    expect(audit).toEqual([{ action: "embedded_signup.create", resource_id: done.id, status: 202 }]);
    // Once more: it stays as it is.
    await resume(mine, done.id);
    expect(await completed(mine, done.id)).toEqual(done);
    const again = { body: { code: "another" } };
    expect((await mine.call("POST", `/v1/embedded-signups/${done.id}/resume`, again)).body.code).toBe("conflict");
  });

  it("sends with the account's number", async () => {
    const account = addAccount(signups);
    await completed(mine, await begin(mine, { code: codeFor(signups, [account]) }));
    const number = await mine.rows<{ phone: string }>(
      "select phone from phone_number where provider_phone_number_id = $1",
      [account.numberIds[0] ?? ""],
    );
    const template = { name: "hi", language: { code: "en_US" } };
    const body = { from: number[0]?.phone, to: "+15551230009", type: "template", template };
    const sent = await mine.call("POST", "/v1/messages", { body });
    expect(sent.status).toBe(202);
    await expect
      .poll(async () => (await mine.call("GET", `/v1/messages/${sent.body.id}`)).body.status)
      .toBe("accepted");
  });

  it("keeps code, token and PIN sealed, in no answer, job, audit row or event, and erases them at its end", async () => {
    const account = addAccount(signups);
    const code = codeFor(signups, [account]);
    const pin = "918273";
    provider.fail(/register$/, "html");
    const id = await begin(mine, { code, pin });
    await expect.poll(() => provider.asked.some((call) => call.endsWith("/register"))).toBe(true);
    const hex = (text: string) => Buffer.from(text).toString("hex");
    const tables = ["embedded_signup", "phone_number_pin", "job", "audit", "event", "idempotency_key"];
    const contents = async () =>
      (await Promise.all(tables.map((table) => mine.rows<{ all: string }>(`select t::text as all from ${table} t`))))
        .flat()
        .map((row) => row.all)
        .join("\n");
    for (const secret of [code, pin]) {
      const all = await contents();
      expect([all.includes(secret), all.includes(hex(secret))]).toEqual([false, false]);
    }
    provider.mend();
    const done = await completed(mine, id, () => gateway.clock.advance(1_000));
    expect(JSON.stringify(done)).not.toContain(pin);
    const columns = "code, access_token, pin, has_secrets";
    expect(
      await mine.rows(`select ${columns} from embedded_signup where status = 'completed' and has_secrets`),
    ).toEqual([]);
    expect(await contents()).not.toContain("EAASIG");
  });

  it("can be repeated with its key, from whose row the PIN cannot be found by trying", async () => {
    const account = addAccount(signups, { numbers: [{ status: "PENDING", pin: "111111" }] });
    const id = await begin(mine, { code: codeFor(signups, [account]), pin: "222222" });
    expect(nextOf(await failed(mine, id)).error.code).toBe("pin_wrong");
    const path = `/v1/embedded-signups/${id}/resume`;
    const headers = { "idempotency-key": "resume-1" };
    const resumed = (pin: string) => mine.call("POST", path, { body: { pin }, headers });
    const first = await resumed("111111");
    expect(first.status).toBe(202);
    await completed(mine, id);
    const again = await resumed("111111");
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
    expect((await resumed("333333")).body.code).toBe("idempotency_key_reused");
    const { fingerprint } = requestKey("any", "POST", path, { pin: "111111" });
    const kept = await mine.rows("select 1 from idempotency_key where fingerprint = $1", [
      Buffer.from(fingerprint, "hex"),
    ]);
    expect(kept).toEqual([]);
  });

  it("begins its exchange though no process works tasks", async () => {
    const idle = await startGateway({}, { roles: ["api"] });
    try {
      const account = addAccount({ gateway: idle });
      const workspace = await idle.workspace();
      const id = await begin(workspace, { code: codeFor({ gateway: idle }, [account]) });
      expect(await completed(workspace, id)).toMatchObject({ provider_account_id: account.wabaId });
      expect(await accountsOf(workspace)).toEqual({ [account.wabaId]: "connected" });
    } finally {
      await idle.stop();
    }
  });

  it("replaces the token of an account that the workspace has connected already", async () => {
    const account = addAccount(signups);
    const first = await completed(mine, await begin(mine, { code: codeFor(signups, [account]) }));
    const read = () =>
      mine.rows<{ access_token: Buffer }>("select access_token from business_account where provider_account_id = $1", [
        account.wabaId,
      ]);
    const [before] = await read();
    const second = await completed(mine, await begin(mine, { code: codeFor(signups, [account]) }));
    const [after] = await read();
    expect(second.business_account_id).toBe(first.business_account_id);
    expect(after?.access_token.equals(before?.access_token ?? Buffer.alloc(0))).toBe(false);
    expect(second.steps[4].detail).toMatch(/is registered already/);
    expect((await signupEvents(mine)).filter((id) => id === account.wabaId)).toHaveLength(2); // one each
  });

  it("is refused where its code would have to wait for its exchange; other workspaces are not", async () => {
    // Its process has no tasks, which would begin some of them too.
    const alone = await startGateway({ PROVIDER_BASE_URL: provider.url }, { roles: ["api"] });
    try {
      const [one, other] = [await alone.workspace(), await alone.workspace()];
      provider.fail(/oauth/, "hang");
      // At once: each exchange is given up after some seconds.
      const codes = Array.from({ length: 24 }, (_, index) => `hanging-${index}`);
      const call = (code: string) => one.call("POST", "/v1/embedded-signups", { body: { code } });
      const statuses = (await Promise.all(codes.map(call))).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([...Array(16).fill(202), ...Array(8).fill(503)]);
      const more = await one.call("POST", "/v1/embedded-signups", { body: { code: "one-more" } });
      expect(more).toMatchObject({ status: 503, body: { code: "unavailable", retryable: true } });
      expect(await one.rows("select 1 from embedded_signup where status in ('pending', 'running')")).toHaveLength(16);
      expect((await other.call("POST", "/v1/embedded-signups", { body: { code: "code" } })).status).toBe(202);
      provider.mend();
      const left = () => one.rows("select 1 from embedded_signup where status in ('pending', 'running')");
      await expect.poll(async () => (await left()).length).toBe(0);
    } finally {
      provider.mend();
      await alone.stop();
    }
  });

  it("is refused without an app, and the answer names the setting", async () => {
    const without = await startGateway({ PROVIDER_APP_ID: "" }, { roles: ["api"] });
    try {
      const workspace = await without.workspace();
      const reply = await workspace.call("POST", "/v1/embedded-signups", { body: { code: "code-9001" } });
      expect(reply).toMatchObject({ status: 409, body: { code: "conflict" } });
      expect(reply.body.detail).toContain("PROVIDER_APP_ID");
    } finally {
      await without.stop();
    }
  });

  it.each([
    ["a PIN of five digits", { code: "c", pin: "12345" }, "/pin"],
    ["letters in the account's id", { code: "c", provider_account_id: "9x" }, "/provider_account_id"],
    ["no code", {}, "/code"],
    ["a code with a space", { code: "a b" }, "/code"],
  ])("refuses %s", async (_name, body, _pointer) => {
    const reply = await mine.call("POST", "/v1/embedded-signups", { body });
    expect(reply).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });
});

describe("a code or token that is of no use", () => {
  it.each([
    ["has expired", { expires_in_ms: 0 }],
    ["was used before", { used: true }],
  ])("a code that %s ends the exchange, and a new one completes it", async (_name, more) => {
    const account = addAccount(signups);
    const id = await begin(mine, { code: codeFor(signups, [account], more) });
    const ended = await failed(mine, id);
    expect(nextOf(ended)).toMatchObject({
      name: "exchange",
      status: "failed",
      error: { code: "code_expired", retryable: false, provider: { code: 100, subcode: 36009 } },
    });
    const blind = await mine.call("POST", `/v1/embedded-signups/${id}/resume`);
    expect(blind).toMatchObject({ status: 409, body: { code: "conflict" } });
    await resume(mine, id, { code: codeFor(signups, [account]) });
    await completed(mine, id);
    expect((await signupEvents(mine)).filter((of) => of === account.wabaId)).toHaveLength(1);
  });

  it("an unknown code is refused once and not tried again", async () => {
    provider.fail(/oauth/, { status: 400, body: { error: { message: "Error validating client secret.", code: 1 } } });
    const id = await begin(mine, { code: "a-code" });
    expect(nextOf(await failed(mine, id))).toMatchObject({ name: "exchange", error: { code: "code_rejected" } });
    expect(provider.asked).toEqual(["GET /oauth/access_token"]);
  });

  it("a token without a permission is named as such; nothing is subscribed", async () => {
    const account = addAccount(signups);
    const id = await begin(mine, { code: codeFor(signups, [account], { scopes: ["whatsapp_business_management"] }) });
    const step = nextOf(await failed(mine, id));
    expect(step).toMatchObject({ name: "inspect_token", error: { code: "scope_missing" } });
    expect(step.detail).toContain("whatsapp_business_messaging");
    expect(provider.asked.some((call) => call.startsWith("POST"))).toBe(false);
    await resume(mine, id, { code: codeFor(signups, [account]) });
    await completed(mine, id);
  });

  it("a token of another app, and one that has expired", async () => {
    const account = addAccount(signups);
    const other = await begin(mine, { code: codeFor(signups, [account], { app_id: "43" }) });
    expect(nextOf(await failed(mine, other))).toMatchObject({ error: { code: "token_of_another_app" } });
    const dead = await begin(mine, { code: codeFor(signups, [account], { token_expires_in_ms: 0 }) });
    expect(nextOf(await failed(mine, dead))).toMatchObject({
      name: "inspect_token",
      error: { code: "token_invalid", provider: { code: 190, subcode: 463 } },
    });
    expect(await accountsOf(mine)).not.toHaveProperty(account.wabaId);
  });

  it("says when a token expires", async () => {
    const account = addAccount(signups);
    const code = codeFor(signups, [account], { token_expires_in_ms: 60 * 24 * 3_600_000 });
    const done = await completed(mine, await begin(mine, { code }));
    expect(done.steps[1].detail).toMatch(/^The token expires at 20\d\d-/);
  });
});
