import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { ApiError, type PhoneNumber, type RequestOptions, Waypost, WaypostOperator } from "@waypost/sdk";

/** The demo workspace, as `dev.json` names it. */
export type Demo = { workspace_id: string; api_key: string; phone_number_id: string; phone_number: string };

const NAME = "Demo";
/** The simulator's own account. */
const ACCOUNT = { provider_account_id: "9001", access_token: "EAASIMDEMO" };
/** Connecting takes less than a second; the gateway repeats it after ten. */
const CONNECTED_WITHIN_MS = 60_000;
const POLL_EVERY_MS = 200;
const ANSWER_WITHIN_MS = 30_000;

/** How each step calls the gateway at `baseUrl`. */
type Api = { baseUrl: string; options: RequestOptions };

/**
 * Returns the workspace of an earlier start, or creates one, and connects it to the simulator. Each step first checks whether
 * it is done already: an earlier start may have been killed after any of them.
 */
export async function connectDemo(
  baseUrl: string,
  operatorKey: string,
  devFile: string,
  stopAsked: AbortSignal,
): Promise<Demo> {
  const api: Api = { baseUrl, options: { signal: stopAsked, timeoutMs: ANSWER_WITHIN_MS } };
  const { workspaceId, key } =
    (await findKnownWorkspace(api, devFile)) ?? (await findOrCreateWorkspace(api, operatorKey));
  const number = await findOrConnectNumber(api, key);
  return { workspace_id: workspaceId, api_key: key, phone_number_id: number.id, phone_number: number.phone };
}

/** Null without an earlier start, or when its key belongs to another database or was revoked. */
async function findKnownWorkspace(
  { baseUrl, options }: Api,
  devFile: string,
): Promise<{ workspaceId: string; key: string } | null> {
  const key = readKey(devFile);
  if (key === null) return null;
  try {
    const { id } = await new Waypost({ baseUrl, apiKey: key }).workspace.get(options);
    return { workspaceId: id, key };
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function readKey(path: string): string | null {
  if (!existsSync(path)) return null;
  try {
    const { api_key } = JSON.parse(readFileSync(path, "utf8")) as Partial<Demo>; // written by an earlier start
    return typeof api_key === "string" ? api_key : null;
  } catch {
    return null;
  }
}

async function findOrCreateWorkspace(
  { baseUrl, options }: Api,
  operatorKey: string,
): Promise<{ workspaceId: string; key: string }> {
  const { workspaces } = new WaypostOperator({ baseUrl, operatorKey });
  let workspaceId: string | null = null;
  for await (const { id, name, status } of workspaces.list({ limit: 100 }, options)) {
    if (name !== NAME || status !== "active") continue;
    workspaceId = id;
    break;
  }
  workspaceId ??= (await workspaces.create({ name: NAME }, options)).id;
  const { key } = await workspaces.createApiKey(workspaceId, { name: "npm start", scopes: ["*"] }, options);
  return { workspaceId, key };
}

async function findOrConnectNumber({ baseUrl, options }: Api, key: string): Promise<PhoneNumber> {
  const waypost = new Waypost({ baseUrl, apiKey: key });
  const found = await findNumber(waypost, options);
  if (found !== null) return found;
  await waypost.businessAccounts.create(ACCOUNT, options);
  const deadline = performance.now() + CONNECTED_WITHIN_MS;
  for (;;) {
    const number = await findNumber(waypost, options);
    if (number !== null) return number;
    if (performance.now() > deadline) throw new Error("the demo account was not connected to the simulator in time");
    await delay(POLL_EVERY_MS);
  }
}

async function findNumber(waypost: Waypost, options: RequestOptions): Promise<PhoneNumber | null> {
  const { data } = await waypost.phoneNumbers.list({}, options);
  return data.find((number) => number.is_default) ?? data[0] ?? null;
}
