// A gateway as it is deployed, with a database and the simulator as the provider. Two workspaces have a number each.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ACCOUNT, NUMBER } from "./people.mjs";
import { APP_SECRET, QUICK, VERIFY_TOKEN } from "./world.mjs";

const WAYPOST = fileURLToPath(new URL("../../packages/cli/bin/waypost.js", import.meta.url));
const OPERATOR_KEY = "clients-operator-key-of-the-tests";
const STARTED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 50;

/** Another workspace's account, at the same app of the provider. */
export const FOREIGN = { account: "9002", number: "2055", phone: "+15559990002", token: "EAASIMFOREIGN" };

/** Resolves to the simulator and the API of both workspaces; `stop` ends everything. `templates`: of the account, beside those of the demo. */
export async function startGateway({ startSimulator }, { startEmbedded }, templates = []) {
  const directory = mkdtempSync(join(tmpdir(), "waypost-clients-"));
  const stops = [];
  const stop = async () => {
    for (const one of stops.splice(0).toReversed()) await one();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const database = await startEmbedded({ dataDir: join(directory, "database"), durable: false });
    stops.push(() => database.stop());
    const simulator = await startSimulator({
      appSecret: APP_SECRET,
      verifyToken: VERIFY_TOKEN,
      delays: QUICK,
      settings: { pairLimit: false, accountsMixed: "always" },
    });
    stops.push(() => simulator.close());
    for (const one of templates) simulator.addTemplate({ waba_id: ACCOUNT, language: "en_US", ...one });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = spawn(process.execPath, [WAYPOST, "serve"], {
      env: {
        PATH: process.env.PATH,
        HOST: "127.0.0.1",
        PORT: String(port),
        METRICS_PORT: String(await freePort()),
        DATABASE_URL: database.url,
        WAYPOST_DATA_DIR: join(directory, "files"),
        WAYPOST_OPERATOR_KEY: OPERATOR_KEY,
        WAYPOST_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
        API_RATE_LIMIT: "off",
        LOG_LEVEL: "warn",
        PROVIDER_BASE_URL: simulator.url,
        PROVIDER_APP_ID: "42",
        PROVIDER_APP_SECRET: APP_SECRET,
        PROVIDER_VERIFY_TOKEN: VERIFY_TOKEN,
        EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (complaint = (complaint + text).slice(-4_000)));
    const ended = once(child, "exit");
    stops.push(() => {
      child.kill("SIGTERM");
      return ended;
    });
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`the gateway has ended\n${complaint}`);
      return await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    }, "the gateway to start");
    const mine = await workspaceWith(url, simulator, { account: ACCOUNT, number: NUMBER, token: "EAASIMDEMO" });
    simulator.addAccount({
      waba_id: FOREIGN.account,
      name: "Another shop",
      business_id: "7002",
      token: FOREIGN.token,
      phone_numbers: [{ id: FOREIGN.number, display_phone_number: FOREIGN.phone, verified_name: "Another shop" }],
    });
    const theirs = await workspaceWith(url, simulator, FOREIGN);
    return { url, simulator, mine, theirs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A workspace with the account, connected; resolves to what calls its API. */
async function workspaceWith(url, simulator, { account, token }) {
  const operator = apiOf(url, OPERATOR_KEY);
  const { id } = await operator("POST", "/admin/v1/workspaces", { name: `Shop ${account}` });
  const { key } = await operator("POST", `/admin/v1/workspaces/${id}/api-keys`, { name: "clients", scopes: ["*"] });
  const api = apiOf(url, key);
  await api("POST", "/v1/business-accounts", { provider_account_id: account, access_token: token });
  await until(async () => {
    const { data } = await api("GET", "/v1/business-accounts");
    return data[0]?.status === "connected";
  }, `account ${account} to be connected`);
  return Object.assign(api, { key });
}

/** Calls of one key: resolves to the body of the answer, rejects where that is a problem. */
const apiOf = (url, key) => async (method, path, body) => {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? null : JSON.parse(text);
};

/** Waits for a condition that a look finds to be true. */
export async function until(look, what, withinMs = STARTED_WITHIN_MS) {
  const end = Date.now() + withinMs;
  while (!(await look())) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function freePort() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
