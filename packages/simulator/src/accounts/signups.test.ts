import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Pair, startPair, template } from "../testing/provider.ts";
import { APP_SECRET } from "../testing/receiver.ts";

let now = Date.now();
let pair: Pair;
beforeAll(async () => {
  pair = await startPair({ clock: { nowMs: () => now } });
});
afterAll(() => pair.close());
beforeEach(async () => {
  now = Date.now();
  pair.simulator.reset();
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const APP = `42|${APP_SECRET}`;
const exchange = (code: string, more: { redirect_uri?: string } = {}) =>
  pair.call(
    "GET",
    `/v26.0/oauth/access_token?${new URLSearchParams({ client_id: "42", client_secret: APP_SECRET, code, ...more }).toString()}`,
  );
const inspect = async (token: string) =>
  (await pair.call("GET", `/v26.0/debug_token?input_token=${token}`, undefined, APP)).body.data;
type Input = Parameters<Pair["simulator"]["issueSignupCode"]>[0];
const issue = (more: Partial<Input> = {}) => pair.simulator.issueSignupCode({ waba_ids: ["9001"], ...more }).code;
const tokenFor = async (more: Partial<Input> = {}) => (await exchange(issue(more))).body.access_token;
const SPENT = { status: 400, body: { error: { code: 100, error_subcode: 36009 } } };

describe("a signup code", () => {
  test("works once", async () => {
    const code = issue();
    expect((await exchange(code)).body).toEqual({ access_token: expect.stringMatching(/^EAA/), token_type: "bearer" });
    expect(await exchange(code)).toMatchObject(SPENT);
  });

  test("lives for 30 seconds of the simulator's clock", async () => {
    const [first, second] = [issue(), issue()];
    now += 29_999;
    expect((await exchange(first)).status).toBe(200);
    now += 1;
    expect(await exchange(second)).toMatchObject(SPENT);
  });

  test("of each account that always works can be replaced by one with rules", async () => {
    expect((await exchange("code-9001")).body.access_token).toBe("EAASIMDEMO");
    expect((await exchange("code-9001")).status).toBe(200);
    issue({ code: "code-9001", used: true });
    expect(await exchange("code-9001")).toMatchObject(SPENT);
    expect(await exchange("code-1")).toMatchObject(SPENT);
  });

  test("needs the app's secret and id", async () => {
    const wrong = await pair.call("GET", "/v26.0/oauth/access_token?client_id=42&client_secret=x&code=code-9001");
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: 1 } } });
    const other = `/v26.0/oauth/access_token?client_id=43&client_secret=${APP_SECRET}&code=code-9001`;
    expect(await pair.call("GET", other)).toMatchObject({ body: { error: { code: 101 } } });
  });

  test("comes with the callbacks of a completed dialog, unless they are switched off", async () => {
    issue();
    await pair.simulator.idle();
    const heard = () => pair.simulator.callbacks().data.length;
    const bodies = JSON.stringify(pair.simulator.callbacks().data);
    expect([bodies.includes("PARTNER_ADDED"), bodies.includes("PARTNER_APP_INSTALLED")]).toEqual([true, true]);
    const before = heard();
    issue({ report: false });
    pair.simulator.setSettings({ signupCallbacks: false });
    issue();
    await pair.simulator.idle();
    expect(heard()).toBe(before);
  });

  test("by the control API", async () => {
    const { status, body } = await pair.call("POST", "/sim/signup-codes", { waba_ids: ["9001"] });
    expect([status, (await exchange(body.code)).status]).toEqual([201, 200]);
    expect((await pair.call("POST", "/sim/signup-codes", { waba_ids: ["1"] })).status).toBe(404);
    expect((await pair.call("POST", "/sim/signup-codes", { waba_ids: ["9001"], misspelt: 1 })).status).toBe(400);
  });
});

describe("a granted token", () => {
  test("reaches its accounts and says so", async () => {
    const second = { id: "2055", display_phone_number: "+15559990002" };
    const other = { waba_id: "9002", name: "B", business_id: "7002", token: "EAAOTHER" };
    pair.simulator.addAccount({ ...other, phone_numbers: [second] });
    const token = await tokenFor({ waba_ids: ["9001", "9002"] });
    expect(await inspect(token)).toMatchObject({
      app_id: "42",
      is_valid: true,
      expires_at: 0,
      data_access_expires_at: 0,
      granular_scopes: [
        { scope: "whatsapp_business_management", target_ids: ["9001", "9002"] },
        { scope: "whatsapp_business_messaging", target_ids: ["9001", "9002"] },
      ],
    });
    expect((await pair.call("GET", "/v26.0/9002", undefined, token)).status).toBe(200);
    const narrow = await tokenFor();
    expect(await pair.call("GET", "/v26.0/9002", undefined, narrow)).toMatchObject({ body: { error: { code: 100 } } });
    expect((await inspect(await tokenFor({ targets: "all" }))).granular_scopes[0]).not.toHaveProperty("target_ids");
  });

  test("may do what it was granted: no management without its scope, no messages without theirs", async () => {
    const management = await tokenFor({ scopes: ["whatsapp_business_management"] });
    const messaging = await tokenFor({ scopes: ["whatsapp_business_messaging"] });
    const read = (token: string) => pair.call("GET", "/v26.0/9001", undefined, token);
    expect([(await read(management)).status, (await read(messaging)).body.error.code]).toEqual([200, 200]);
    const send = (token: string) => pair.send(template("+15550001111"), token);
    expect([(await send(management)).body.error.code, (await send(messaging)).status]).toEqual([10, 200]);
    expect((await inspect(messaging)).scopes).toEqual(["whatsapp_business_messaging"]);
  });

  test("expires, and dies with its account's access", async () => {
    const code = issue({ token_expires_in_ms: 60_000 });
    const { access_token: token, expires_in } = (await exchange(code)).body;
    expect(expires_in).toBe(60);
    expect(await inspect(token)).toMatchObject({ is_valid: true, expires_at: Math.floor((now + 60_000) / 1000) });
    now += 60_000;
    expect(await inspect(token)).toMatchObject({ is_valid: false, error: { code: 190, subcode: 463 } });
    expect((await pair.call("GET", "/v26.0/9001", undefined, token)).body.error).toMatchObject({ code: 190 });
    const lasting = await tokenFor();
    pair.simulator.setTokenDeath("9001", 458);
    expect(await inspect(lasting)).toMatchObject({ is_valid: false, error: { subcode: 458 } });
    expect(await inspect("nonsense")).toMatchObject({ is_valid: false, error: { code: 190 } });
  });
});

describe("registration", () => {
  const post = (verb: string, body: object) => pair.call("POST", `/v26.0/1055/${verb}`, body);
  const register = (pin: string) => post("register", { messaging_product: "whatsapp", pin });
  const field = async (name: string) => (await pair.call("GET", `/v26.0/1055?fields=${name}`)).body[name];
  const codeOf = async (answer: ReturnType<typeof post>) => (await answer).body.error?.code ?? null;

  test("the first PIN is set, every later one must be the same", async () => {
    pair.simulator.setNumber("1055", { status: "PENDING" });
    expect(await field("status")).toBe("PENDING");
    expect(await codeOf(pair.send(template("+15550001111")))).toBe(133010);
    expect(await codeOf(register("12345"))).toBe(100);
    expect((await register("123456")).body).toEqual({ success: true });
    expect([await field("status"), await field("platform_type"), await field("is_pin_enabled")]).toEqual([
      "CONNECTED",
      "CLOUD_API",
      true,
    ]);
    expect(await codeOf(register("654321"))).toBe(133005);
    expect((await pair.call("POST", "/v26.0/1055", { pin: "654321" })).body).toEqual({ success: true });
    expect(await codeOf(register("654321"))).toBe(null);
    expect((await pair.send(template("+15550001111"))).status).toBe(200);
  });

  test("deregistered, it sends no more; more than ten in 72 hours are refused", async () => {
    expect(await codeOf(post("deregister", {}))).toBe(null);
    expect(await codeOf(post("deregister", {}))).toBe(133010);
    expect(await codeOf(pair.send(template("+15550001111")))).toBe(133010);
    for (let n = 1; n < 10; n++) expect(await codeOf(register("123456"))).toBe(null);
    expect(await codeOf(register("123456"))).toBe(133016);
    now += 72 * 3_600_000 + 1;
    expect(await codeOf(register("123456"))).toBe(null);
  });

  test("an unverified number is verified first", async () => {
    pair.simulator.setNumber("1055", { status: "UNVERIFIED" });
    expect(await field("code_verification_status")).toBe("NOT_VERIFIED");
    expect(await codeOf(register("123456"))).toBe(133006);
    expect(await codeOf(post("verify_code", { code: "990000" }))).toBe(135000);
    expect(await codeOf(post("request_code", { code_method: "FAX", language: "en_US" }))).toBe(100);
    expect(await codeOf(post("request_code", { code_method: "SMS", language: "en_US" }))).toBe(null);
    expect(await codeOf(post("verify_code", { code: "000000" }))).toBe(135000);
    expect(await codeOf(post("verify_code", { code: "990-000" }))).toBe(null);
    expect(await field("status")).toBe("PENDING");
    expect(await codeOf(post("request_code", { code_method: "SMS", language: "en_US" }))).toBe(136024);
    expect(await codeOf(register("123456"))).toBe(null);
  });
});

describe("the consent page", () => {
  const dialog = { client_id: "42", config_id: "7", state: "s&1", redirect_uri: "http://127.0.0.1:1/back?x=1" };
  const answer = (more: Record<string, string>) =>
    fetch(`${pair.simulator.url}/sim/consent`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: pair.simulator.url },
      body: new URLSearchParams({ ...dialog, ...more }),
    });

  test("offers the accounts and keeps what it was opened with", async () => {
    const query = new URLSearchParams(dialog).toString();
    const page = await fetch(`${pair.simulator.url}/sim/consent?${query}`);
    expect((await fetch(`${pair.simulator.url}/v26.0/dialog/oauth?${query}`)).status).toBe(200);
    const text = await page.text();
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' http://127.0.0.1:1");
    expect(text).toContain("s&amp;1");
    const next = { answer: "next", business: "7001" };
    expect(await (await answer({ ...next, step: "1" })).text()).toContain('name="waba_9001" value="on" checked');
    expect(await (await answer({ ...next, step: "2" })).text()).toContain("Choose an account.");
    const last = await (await answer({ ...next, step: "2", waba_9001: "on", phone_number_id: "1055" })).text();
    for (const kept of ['name="waba_9001" value="on"', 'value="1055"', "s&amp;1", 'value="allow"'])
      expect(last).toContain(kept);
    expect((await fetch(`${pair.simulator.url}/sim/consent?client_id=1`)).status).toBe(400);
    const script = new URLSearchParams({ ...dialog, redirect_uri: "javascript:alert(1)" });
    expect((await fetch(`${pair.simulator.url}/sim/consent?${script.toString()}`)).status).toBe(400);
  });

  test("allowed: a code that works goes back to the address, with the state", async () => {
    const reply = await answer({ answer: "allow", waba_9001: "on" });
    const back = new URL(reply.headers.get("location") ?? "");
    expect([reply.status, back.searchParams.get("x"), back.searchParams.get("state")]).toEqual([303, "1", "s&1"]);
    const code = back.searchParams.get("code") ?? "";
    expect((await exchange(code)).body.error).toMatchObject({ code: 100, error_subcode: 36008 });
    expect((await exchange(code, { redirect_uri: dialog.redirect_uri })).status).toBe(200);
  });

  test("canceled, or without an account: no code", async () => {
    for (const more of [{ answer: "cancel", waba_9001: "on" }, { answer: "allow" }]) {
      const back = new URL((await answer(more)).headers.get("location") ?? "");
      expect([back.searchParams.get("code"), back.searchParams.get("error")]).toEqual([null, "access_denied"]);
    }
  });

  test("without an address the window that opened it gets the documented event and the code", async () => {
    const text = await (await answer({ answer: "allow", waba_9001: "on", redirect_uri: "" })).text();
    const messages = (
      JSON.parse(
        (/data-messages="(.*?)"/.exec(text)?.[1] ?? "[]").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
      ) as string[]
    ).map((one) => JSON.parse(one));
    expect(messages).toEqual([
      {
        type: "WA_EMBEDDED_SIGNUP",
        event: "FINISH",
        version: "3",
        data: { phone_number_id: "1055", waba_id: "9001", business_id: "7001" },
      },
      { type: "SIM_SIGNUP_CODE", code: expect.any(String), state: "s&1" },
    ]);
    expect((await exchange(messages[1].code)).status).toBe(200);
  });
});
