import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Receiver, startReceiver } from "../../../server/src/features/webhooks/testing/receiver.ts";
import { type Gateway, OPERATOR_KEY, type Sender, startGateway } from "../../../server/src/testing/gateway.ts";
import { addProviderAccount } from "../../../server/src/testing/provider-account.ts";
import { declaredCommands } from "../program.ts";
import { jsonOf, linesOf, type Ran, spawnWaypost, waypost } from "../testing/waypost.ts";

// Every command of the groups does what it says, against a real gateway with two workspaces.
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let receiver: Receiver;
let folder: string;
beforeAll(async () => {
  gateway = await startGateway();
  [mine, theirs, receiver] = [await gateway.sender(), await gateway.sender(), await startReceiver()];
  folder = mkdtempSync(join(tmpdir(), "waypost-cli-"));
});
afterAll(async () => {
  await receiver.close();
  await gateway.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  vi.stubEnv("WAYPOST_BASE_URL", gateway.url);
  vi.stubEnv("WAYPOST_API_KEY", mine.key);
  vi.stubEnv("WAYPOST_OPERATOR_KEY", OPERATOR_KEY);
});
afterEach(() => vi.unstubAllEnvs());

const PATIENCE = { timeout: 30_000, interval: 20 };
/** Of every command of a group, the longest first. */
const GROUPED = (await declaredCommands())
  .map(({ words }) => words)
  .filter((words) => words.includes(" "))
  .toSorted((one, other) => other.length - one.length);
const ran = new Set<string>();

/** Runs a command that succeeds, as a table and as JSON where it only reads. */
async function command(line: string, ...more: string[]): Promise<Ran> {
  const words = line.split(" ");
  ran.add(GROUPED.find((grouped) => `${line} `.startsWith(`${grouped} `)) ?? line);
  const result = await waypost(...words, ...more);
  expect({ line, code: result.code, err: result.err.replaceAll(/waypost: these are the first.*\n/g, "") }).toEqual({
    line,
    code: 0,
    err: "",
  });
  return result;
}
const one = async (line: string, ...more: string[]) => jsonOf(await command(line, ...more, "--json"));
const many = async (line: string, ...more: string[]) => linesOf(await command(line, ...more, "--json"));

describe("workspace and key", () => {
  test("a workspace is created, found, renamed, suspended and resumed", async () => {
    const { id } = await one("workspace create", "--name", "Acme  Ltd");
    expect(await one(`workspace show ${id}`)).toMatchObject({ id, name: "Acme  Ltd", status: "active" });
    expect(await one(`workspace rename ${id} --name Acme`)).toMatchObject({ id, name: "Acme" });
    expect(await one(`workspace suspend ${id}`)).toMatchObject({ id, status: "suspended" });
    expect(await one(`workspace resume ${id}`)).toMatchObject({ id, status: "active" });
    expect((await many("workspace list --limit 1")).map((row) => row.id)).toEqual([id]);
    expect(await one("workspace show")).toMatchObject({ id: mine.id, api_key: { id: expect.stringMatching(/^key_/) } });
    const shown = (await command("workspace show")).out;
    expect(shown).toMatch(/^opt_out_keywords +\{"en":\[[^\n]+… \(--json prints all\)$/m);
    expect(Math.max(...shown.split("\n").map((line) => line.length))).toBeLessThan(220);
    const table = (await command("workspace list")).out.split("\n");
    expect(table[0]).toMatch(/^ID +NAME +STATUS +CREATED AT$/);
    expect(table[1]).toMatch(new RegExp(`^${id} +Acme +active +\\d{4}-`));
  });

  test("a key is created by the operator or by a key, rotated and revoked", async () => {
    const first = await one(`key create --workspace ${mine.id} --name ci --scopes messages:read,keys:write`);
    expect((await gateway.as(first.key)("GET", "/v1/workspace")).body.id).toBe(mine.id);
    const own = await one("key create --name own --expires-at 2099-01-31T00:00:00Z");
    expect(own).toMatchObject({ scopes: ["*"], expires_at: "2099-01-31T00:00:00.000Z" });
    const next = await one(`key rotate ${own.id} --overlap-seconds 0`);
    expect((await gateway.as(next.key)("GET", "/v1/messages")).status).toBe(200);
    expect(await one(`key revoke ${next.id}`)).toMatchObject({ id: next.id, revoked_at: expect.any(String) });
    const ids = (await many("key list --limit 200")).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([first.id, own.id, next.id]));
    expect((await many(`key list --workspace ${theirs.id}`)).map(({ id }) => id)).not.toContain(own.id);
    expect((await command("key create --name shown")).out).toMatch(/^key +wp_live_/m);
  });
});

describe("account", () => {
  test("is connected with a token of a file or of the environment, shown and disconnected", async () => {
    const there = addProviderAccount(gateway.simulator);
    const file = join(folder, "token");
    writeFileSync(file, `${there.token}\n`);
    const connected = await one(`account connect --provider-account-id ${there.wabaId} --access-token-file ${file}`);
    expect(connected).toMatchObject({ provider_account_id: there.wabaId });
    expect((await many("account list")).map(({ id }) => id)).toContain(connected.id);
    expect((await command(`account show ${connected.id}`)).out).toMatch(/\nphone_numbers:\nID /);
    expect(await one(`account disconnect ${connected.id}`)).toMatchObject({ status: "disconnected" });
    vi.stubEnv("WAYPOST_ACCESS_TOKEN", "EAAWRONG");
    const refused = await waypost("account", "connect", "--provider-account-id", there.wabaId);
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^waypost: provider_rejected: /) });
    expect(refused.err).not.toContain("EAAWRONG");
    vi.stubEnv("WAYPOST_ACCESS_TOKEN", "");
    expect((await waypost("account", "connect", "--provider-account-id", "1")).code).toBe(2);
  });
});

describe("account setup-link", () => {
  test("a link is created with its address, listed and shown without, and revoked by its own workspace alone", async () => {
    const expires_at = new Date(gateway.clock.now() + 3_600_000).toISOString();
    const link = await one("account setup-link create --return-url https://shop.example/a", "--expires-at", expires_at);
    expect(link).toMatchObject({ status: "open", return_url: "https://shop.example/a", expires_at });
    const secret = new URL(link.url).hash.slice(1);
    expect(secret.length).toBeGreaterThan(40);
    const other = await one("account setup-link create");
    const listed = await many("account setup-link list");
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([other.id, link.id]));
    const shown = await command(`account setup-link show ${link.id}`);
    expect(shown.out).toMatch(/^status +open$/m);
    for (const text of [JSON.stringify(listed), shown.out]) expect(text).not.toContain(secret);

    vi.stubEnv("WAYPOST_API_KEY", theirs.key);
    expect(await many("account setup-link list")).toEqual([]);
    for (const verb of ["show", "revoke"])
      expect(await waypost("account", "setup-link", verb, link.id)).toMatchObject({
        code: 1,
        out: "",
        err: expect.stringMatching(/^waypost: not_found: [^\n]+\n$/),
      });
    vi.stubEnv("WAYPOST_API_KEY", mine.key);
    expect(await one(`account setup-link revoke ${link.id}`)).toMatchObject({ id: link.id, status: "revoked" });
    const tooLong = await waypost("account", "setup-link", "create", "--expires-at", "2099-01-31T00:00:00Z");
    expect(tooLong).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/^waypost: invalid_request: /) });
  });
});

describe("messages", () => {
  test("are listed by filter, shown with their history, and canceled", async () => {
    const sent = (await mine.send("+15551230001", { reference: "cli-list" })).body;
    await mine.becomes(sent.id, "accepted");
    expect((await many("messages list --reference cli-list")).map(({ id }) => id)).toEqual([sent.id]);
    expect(await many("messages list --reference another")).toEqual([]);
    expect((await command("messages list --reference another")).out).toBe("none\n");
    expect(await one(`messages show ${sent.id}`)).toMatchObject({ id: sent.id, history: expect.any(Array) });
    expect((await many(`messages history ${sent.id}`)).map(({ status }) => status)).toContain("accepted");
    const send_at = new Date(gateway.clock.now() + 3_600_000).toISOString();
    const { id } = (await mine.send("+15551230001", { send_at })).body;
    expect(await one(`messages cancel ${id}`)).toMatchObject({ status: "canceled" });
  });

  test("more than a page is read page by page, and a limit is said", async () => {
    const message = {
      to: "+15551230002",
      type: "template",
      template: { name: "order_ready", language: { code: "en_US" } },
    };
    const messages = Array.from({ length: 103 }, () => ({ ...message, reference: "cli-pages" }));
    expect((await mine.call("POST", "/v1/messages/batch", { body: { messages } })).status).toBe(202);
    expect(new Set((await many("messages list --reference cli-pages --limit 102")).map(({ id }) => id)).size).toBe(102);
    const table = await waypost("messages", "list", "--reference", "cli-pages");
    expect(table.out.trimEnd().split("\n")).toHaveLength(26);
    expect(table.err).toBe("waypost: these are the first 25; --limit gives more\n");
  });

  test("what a person wrote commands no terminal", async () => {
    await mine.inbound("+15551230003", "\u001b[2Jgone\u0007\u009b31m\u202eback");
    const { out } = await command("messages list --direction inbound --from +15551230003");
    expect(out).toContain("gone");
    const json = await command("messages list --direction inbound --from +15551230003 --json");
    for (const text of [out, json.out]) expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
    expect(jsonOf(json).preview).toContain("\u202e");
  });
});

describe("templates and contacts", () => {
  test("a template is validated and submitted from a file, listed and shown", async () => {
    const file = join(folder, "template.json");
    const template = { name: "cli_template", language: { code: "en_US" }, category: "utility" };
    writeFileSync(file, JSON.stringify({ ...template, components: [{ type: "BODY", text: "It is ready." }] }));
    expect(await one(`templates validate ${file}`)).toEqual({ valid: true, problems: [] });
    const { id } = await one(`templates submit ${file}`);
    expect((await many("templates list --name cli_template")).map((row) => row.id)).toEqual([id]);
    expect(await one(`templates show ${id}`)).toMatchObject({ id, name: "cli_template" });
    const again = await waypost("templates", "validate", file);
    expect(again).toMatchObject({ code: 1, out: expect.stringContaining("conflict") });
    writeFileSync(file, "[]");
    expect((await waypost("templates", "submit", file)).code).toBe(2);
    expect((await waypost("templates", "submit", join(folder, "nowhere.json"))).code).toBe(2);
  });

  test("contacts are found by tag and shown", async () => {
    const { body } = await mine.call("POST", "/v1/contacts", { body: { phone: "+15551230009", tags: ["cli"] } });
    expect((await many("contacts list --tag cli")).map(({ id }) => id)).toEqual([body.id]);
    expect(await one(`contacts show ${body.id}`)).toMatchObject({ id: body.id, tags: ["cli"] });
    vi.stubEnv("WAYPOST_API_KEY", theirs.key);
    const foreign = await waypost("contacts", "show", body.id);
    expect(foreign).toMatchObject({ code: 1, err: expect.stringMatching(/^waypost: not_found: [^\n]+\n$/) });
    expect(await many("contacts list --tag cli")).toEqual([]);
  });
});

describe("webhooks and events", () => {
  test("an endpoint is created, tested, disabled and enabled; deliveries are retried and replayed", async () => {
    const begun = new Date(gateway.clock.now()).toISOString();
    const created = await one(`webhooks create --url ${receiver.url} --events contact_created --timeout-seconds 5`);
    expect(created).toMatchObject({ secret: expect.stringMatching(/^whsec_/), events: ["contact_created"] });
    const { id } = created;
    expect((await many("webhooks list")).map((row) => row.id)).toContain(id);
    expect(await one(`webhooks show ${id}`)).toMatchObject({ id, timeout_seconds: 5 });
    const delivery = await one(`webhooks test ${id}`);
    await expect.poll(() => receiver.received.map(({ body }) => body.kind), PATIENCE).toEqual(["endpoint_test"]);
    await mine.call("POST", "/v1/contacts", { body: { phone: "+15551230010" } });
    await expect
      .poll(async () => (await many(`webhooks deliveries ${id} --status succeeded`)).length, PATIENCE)
      .toBe(2);
    expect((await many("webhooks deliveries --kind contact_created")).length).toBe(1);
    expect(await one(`webhooks retry ${delivery.id}`)).toMatchObject({ id: delivery.id });
    await receiver.got(3);
    expect(await one(`webhooks delivery ${delivery.id}`)).toMatchObject({ attempts: expect.any(Array) });
    const replayed = await one(`webhooks replay ${id} --created-after ${begun} --only all --follow`);
    expect(replayed).toMatchObject({ status: "completed", progress: { succeeded: 1, failed: 0 } });
    const counted = await one(`webhooks replay ${id} --created-after ${begun} --only all --dry-run`);
    expect(counted).toMatchObject({ dry_run: true });
    expect(await one(`webhooks disable ${id}`)).toMatchObject({ enabled: false });
    expect(await one(`webhooks enable ${id}`)).toMatchObject({ enabled: true });
    expect((await waypost("webhooks", "create", "--url", receiver.url, "--format", "provider")).code).toBe(2);
  });

  test("events are listed, and followed until the signal", async () => {
    const { body } = await mine.call("POST", "/v1/contacts", { body: { phone: "+15551230011" } });
    const events = `events list --kind contact_created --contact-id ${body.id}`;
    await expect.poll(async () => (await many(events)).length, PATIENCE).toBe(1);
    expect((await command(events)).out).toMatch(/^ID +KIND +CREATED AT/);
    const env = { WAYPOST_BASE_URL: gateway.url, WAYPOST_API_KEY: mine.key };
    const following = spawnWaypost(["events", "follow", "--kind", "contact_updated", "--json"], env);
    try {
      await expect.poll(() => following.printed.err, PATIENCE).toContain("events follow as they happen");
      await mine.call("PATCH", `/v1/contacts/${body.id}`, { body: { name: "Ana" } });
      await expect.poll(() => following.printed.out, PATIENCE).toContain("\n");
      expect(JSON.parse(following.printed.out)).toMatchObject({
        kind: "contact_updated",
        data: { contact: { name: "Ana" } },
      });
      following.interrupt();
      expect(await following.ended).toBe(0);
      ran.add("events follow");
    } finally {
      following.kill();
    }
  });
});

describe("audit and quarantine", () => {
  test("calls and messages are listed, or written as CSV and NDJSON", async () => {
    const { id } = (await mine.send("+15551230012")).body;
    await mine.becomes(id, "accepted");
    await gateway.audited();
    const events = (await many(`audit messages --message-id ${id}`)).map(({ event }) => event);
    expect(events).toEqual(["accepted", "created"]);
    expect((await command("audit activity --limit 3")).out.split("\n")[0]).toMatch(/^AT +ACTOR NAME +ACTION/);
    const rows = (await command(`audit messages --message-id ${id} --format ndjson`)).out.trimEnd().split("\n");
    expect(rows.map((row) => JSON.parse(row).message_id)).toEqual([id, id]);
    const out = join(folder, "activity.csv");
    expect((await command(`audit activity --format csv --out ${out}`)).out).toBe("");
    expect(existsSync(`${out}.part`)).toBe(false);
    expect(readFileSync(out, "utf8").split("\r\n")[0]).toContain("id,at,");
    for (const wrong of ["--out a.csv", "--format csv --limit 3", "--format csv --json"])
      expect(await waypost("audit", "activity", ...wrong.split(" "))).toMatchObject({
        code: 2,
        out: "",
        err: expect.stringMatching(/^waypost: [^\n]+\n$/),
      });
    const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "n", scopes: ["messages:read"] } });
    vi.stubEnv("WAYPOST_API_KEY", body.key);
    const denied = await waypost("audit", "activity", "--format", "csv");
    expect(denied).toMatchObject({ code: 1, err: expect.stringMatching(/^waypost: forbidden: [^\n]+\n$/) });
  });

  test("nothing is quarantined here", async () => {
    expect(await many("quarantine list --reason unowned")).toEqual([]);
    expect(await one("quarantine replay --reason unowned")).toEqual({ replayed: 0 });
  });
});

test("no command of a group is left out above", () => {
  expect(GROUPED.filter((words) => !ran.has(words))).toEqual([]);
});
