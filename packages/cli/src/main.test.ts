import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { emptyDatabase } from "../../../tests/database/databases.ts";
import {
  type Gateway,
  OPERATOR_KEY,
  type Sender,
  startGateway,
  type Workspace,
} from "../../server/src/testing/gateway.ts";
import { jsonOf, spawnWaypost, waypost } from "./testing/waypost.ts";

// The command line as a person types it, against the real server.
let gateway: Gateway;
let mine: Sender;
let empty: string;

beforeAll(async () => {
  empty = mkdtempSync(join(tmpdir(), "waypost-cli-"));
  gateway = await startGateway();
  mine = await gateway.sender();
});
afterAll(async () => {
  await gateway.stop();
  rmSync(empty, { recursive: true });
});
beforeEach(() => {
  for (const name of [
    "WAYPOST_OPERATOR_KEY",
    "WAYPOST_API_KEY",
    "WAYPOST_BASE_URL",
    "DATABASE_URL",
    "DATABASE_DIRECT_URL",
  ])
    vi.stubEnv(name, undefined);
  vi.stubEnv("WAYPOST_DATA_DIR", empty);
});
afterEach(() => vi.unstubAllEnvs());

const asOperator = (): void => {
  vi.stubEnv("WAYPOST_OPERATOR_KEY", OPERATOR_KEY);
  vi.stubEnv("WAYPOST_BASE_URL", gateway.url);
};
const asWorkspace = (workspace: Workspace): void => {
  vi.stubEnv("WAYPOST_API_KEY", workspace.key);
  vi.stubEnv("WAYPOST_BASE_URL", gateway.url);
};

describe("usage", () => {
  const there = { WAYPOST_BASE_URL: "http://127.0.0.1:1" };
  const operator = { ...there, WAYPOST_OPERATOR_KEY: OPERATOR_KEY };
  const client = { ...there, WAYPOST_API_KEY: "wp_live_a" };
  test.each<[string, string[], Record<string, string>?]>([
    ["an unknown command", ["fly"]],
    ["a command with a typing error", ["serv"]],
    ["an unknown option", ["migrate", "--fast"]],
    ["an unknown option of a subcommand", ["workspace", "create", "--nmae", "x"]],
    ["a missing option", ["workspace", "create"]],
    ["an option without its value", ["send", "--to"]],
    ["too many arguments", ["migrate", "now"]],
    ["neither template nor text", ["send", "--to", "+15551230001"]],
    ["both", ["send", "--to", "+15551230001", "--text", "a", "--template", "b"]],
    ["components that are no JSON", ["send", "--to", "+1", "--template", "a", "--components", "{"]],
    ["components that are no list", ["send", "--to", "+1", "--template", "a", "--components", "{}"]],
    ["a workspace without an id", ["key", "create", "--workspace", "", "--name", "x"], operator],
    ["a workspace that is no id", ["key", "create", "--workspace", "..", "--name", "x"], operator],
    ["no id of a callback", ["quarantine", "replay", ""], operator],
    ["a key with a line break", ["send", "--to", "+1", "--text", "a"], { ...there, WAYPOST_API_KEY: "wp_live_a\nb" }],
    ["a key of other letters", ["export"], { ...there, WAYPOST_API_KEY: "wp_live_é" }],
    [
      "an idempotency key with a line break",
      ["send", "--to", "+1", "--text", "a", "--idempotency-key", "a\nb"],
      client,
    ],
    ["components of a text", ["send", "--to", "+1", "--text", "a", "--components", "[1]"], client],
    ["an unknown role", ["serve", "--roles", "api,nope"]],
    ["a wait too long", ["send", "--to", "+1", "--text", "a", "--wait", "31"]],
    ["no gateway", ["send", "--to", "+1", "--text", "a"]],
    ["no key", ["send", "--to", "+1", "--text", "a", "--base-url", "http://127.0.0.1:1"]],
    ["no database", ["migrate"]],
  ])("%s: one line, exit code 2", async (_name, args, environment = {}) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const { code, out, err } = await waypost(...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^waypost: [^\n]+\n$/);
    expect(err).not.toContain("wp_live");
  });

  test("help and version", async () => {
    const help = await waypost("--help");
    expect(help).toMatchObject({ code: 0, err: "" });
    for (const command of ["serve", "migrate", "workspace", "key", "send", "listen", "doctor", "trigger", "clock"])
      expect(help.out).toContain(command);
    expect((await waypost("send", "--help")).out).toContain("--template");
    expect(await waypost("--version")).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: "" });
  });

  test("`dev` says what npm start does, with and without --help", async () => {
    for (const args of [["dev"], ["dev", "--help"]])
      expect(await waypost(...args)).toMatchObject({
        code: 0,
        out: expect.stringContaining("Usage: npm start"),
        err: "",
      });
    expect(await waypost("dev", "--port", "1")).toMatchObject({ code: 2, out: "" });
    expect(await waypost("dev", "now")).toMatchObject({ code: 2, out: "" });
  });

  test("`dev --json` has its settings, and the addresses of the last start without its keys", async () => {
    const bare = jsonOf(await waypost("dev", "--json"));
    expect(bare).toMatchObject({ base_url: null, console_url: null, simulator_url: null });
    expect(bare.settings).toContainEqual({ name: "SIMULATOR_PORT", does: "of the simulator; 8081 by default" });
    expect(bare.settings.at(-1).name).toBe("LOG_LEVEL");
    const path = join(empty, "dev.json");
    const keys = { api_key: "wp_live_a", operator_key: OPERATOR_KEY };
    writeFileSync(
      path,
      JSON.stringify({ base_url: "http://127.0.0.1:1", console_url: "http://127.0.0.1:1/", ...keys }),
    );
    try {
      const { code, out } = await waypost("dev", "--json");
      expect(JSON.parse(out)).toMatchObject({ base_url: "http://127.0.0.1:1", console_url: "http://127.0.0.1:1/" });
      expect({ code, keys: /wp_live|operator-key/.exec(out) }).toEqual({ code: 0, keys: null });
    } finally {
      rmSync(path);
    }
  });

  const SAYS_JSON = /--json {2,}print .*\n[^]*Example:\n/;
  test.each<[string, RegExp]>([
    ["serve", SAYS_JSON],
    ["migrate", SAYS_JSON],
    ["doctor", SAYS_JSON],
    ["completion", SAYS_JSON],
    ["dev", /`waypost dev --json` prints/],
  ])("%s takes --json, and refuses what it does not know", async (name, help) => {
    expect((await waypost(name, "--help")).out).toMatch(help);
    const { code, out, err } = await waypost(name, "--json", "--no-such-option");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^waypost: [^\n]+\n$/);
  });

  test("no command at all shows the help and is a misuse", async () => {
    const { code, err } = await waypost();
    expect(code).toBe(2);
    expect(err).toContain("Usage: waypost");
  });
});

describe("migrate", () => {
  test("brings a database up to date, however often", async () => {
    vi.stubEnv("DATABASE_URL", gateway.database.url);
    vi.stubEnv("PORT", "nonsense"); // no matter here
    const { code, out } = await waypost("migrate");
    expect({ code, last: out.trimEnd().split("\n").at(-1) }).toEqual({ code: 0, last: "The database is up to date." });
  });

  test("as JSON it names what was applied now: all of an empty database, and then nothing", async () => {
    const bare = await emptyDatabase();
    try {
      vi.stubEnv("DATABASE_URL", bare.url);
      const first = await waypost("migrate", "--json");
      expect(first).toMatchObject({ code: 0, err: "" });
      const { applied } = jsonOf<{ applied: string[] }>(first);
      expect(applied[0]).toMatch(/^0001_/);
      expect(applied).toEqual(applied.toSorted());
      expect(jsonOf(await waypost("migrate", "--json"))).toEqual({ applied: [] });
    } finally {
      await bare.drop();
    }
  });

  test.each(["nonsense", "postgresql://a:hush@127.0.0.1:1/x"])("with %s: one line, exit code 1", async (url) => {
    vi.stubEnv("DATABASE_URL", url);
    const { code, err } = await waypost("migrate");
    expect(code).toBe(1);
    expect(err).toMatch(/^waypost: [^\n]*DATABASE_URL[^\n]*\n$/);
    expect(err).not.toContain("hush");
  });
});

describe("serve", () => {
  test("as JSON it prints where it listens, however quiet its log is", { timeout: 120_000 }, async () => {
    const serving = spawnWaypost(["serve", "--json", "--roles", "api", "--no-migrate"], {
      DATABASE_URL: gateway.database.url,
      WAYPOST_DATA_DIR: empty,
      WAYPOST_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
      PORT: "0",
      LOG_LEVEL: "error",
    });
    try {
      await expect.poll(() => serving.printed.out, { timeout: 90_000 }).toContain("\n");
      const up = JSON.parse(serving.printed.out);
      expect(up).toEqual({
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        metrics_url: null,
        roles: ["api"],
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      });
      expect((await fetch(`${up.url}/healthz`)).status).toBe(200);
      serving.interrupt();
      expect(await serving.ended).toBe(0);
      expect(serving.printed.out.trimEnd().split("\n")).toHaveLength(1);
    } finally {
      serving.kill();
    }
  });
});

describe("operator", () => {
  test("creates a workspace and a key that works", async () => {
    asOperator();
    const created = await waypost("workspace", "create", "--name", "Acme", "--json");
    expect(created).toMatchObject({ code: 0, err: "" });
    const workspace = JSON.parse(created.out);
    expect(workspace).toMatchObject({ id: expect.stringMatching(/^ws_/), name: "Acme" });
    const { out } = await waypost(
      "key",
      "create",
      "--workspace",
      workspace.id,
      "--name",
      "ci",
      "--scopes",
      "messages:read, audit:read",
      "--json",
    );
    const { key, scopes } = JSON.parse(out);
    expect(scopes).toEqual(["messages:read", "audit:read"]);
    expect((await gateway.as(key)("GET", "/v1/workspace")).body.id).toBe(workspace.id);
  });

  test("a refusal is one line with its code and request id, exit code 1", async () => {
    asOperator();
    const { code, out, err } = await waypost("key", "create", "--workspace", mine.id, "--name", "x", "--scopes", "all");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^waypost: invalid_request: [^\n]+\(request [^\n]+\)\n$/);
  });

  test("a wrong key, and a closed port", async () => {
    vi.stubEnv("WAYPOST_OPERATOR_KEY", "not-the-operator-key-at-all");
    const wrong = await waypost("workspace", "create", "--name", "x", "--base-url", gateway.url);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/^waypost: unauthorized: /) });
    expect(wrong.err).not.toContain("not-the-operator-key");
    expect(wrong.err).toContain(`${gateway.url} from --base-url)`);
    vi.stubEnv("WAYPOST_BASE_URL", "http://127.0.0.1:1");
    const closed = await waypost("workspace", "create", "--name", "x");
    expect(closed).toMatchObject({
      code: 1,
      err: "waypost: the gateway could not be reached, or the answer broke off (http://127.0.0.1:1 from WAYPOST_BASE_URL)\n",
    });
  });
});

describe("send", () => {
  const arguments_ = ["send", "--to", "+15551230001", "--template", "order_ready"];

  test("a template, waited for; the same key sends once", async () => {
    asWorkspace(mine);
    const more = ["--reference", "cli-1", "--idempotency-key", "cli-1", "--wait", "10", "--json"];
    const first = await waypost(...arguments_, ...more);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(first.out)).toMatchObject({ status: "accepted", reference: "cli-1", to: "+15551230001" });
    expect(JSON.parse((await waypost(...arguments_, ...more)).out).id).toBe(JSON.parse(first.out).id);
  });

  test("a text outside the window is refused, without its body in the line", async () => {
    asWorkspace(mine);
    const { code, err } = await waypost("send", "--to", "+15551230077", "--text", "private words");
    expect(code).toBe(1);
    expect(err).toMatch(/^waypost: window_closed: /);
    expect(err).not.toContain("private words");
  });

  test("each fault of the parameters is said once", async () => {
    asWorkspace(mine);
    const text = [{ type: "text", text: "a" }];
    const components = ["header", "body"].map((type) => ({ type, parameters: text }));
    const { code, err } = await waypost(...arguments_, "--components", JSON.stringify(components));
    expect(code).toBe(1);
    expect(err).toMatch(/^waypost: template_parameters_mismatch: /);
    const sentences = err.split(/; |: /).filter((part) => / /.test(part));
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  test("dev.json serves its own gateway, and no other gets its key", async () => {
    const path = join(empty, "dev.json");
    writeFileSync(path, JSON.stringify({ base_url: gateway.url, api_key: mine.key, operator_key: OPERATOR_KEY }));
    try {
      const sent = await waypost(...arguments_);
      expect(sent.code).toBe(0);
      expect(sent.err).toMatch(/^waypost: at http:\/\/127\.0\.0\.1:\d+ with the API key of [^\n]*dev\.json\n$/);
      const asked = await waypost("workspace", "list", "--json");
      expect(asked).toMatchObject({ code: 0, err: expect.stringContaining("with the operator key of ") });
      const elsewhere = await waypost(...arguments_, "--base-url", "http://127.0.0.1:1");
      expect(elsewhere).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^waypost: WAYPOST_API_KEY is missing: it needs a key of the workspace[^\n]*\n$/),
      });
      writeFileSync(path, "{");
      expect((await waypost(...arguments_)).err).toMatch(/^waypost: .*dev\.json cannot be read[^\n]*\n$/);
    } finally {
      rmSync(path);
    }
  });

  test("data/dev.json is found from the folders below, and one of an ended start is named", async () => {
    const below = join(empty, "src/deep");
    mkdirSync(join(empty, "data"));
    mkdirSync(below, { recursive: true });
    writeFileSync(
      join(empty, "data/dev.json"),
      JSON.stringify({ base_url: "http://127.0.0.1:1", api_key: "wp_live_a" }),
    );
    vi.stubEnv("WAYPOST_DATA_DIR", undefined);
    vi.spyOn(process, "cwd").mockReturnValue(below);
    try {
      const { code, err } = await waypost(...arguments_);
      expect(code).toBe(1);
      expect(err.split("\n").at(1)).toBe(
        "waypost: the gateway could not be reached, or the answer broke off; is `npm start` running? (http://127.0.0.1:1 from ../../data/dev.json)",
      );
    } finally {
      vi.mocked(process.cwd).mockRestore();
    }
  });
});

describe("listen", () => {
  test.each([
    ["nowhere", "listen"],
    ["another machine", "listen", "--forward-to", "https://example.com/hooks"],
    ["a name that only begins like this machine", "listen", "--forward-to", "http://127.0.0.1.example.com/"],
    ["a user name", "listen", "--forward-to", "http://a:hush@127.0.0.1/"],
    ["no address", "listen", "--forward-to", "127.0.0.1:3000"],
    ["a secret that is none", "listen", "--forward-to", "http://localhost:1", "--secret", "whsec_hush"],
    ["kinds that are none", "listen", "--forward-to", "http://[::1]:1", "--kinds", "sent,,read"],
  ])("%s: one line, exit code 2", async (_name, ...args) => {
    asWorkspace(mine);
    const { code, out, err } = await waypost(...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^waypost: [^\n]+\n$/);
    expect(err).not.toContain("hush");
  });

  test("a key without the scope: one line, exit code 1", async () => {
    const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "n", scopes: ["messages:read"] } });
    asWorkspace({ ...mine, key: body.key });
    const { code, err } = await waypost("listen", "--forward-to", "https://example.com/", "--allow");
    expect(code).toBe(1);
    expect(err).toMatch(/^waypost: forbidden: [^\n]+\n$/);
  });
});

describe("doctor", () => {
  const healthy = (): void => {
    vi.stubEnv("DATABASE_URL", gateway.database.url);
    vi.stubEnv("WAYPOST_ENCRYPTION_KEY", Buffer.alloc(32, 1).toString("base64"));
    vi.stubEnv("WAYPOST_OPERATOR_KEY", OPERATOR_KEY);
    vi.stubEnv("PROVIDER_APP_SECRET", "app-secret");
    vi.stubEnv("PROVIDER_VERIFY_TOKEN", "verify-token");
    vi.stubEnv("PROVIDER_BASE_URL", gateway.simulator.url);
  };

  test("all is well", async () => {
    healthy();
    const { code, out, err } = await waypost("doctor");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/\s+/, 2).join(" ")),
    ).toEqual(["ok settings", "ok database", "ok roles", "ok migrations", "ok provider"]);
  });

  test("looking changes nothing: a database that was never migrated stays so", async () => {
    healthy();
    const sql = gateway.app.db.sql;
    const before = await sql.query("select rolname from pg_roles order by rolname");
    await waypost("doctor");
    expect(await sql.query("select rolname from pg_roles order by rolname")).toEqual(before);
  });

  test.each([
    ["a setting that is not understood", "PORT", "many", /^FAULT {3}settings {3}PORT needs/m],
    [
      "a setting that is missing",
      "WAYPOST_ENCRYPTION_KEY",
      "",
      /^FAULT {3}settings {3}WAYPOST_ENCRYPTION_KEY is missing: it needs 32 bytes in base64/m,
    ],
    [
      "no database there",
      "DATABASE_URL",
      "postgresql://a:hush@127.0.0.1:1/x",
      /^FAULT {3}database {3}the database cannot be used/m,
    ],
    ["no provider there", "PROVIDER_BASE_URL", "http://127.0.0.1:1", /^FAULT {3}provider {3}.*does not answer \(/m],
  ])("%s: exit code 1, and nothing secret in the lines", async (_name, variable, value, line) => {
    healthy();
    vi.stubEnv(variable, value);
    const { code, out } = await waypost("doctor");
    expect(code).toBe(1);
    expect(out).toMatch(line);
    expect(out).not.toMatch(/hush|app-secret|operator-key/);
  });

  test("before a first start the migrations are pending, exit code 0", async () => {
    const bare = await emptyDatabase();
    try {
      healthy();
      vi.stubEnv("DATABASE_URL", bare.url);
      const { code, out } = await waypost("doctor");
      expect(out).toMatch(/^pending migrations \d+ to apply, from 0001_[^\n]*`waypost serve` does it[^\n]*$/m);
      expect({ code, faults: out.match(/^FAULT.*$/gm) }).toEqual({ code: 0, faults: null });
    } finally {
      await bare.drop();
    }
  });

  test("what only should be mended is a warning, exit code 0", async () => {
    healthy();
    vi.stubEnv("PROVIDER_APP_SECRET", "");
    const { code, out } = await waypost("doctor");
    expect(code).toBe(0);
    expect(out).toMatch(
      /^warning settings {3}PROVIDER_APP_SECRET is missing: without it every callback of the provider is refused/m,
    );
  });
});
