import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** The demo workspace, as `dev.json` names it. */
export type Demo = { workspace_id: string; api_key: string; phone_number_id: string; phone_number: string };

const NAME = "Demo";
/** The simulator's own account. */
const ACCOUNT = { provider_account_id: "9001", access_token: "EAASIMDEMO" };
/** Connecting takes less than a second; the gateway itself goes on after ten. */
const CONNECTED_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 200;
const ANSWER_WITHIN_MS = 30_000;

type Api = {
  get<T>(path: string, key: string): Promise<T>;
  post<T>(path: string, key: string, body: object): Promise<T>;
};
type List<T> = { data: T[]; next_cursor: string | null };
type PhoneNumber = { id: string; phone: string; is_default: boolean };

/**
 * The workspace of an earlier start, else a new one, connected to the simulator. Each step looks first whether it is done:
 * an earlier start may have been killed after any of them.
 */
export async function connectDemo(
  baseUrl: string,
  operatorKey: string,
  devFile: string,
  stopAsked: AbortSignal,
): Promise<Demo> {
  const api = createApi(baseUrl, stopAsked);
  const known = await knownWorkspace(api, devFile);
  const { workspaceId, key } = known ?? (await findOrMakeWorkspace(api, operatorKey));
  const number = await findOrConnectNumber(api, key);
  return { workspace_id: workspaceId, api_key: key, phone_number_id: number.id, phone_number: number.phone };
}

/** Null without an earlier start, or when its key is of another database or was revoked. */
async function knownWorkspace(api: Api, devFile: string): Promise<{ workspaceId: string; key: string } | null> {
  const key = readKey(devFile);
  if (key === null) return null;
  try {
    const { id } = await api.get<{ id: string }>("/v1/workspace", key);
    return { workspaceId: id, key };
  } catch (error) {
    if (error instanceof Refused) return null;
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

async function findOrMakeWorkspace(api: Api, operatorKey: string): Promise<{ workspaceId: string; key: string }> {
  const workspaces = "/admin/v1/workspaces";
  const { id } =
    (await findWorkspace(api, operatorKey)) ??
    (await api.post<{ id: string }>(workspaces, operatorKey, { name: NAME }));
  const input = { name: "npm start", scopes: ["*"] };
  const { key } = await api.post<{ key: string }>(`${workspaces}/${id}/api-keys`, operatorKey, input);
  return { workspaceId: id, key };
}

async function findWorkspace(api: Api, operatorKey: string): Promise<{ id: string } | null> {
  let cursor = "";
  do {
    const page: List<{ id: string; name: string; status: string }> = await api.get(
      `/admin/v1/workspaces?limit=100${cursor}`,
      operatorKey,
    );
    const found = page.data.find(({ name, status }) => name === NAME && status === "active");
    if (found) return found;
    cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
  } while (cursor !== "");
  return null;
}

async function findOrConnectNumber(api: Api, key: string): Promise<PhoneNumber> {
  const found = await findNumber(api, key);
  if (found !== null) return found;
  await api.post("/v1/business-accounts", key, ACCOUNT);
  const deadline = performance.now() + CONNECTED_WITHIN_MS;
  for (;;) {
    const number = await findNumber(api, key);
    if (number !== null) return number;
    if (performance.now() > deadline) throw new Error("the demo account was not connected to the simulator in time");
    await delay(ASK_EVERY_MS);
  }
}

async function findNumber(api: Api, key: string): Promise<PhoneNumber | null> {
  const { data } = await api.get<List<PhoneNumber>>("/v1/phone-numbers", key);
  return data.find((number) => number.is_default) ?? data[0] ?? null;
}

/** The gateway answered, and not with what was asked for. */
class Refused extends Error {
  override readonly name = "Refused";
}

function createApi(baseUrl: string, stopAsked: AbortSignal): Api {
  const call = async <T>(method: string, path: string, key: string, body?: object): Promise<T> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) },
      signal: AbortSignal.any([stopAsked, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Refused(`${method} ${path} of the gateway answered ${response.status}: ${text}`);
    return JSON.parse(text) as T; // the gateway's own answer, by its contract
  };
  return {
    get: (path, key) => call("GET", path, key),
    post: (path, key, body) => call("POST", path, key, body),
  };
}
