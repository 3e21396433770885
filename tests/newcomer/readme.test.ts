import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { startSimulator } from "@waypost/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { readDevSettings } from "../../packages/cli/src/dev/settings.ts";
import { readConfig } from "../../packages/server/src/process/config/config.ts";
import { CALLBACK_FIELDS } from "../../packages/server/src/provider/whatsapp/callbacks/callbacks.ts";
import { testDatabase } from "../../packages/server/src/testing/database.ts";
import { gone, makeDataDir, type NpmStart, npmStart, ROOT, readDevFile, removeDataDir } from "./npm-start.ts";

const run = promisify(execFile);
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const [twoCommands = "", sending = "", production = "", connecting = ""] = blocksOf(README);
const SERVE = "node_modules/.bin/waypost serve";
/** The simulator's own. */
const DEMO_ACCOUNT = { id: "9001", token: "EAASIMDEMO" };
const CALLBACK_PATH = "/webhooks/receive";
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe("the README", () => {
  it("names two commands, and the first brings a newcomer to a message", async () => {
    const commands = twoCommands.split("\n").map((line) => line.split("#")[0]?.trim());
    expect(commands).toEqual(["npm start", "npm test"]);
    const dataDir = await makeDataDir();
    cleanups.push(() => removeDataDir(dataDir));
    const started = keep(npmStart({ dataDir, command: ["sh", "-c", "npm start"] }));
    await started.up;

    const dev = await readDevFile(dataDir);
    const command = sending
      .replace("data/dev.json", join(dataDir, "dev.json"))
      .replace("http://127.0.0.1:8080", dev.base_url);
    const { stdout } = await run("sh", ["-c", command.replace("curl ", "curl -sS ")]);
    const sent = JSON.parse(stdout) as { id: string };
    expect(sent.id).toMatch(/^msg_/);
    const statusNow = async (): Promise<unknown> => {
      const headers = { authorization: `Bearer ${dev.api_key}` };
      const reply = await fetch(`${dev.base_url}/v1/messages`, { headers });
      const { data } = (await reply.json()) as { data: { id: string; status: string }[] };
      return data.find(({ id }) => id === sent.id)?.status;
    };
    await expect.poll(statusNow).toBe("read");

    const all = await started.processes();
    process.kill(-started.pid, "SIGINT");
    // npm and its shell die of the signal, as programs do, but not before what they run has stopped in order.
    expect([0, 130, "SIGINT"]).toContain(await started.ended);
    expect(started.output()).toContain("Everything has stopped.");
    expect(await gone(all)).toEqual([]);
  });

  it("has a second command: `npm test`", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(scripts["test"]).toBe("exec node scripts/test.mjs");
    expect(existsSync(join(ROOT, "scripts/test.mjs"))).toBe(true);
  });

  it("serves with the lines that it gives for production, and with the next ones connects an account", async () => {
    const database = await testDatabase();
    cleanups.push(() => database.drop());
    const [, appSecret = ""] = /PROVIDER_APP_SECRET=(\S+)/.exec(production) ?? [];
    const [, verifyToken = ""] = /PROVIDER_VERIFY_TOKEN=(\S+)/.exec(production) ?? [];
    const provider = await startSimulator({ appSecret, verifyToken });
    cleanups.push(() => provider.close());
    expect(production.split("\n")).toHaveLength(5);
    const script = production
      .replace(/DATABASE_URL='[^']*'/, `DATABASE_URL='${database.url}'`)
      // Who goes on in another shell needs what this one made.
      .replace(SERVE, `echo "operator $WAYPOST_OPERATOR_KEY"\nexec ${SERVE}`);
    expect(script).toContain(database.url);
    const dataDir = await makeDataDir();
    cleanups.push(() => removeDataDir(dataDir));
    const env = { PROVIDER_BASE_URL: provider.url };
    const started = keep(npmStart({ dataDir, command: ["sh", "-c", script], env }));
    await started.said("waypost is up");

    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(started.output()) ?? [];
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: "ready" });
    const [, operatorKey = ""] = /^operator (\S+)$/m.exec(started.output()) ?? [];
    const steps = connecting
      .replace("http://127.0.0.1:8080", url)
      .replace("ACCOUNT_ID", DEMO_ACCOUNT.id)
      .replace("TOKEN", DEMO_ACCOUNT.token)
      .replace("curl ", "curl -sS ");
    const shell = { cwd: ROOT, env: { PATH: process.env["PATH"], WAYPOST_OPERATOR_KEY: operatorKey } };
    const { stdout } = await run("sh", ["-c", `${steps}\necho "key $key"`], shell);
    const [account = "", key = ""] = stdout.trimEnd().split(/\s*\nkey /);
    expect(JSON.parse(account)).toMatchObject({ status: "connected", phone_numbers: [{ phone: "+15559990000" }] });

    // The callback URL at the provider: the handshake, then every status.
    provider.setCallbackUrl(`${url}${CALLBACK_PATH}`);
    expect(README).toContain(`\`${CALLBACK_PATH}\``);
    expect(await provider.handshake()).toMatchObject({ verified: true });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const template = { name: "order_ready", language: { code: "en_US" } };
    const body = JSON.stringify({ to: "+15551230001", type: "template", template });
    const sent = await fetch(`${url}/v1/messages`, { method: "POST", headers, body });
    expect(sent.status).toBe(202);
    const { id } = (await sent.json()) as { id: string };
    const statusNow = async (): Promise<unknown> =>
      ((await (await fetch(`${url}/v1/messages/${id}`, { headers })).json()) as { status: string }).status;
    await expect.poll(statusNow).toBe("read");

    const all = await started.processes();
    process.kill(-started.pid, "SIGTERM");
    expect(await gone(all)).toEqual([]);
  });

  it("names the ports to move, with their defaults", async () => {
    expect(README).toContain("`PORT` (8080) and `SIMULATOR_PORT` (8081)");
    expect(readConfig({}).PORT).toBe(8080);
    // Another program may use the port: the line that says so names it too.
    const taken = await readDevSettings({ PORT: "0" }).then(
      ({ simulatorPort }) => String(simulatorPort),
      (error: unknown) => String(error),
    );
    expect(taken).toContain("8081");
  });
});

describe("connecting an account", () => {
  const fieldsIn = (text: string): string[] => CALLBACK_FIELDS.filter((field) => text.includes(`\`${field}\``));

  it.each(["README.md", "docs/operations.md"])("reads in %s of the call, the callback URL and its fields", (page) => {
    const [, text = ""] = /(\/webhooks\/receive.*?\n\n)/s.exec(readFileSync(join(ROOT, page), "utf8")) ?? [];
    expect(readFileSync(join(ROOT, page), "utf8")).toContain("/v1/business-accounts");
    expect(text).toContain(CALLBACK_PATH);
    // They are listed in one place.
    expect(text).toContain("getting-started.md#enter-the-callback-address)");
    expect(fieldsIn(text)).toEqual(["messages"]);
  });

  it("finds every field there, with what is missed without it", () => {
    const page = readFileSync(join(ROOT, "docs/getting-started.md"), "utf8");
    const [, text = ""] = /^## Enter the callback address\n(.*?)^## /ms.exec(page) ?? [];
    expect(fieldsIn(text)).toEqual(CALLBACK_FIELDS);
  });
});

function blocksOf(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block]) => block ?? "");
}

function keep(started: NpmStart): NpmStart {
  cleanups.push(started.end);
  return started;
}
