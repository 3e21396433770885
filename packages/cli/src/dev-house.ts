import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startEmbedded } from "@waypost/server";
import { type Child, spawnChild } from "./child.ts";
import { connectDemo } from "./demo.ts";

export type Dev = { stop(): Promise<void>; onFailure(listener: (reason: string) => void): void };

/** Made at the first start and kept: the database cannot be read without them. */
type Secrets = { operator_key: string; encryption_key: string; app_secret: string; verify_token: string };

const DEV_APP_ID = "42";

/** Starts database, simulator and gateway in order; on any failure what was started is stopped again and the reason thrown. */
export async function startDev(env: Record<string, string | undefined>, say: (line: string) => void): Promise<Dev> {
  const dataDir = resolve(env["WAYPOST_DATA_DIR"] ?? "./data");
  const stops: (() => Promise<void>)[] = [];
  const failures: ((reason: string) => void)[] = [];
  const fail = (reason: string): void => {
    for (const listener of failures) listener(reason);
  };
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one();
  };

  try {
    const secrets = keptSecrets(dataDir);
    let databaseUrl = env["DATABASE_URL"];
    if (!databaseUrl) {
      say("Starting PostgreSQL …");
      const database = await startEmbedded({ dataDir, onProgress: say });
      stops.push(() => database.stop());
      database.onUnexpectedExit(() => fail("the embedded PostgreSQL ended by itself"));
      databaseUrl = database.url;
    }
    const port = env["PORT"] ?? "8080";
    const host = env["HOST"] ?? "127.0.0.1";
    const simulatorPort = env["SIMULATOR_PORT"] ?? "8081";
    const gatewayUrl = `http://${host}:${port}`;
    const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
    const shared = {
      PROVIDER_APP_ID: DEV_APP_ID,
      PROVIDER_APP_SECRET: secrets.app_secret,
      PROVIDER_VERIFY_TOKEN: secrets.verify_token,
    };
    const keep = (child: Child, name: string): void => {
      stops.push(child.stop);
      child.onExit((words) => fail(`the ${name} ended: ${words}`));
    };

    say("Starting the provider simulator …");
    keep(
      await spawnChild(
        new URL(import.meta.resolve("@waypost/simulator/main")),
        [],
        {
          ...env,
          ...shared,
          HOST: "127.0.0.1",
          SIMULATOR_PORT: simulatorPort,
          CALLBACK_URL: `${gatewayUrl}/webhooks/receive`,
        },
        `${simulatorUrl}/sim/stats`,
      ),
      "simulator",
    );
    say("Starting the gateway …");
    keep(
      await spawnChild(
        new URL("../bin/waypost.js", import.meta.url),
        ["serve"],
        {
          ...env,
          ...shared,
          PORT: port,
          HOST: host,
          WAYPOST_DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl,
          PROVIDER_BASE_URL: env["PROVIDER_BASE_URL"] ?? simulatorUrl,
          WAYPOST_OPERATOR_KEY: env["WAYPOST_OPERATOR_KEY"] ?? secrets.operator_key,
          WAYPOST_ENCRYPTION_KEY: env["WAYPOST_ENCRYPTION_KEY"] ?? secrets.encryption_key,
          // A developer's receiver runs on this machine.
          EGRESS_ALLOW_CIDRS: env["EGRESS_ALLOW_CIDRS"] ?? "127.0.0.0/8,::1/128",
          LOG_LEVEL: env["LOG_LEVEL"] ?? "warn",
        },
        `${gatewayUrl}/readyz`,
      ),
      "gateway",
    );
    const demo = await connectDemo(
      gatewayUrl,
      env["WAYPOST_OPERATOR_KEY"] ?? secrets.operator_key,
      join(dataDir, "dev.json"),
    );
    const written = {
      base_url: gatewayUrl,
      operator_key: env["WAYPOST_OPERATOR_KEY"] ?? secrets.operator_key,
      ...demo,
      simulator_url: simulatorUrl,
      console_url: `${gatewayUrl}/docs`,
    };
    writePrivate(join(dataDir, "dev.json"), JSON.stringify(written, null, 2));
    for (const line of welcome(written)) say(line);
    return { stop, onFailure: (listener) => void failures.push(listener) };
  } catch (error) {
    await stop();
    throw error;
  }
}

function keptSecrets(dataDir: string): Secrets {
  const path = join(dataDir, "secrets.json");
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as Secrets; // written below
  mkdirSync(dataDir, { recursive: true });
  const made: Secrets = {
    operator_key: `wp_operator_${randomBytes(24).toString("base64url")}`,
    encryption_key: randomBytes(32).toString("base64"),
    app_secret: randomBytes(16).toString("hex"),
    verify_token: randomBytes(16).toString("hex"),
  };
  writePrivate(path, JSON.stringify(made, null, 2));
  return made;
}

// Written beside and renamed: a start that is killed here leaves the old file or the new one.
function writePrivate(path: string, text: string): void {
  writeFileSync(`${path}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function welcome(dev: { base_url: string; api_key: string; simulator_url: string; phone_number: string }): string[] {
  return [
    "",
    "Waypost is up.",
    `  API        ${dev.base_url}/v1     reference ${dev.base_url}/docs`,
    `  Simulator  ${dev.simulator_url}/sim`,
    `  API key    ${dev.api_key}`,
    "",
    "Send a message:",
    `  curl -X POST ${dev.base_url}/v1/messages -H 'Authorization: Bearer ${dev.api_key}' -H 'Content-Type: application/json' -H 'X-Idempotency-Key: first' -d '{"to":"+15551230001","type":"template","template":{"name":"order_ready","language":{"code":"en_US"}}}'`,
    "",
    "Ctrl-C stops everything.",
  ];
}
