import { vi } from "vitest";
import { formatId, newUuid } from "../../packages/server/src/lib/ids.ts";
import { postCallback } from "../../packages/server/src/testing/callback.ts";
import { type Gateway, ORDER_READY, type Sender } from "../../packages/server/src/testing/gateway.ts";

/** A request that succeeds, for each route of the table that takes a body or whose success costs a resource. */
export type Example = { body?: object; params?: Record<string, string> };

/** Public ids that exist in a workspace, by their prefix. */
export type Ids = Record<string, string>;

/**
 * The requests that the walk over the route table sends. A new route with a body, or one that ends the resource it names, needs
 * a line here: the walk fails until it has one. Called once for each success, in the order of the walk.
 */
export const EXAMPLES: Record<string, (of: Sender, ids: Ids) => Example | Promise<Example>> = {
  "POST /v1/messages": () => ({ body: { to: "+15559000001", type: "template", template: ORDER_READY } }),
  "POST /v1/webhook-endpoints": () => ({ body: { url: "https://example.com/hook", events: ["*"] } }),
  "PATCH /v1/webhook-endpoints/{id}": () => ({ body: { description: "changed" } }),
  "POST /v1/webhook-endpoints/{id}/rotate-secret": () => ({ body: {} }),
  "DELETE /v1/webhook-endpoints/{id}": async (of) => ({ params: { id: (await endpointOf(of)).id } }),
  "POST /v1/api-keys": () => ({ body: { name: "another", scopes: ["messages:read"] } }),
  "POST /v1/api-keys/{id}/rotate": async (of) => ({ body: {}, params: { id: await keyOf(of) } }),
  "DELETE /v1/api-keys/{id}": async (of) => ({ params: { id: await keyOf(of) } }),
  "POST /v1/business-accounts": ({ account }) => ({
    body: { provider_account_id: account.wabaId, access_token: account.token },
  }),
  "PATCH /v1/phone-numbers/{id}": () => ({ body: { description: "Front desk" } }),
  "POST /admin/v1/quarantine/replay": () => ({ body: { reason: "failed" } }),
  "POST /admin/v1/workspaces": () => ({ body: { name: "Made by the walk" } }),
  "PATCH /admin/v1/workspaces/{id}": () => ({ body: { name: "Renamed by the walk" } }),
  "POST /admin/v1/workspaces/{id}/api-keys": () => ({ body: { name: "made", scopes: ["messages:read"] } }),
};

/** One resource of each kind that a path can name. A new prefix in a path needs its line here. */
export async function idsOf(of: Sender, gateway: Gateway): Promise<Ids> {
  const first = async (path: string): Promise<string> => (await of.call("GET", path)).body.data[0].id;
  const endpoint = await endpointOf(of);
  const delivery = await of.call("POST", `/v1/webhook-endpoints/${endpoint.id}/test`);
  return {
    ws: of.id,
    key: of.keyId,
    acc: await first("/v1/business-accounts"),
    num: of.phoneNumberId,
    tpl: await first("/v1/templates"),
    msg: (await of.send("+15559000002")).body.id,
    whe: endpoint.id,
    dlv: delivery.body.id,
    qrn: await quarantinedOf(gateway),
  };
}

/** Ids of the same kinds that do not exist. */
export const unknownId = (prefix: string): string => formatId(prefix as Parameters<typeof formatId>[0], newUuid(1));

async function endpointOf(of: Sender): Promise<{ id: string }> {
  const body = { url: "https://example.com/hook", events: ["read"] };
  return (await of.call("POST", "/v1/webhook-endpoints", { body })).body;
}

/** A quarantined callback: signed, and not JSON. */
async function quarantinedOf(gateway: Gateway): Promise<string> {
  await postCallback(gateway, "no JSON");
  return await vi.waitFor(async () => {
    const { body } = await gateway.operator("GET", "/admin/v1/quarantine");
    if (body.data.length === 0) throw new Error("nothing is set aside yet");
    return body.data[0].id;
  }, PATIENCE);
}

/** Far longer than any of these takes on a busy machine. */
const PATIENCE = { timeout: 15_000, interval: 15 };

async function keyOf(of: Sender): Promise<string> {
  const body = { name: "of the walk", scopes: ["messages:read"] };
  return (await of.call("POST", "/v1/api-keys", { body })).body.id;
}
