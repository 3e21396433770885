import { existsSync, readFileSync } from "node:fs";

/** The demo workspace, as `dev.json` names it. */
export type Demo = { workspace_id: string; api_key: string; phone_number_id: string; phone_number: string };

/** The simulator's own account. */
const DEMO_ACCOUNT = { provider_account_id: "9001", access_token: "EAASIMDEMO" };

/** The workspace of an earlier start when its key still works, else a new one connected to the simulator. */
export async function connectDemo(baseUrl: string, operatorKey: string, devFile: string): Promise<Demo> {
  const known = readDemo(devFile);
  if (known && (await fetch(`${baseUrl}/v1/workspace`, { headers: bearer(known.api_key) })).ok) return known;
  const workspace = await post<{ id: string }>(`${baseUrl}/admin/v1/workspaces`, operatorKey, { name: "Demo" });
  const { key } = await post<{ key: string }>(`${baseUrl}/admin/v1/workspaces/${workspace.id}/api-keys`, operatorKey, {
    name: "Demo key",
    scopes: ["*"],
  });
  const account = await post<{
    status: string;
    status_reason: string | null;
    phone_numbers: { id: string; phone: string }[];
  }>(`${baseUrl}/v1/business-accounts`, key, DEMO_ACCOUNT);
  const number = account.phone_numbers[0];
  if (!number) throw new Error(`the demo account could not be connected: ${account.status_reason ?? account.status}`);
  return { workspace_id: workspace.id, api_key: key, phone_number_id: number.id, phone_number: number.phone };
}

function readDemo(path: string): Demo | null {
  if (!existsSync(path)) return null;
  try {
    const { workspace_id, api_key, phone_number_id, phone_number } = JSON.parse(readFileSync(path, "utf8")) as Demo; // written by an earlier start
    return { workspace_id, api_key, phone_number_id, phone_number };
  } catch {
    return null;
  }
}

const bearer = (key: string): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
});

async function post<T>(url: string, key: string, body: object): Promise<T> {
  const response = await fetch(url, { method: "POST", headers: bearer(key), body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}
