import { setTimeout as sleep } from "node:timers/promises";
import { parseId } from "../lib/ids.ts";
import type { Call } from "./call.ts";

/** A workspace and its API key: `id` is `ws_…`, `uuid` the same as in the database. */
export type NewWorkspace = { id: string; uuid: string; key: string; keyId: string };

/** Creates a workspace with one API key, as the operator does. */
export async function createWorkspace(operator: Call, scopes: readonly string[] = ["*"]): Promise<NewWorkspace> {
  const workspace = await operator("POST", "/admin/v1/workspaces", { body: { name: "Acme" } });
  const path = `/admin/v1/workspaces/${workspace.body.id}/api-keys`;
  const created = await operator("POST", path, { body: { name: "first", scopes } });
  if (created.status !== 201) throw new Error(`there is no workspace: ${created.text}`);
  const { id } = workspace.body;
  return { id, uuid: parseId("ws", id) ?? "", key: created.body.key, keyId: created.body.id };
}

/** Connects an account of the provider to the workspace of `call`, and returns its phone numbers. */
export async function connectAccount(
  call: Call,
  account: { wabaId: string; token: string },
): Promise<{ id: string; phone: string }[]> {
  const connected = await call("POST", "/v1/business-accounts", {
    body: { provider_account_id: account.wabaId, access_token: account.token },
  });
  // 202: verified in the background, which the answer may show as done already.
  if (connected.status !== 201 && connected.status !== 202) throw new Error(`not connected: ${connected.text}`);
  const { id } = connected.body;
  for (let { body } = connected, tries = 0; ; tries += 1) {
    const numbers: { id: string; phone: string }[] = body.phone_numbers;
    if (numbers.length > 0) return numbers;
    if (body.status !== "connecting" || tries === MOST_LOOKS) throw new Error(`not connected: ${JSON.stringify(body)}`);
    await sleep(BETWEEN_LOOKS_MS);
    ({ body } = await call("GET", `/v1/business-accounts/${id}`));
  }
}

/** On a busy machine the gateway answers before the provider has, and the account is connected soon after: within 15 s. */
const MOST_LOOKS = 300;
const BETWEEN_LOOKS_MS = 50;
