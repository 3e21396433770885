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
  const numbers: { id: string; phone: string }[] = connected.body?.phone_numbers ?? [];
  if (connected.status !== 201 || numbers.length === 0) throw new Error(`not connected: ${connected.text}`);
  return numbers;
}
