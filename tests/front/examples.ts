import { vi } from "vitest";
import { SIGNED_TOKEN_EXAMPLE } from "../../packages/server/src/features/media/routes.ts";
import type { AnyRoute } from "../../packages/server/src/http/route.ts";
import { DAY_MS } from "../../packages/server/src/lib/duration.ts";
import { formatId, newUuid } from "../../packages/server/src/lib/ids.ts";
import { postCallback } from "../../packages/server/src/testing/callback.ts";
import { type Gateway, ORDER_READY, type Sender } from "../../packages/server/src/testing/gateway.ts";

/** A request that succeeds (a text is a file of CSV, or a form), for each route of the table that takes a body or whose success costs a resource. */
export type Example = { body?: object | string; params?: Record<string, string> };

/** Public ids that exist in a workspace, by their prefix. */
export type Ids = Record<string, string>;

type Examples = Record<string, (of: Sender, ids: Ids) => Example | Promise<Example>>;

const CONTACTS = "phone,name\n+15559000006,Ana\n";
/** A form with one file. */
export const FORM = [
  "--part",
  'Content-Disposition: form-data; name="file"; filename="hours.txt"',
  "",
  "Open from 9 to 5.",
  "--part--",
  "",
].join("\r\n");
/** The media type of a body that is a text. */
export const typeOfText = (body: string): string => (body === FORM ? "multipart/form-data; boundary=part" : "text/csv");

/**
 * The requests of routes for which the defaults of `examplesOf` do not do. Called once for each success, in the order of the
 * walk over the route table.
 */
export const EXAMPLES: Examples = {
  "POST /v1/messages": () => ({ body: { to: "+15559000001", type: "template", template: ORDER_READY } }),
  "POST /v1/messages/validate": () => ({ body: { to: "+15559000001", type: "template", template: ORDER_READY } }),
  "POST /v1/messages/{id}/cancel": async (of) => ({ params: { id: await scheduledBy(of) } }),
  "POST /v1/messages/{id}/read": async (of) => ({ body: { typing: true }, params: { id: await inboundOf(of) } }),
  "POST /v1/conversations/{contact_id}/control": async (of) => {
    const id = await inboundOf(of);
    const { contact_id } = (await of.call("GET", `/v1/messages/${id}`)).body;
    return { params: { contact_id }, body: { phone_number_id: of.phoneNumberId, action: "take" } };
  },
  "POST /v1/contacts/{id}/merge": async (of) => ({
    params: { id: await contactOf(of, "+15559000005") },
    body: { contact_id: await contactOf(of, "+15559000006") },
  }),
  "DELETE /v1/contacts/{id}": async (of) => ({ params: { id: await contactOf(of, "+15559000007") } }),
  "POST /v1/api-keys/{id}/rotate": async (of) => ({ body: {}, params: { id: await keyOf(of) } }),
  // One that has failed: what is completed takes no new code.
  "POST /v1/embedded-signups/{id}/resume": async (of) => ({
    body: { code: "code-9001" },
    params: { id: await failedSignupOf(of) },
  }),
  "POST /v1/contacts/imports": () => ({ body: CONTACTS }),
  "POST /v1/media": () => ({ body: FORM }),
  "DELETE /v1/media/{id}": async (of) => ({ params: { id: await mediaOf(of) } }),
  "POST /v1/business-accounts": ({ account }) => ({
    body: { provider_account_id: account.wabaId, access_token: account.token },
  }),
  "POST /v1/templates": () => ({ body: newTemplate() }),
  "PATCH /v1/templates/{id}": async (of) => ({
    body: { components: newTemplate().components },
    params: { id: await editableOf(of) },
  }),
  "DELETE /v1/templates/{id}": async (of) => ({
    params: { id: (await of.call("POST", "/v1/templates", { body: newTemplate() })).body.id },
  }),
};

let templates = 0;
/** Each with a name of its own: the provider has one of a name. */
const newTemplate = () => ({
  name: `example_${(templates += 1)}`,
  language: { code: "en_US" },
  category: "utility",
  components: [{ type: "BODY", text: "Your parcel is here." }],
});
const editableOf = async (of: Sender): Promise<string> =>
  (await of.call("GET", "/v1/templates?status=approved")).body.data[0].id;

/**
 * The example of each route: by default the example of its body's schema, and for a DELETE a resource that is created for it in
 * its collection. A plain resource needs no line in `EXAMPLES`.
 */
export function examplesOf(routes: readonly AnyRoute[]): Examples {
  const examples: Examples = { ...EXAMPLES };
  for (const row of routes) {
    const name = `${row.method} ${row.path}`;
    const body = bodyOf(row);
    if (name in examples) continue;
    if (row.method === "DELETE" && collectionOf(row, routes))
      examples[name] = async (of) => ({ params: { id: await createdFor(row, routes, of) } });
    else if (body) examples[name] = () => ({ body });
  }
  return examples;
}

const bodyOf = (row: AnyRoute): object | undefined => (row.body as { examples?: object[] } | undefined)?.examples?.[0];

/** The route that creates what `/v1/things/{id}` names. */
const collectionOf = (row: AnyRoute, routes: readonly AnyRoute[]): AnyRoute | undefined =>
  routes.find(({ method, path }) => method === "POST" && `${path}/{id}` === row.path);

async function createdFor(row: AnyRoute, routes: readonly AnyRoute[], of: Sender): Promise<string> {
  const collection = collectionOf(row, routes);
  if (!collection) throw new Error(`${row.method} ${row.path}: examples.ts has no resource for it`);
  return (await of.call("POST", collection.path, { body: bodyOf(collection) })).body.id;
}

/** `msg` of a path's `{id}`, as its schema says. */
export function prefixOf(row: AnyRoute, name: string): string {
  const properties = (row.params as { properties?: Record<string, { pattern?: string }> } | undefined)?.properties;
  const prefix = /^\^([a-z]+)_/.exec(properties?.[name]?.pattern ?? "")?.[1];
  if (!prefix) throw new Error(`${row.method} ${row.path}: {${name}} has no schema of an id (http/ids.ts)`);
  return prefix;
}

/** The example of a path's parameter that is no id. */
export function wordOf(row: AnyRoute, name: string): string | undefined {
  const properties = (row.params as { properties?: Record<string, { pattern?: string; examples?: string[] }> })
    .properties;
  return properties?.[name]?.pattern === undefined ? properties?.[name]?.examples?.[0] : undefined;
}

/** One resource of each kind that a path can name; those that their collection can create need no line here. */
export async function idsOf(of: Sender, gateway: Gateway): Promise<Ids> {
  const first = async (path: string): Promise<string> => (await of.call("GET", path)).body.data[0].id;
  const endpoint = await endpointOf(of);
  const delivery = await of.call("POST", `/v1/webhook-endpoints/${endpoint.id}/test`);
  const message = (await of.send("+15559000002")).body;
  const ids: Ids = {
    ws: of.id,
    key: of.keyId,
    acc: await first("/v1/business-accounts"),
    num: of.phoneNumberId,
    tpl: await first("/v1/templates"),
    msg: message.id,
    con: message.contact_id,
    whe: endpoint.id,
    dlv: delivery.body.id,
    evt: delivery.body.event_id,
    qrn: await quarantinedOf(gateway),
    imp: await importOf(of),
    med: await mediaOf(of),
    [SIGNED_TOKEN_EXAMPLE]: await signedTokenOf(of),
    rpl: await replayOf(of, endpoint.id),
  };
  const { routes, timers } = gateway.features;
  // So that usage and metrics have what was sent above.
  for (const { name, run } of timers) if (/^usage$|metrics/.test(name)) await run();
  for (const row of routes.filter((each) => collectionOf(each, routes)))
    ids[prefixOf(row, "id")] ??= await createdFor(row, routes, of);
  return ids;
}

/** Ids of the same kinds that do not exist. */
export const unknownId = (prefix: string): string => formatId(prefix as Parameters<typeof formatId>[0], newUuid(1));

/** One that has ended, with an error. */
async function importOf({ call }: Sender): Promise<string> {
  const headers = { "content-type": "text/csv" };
  const { id } = (await call("POST", "/v1/contacts/imports", { headers, body: "phone\n12\n" })).body;
  return await vi.waitFor(async () => {
    const { status } = (await call("GET", `/v1/contacts/imports/${id}`)).body;
    if (status !== "completed") throw new Error(`the import is ${status}`);
    return id;
  }, PATIENCE);
}

const mediaOf = async ({ call }: Sender): Promise<string> =>
  (await call("POST", "/v1/media", { headers: { "content-type": typeOfText(FORM) }, body: FORM })).body.id;

/** The token of an address that is valid now. */
async function signedTokenOf(of: Sender): Promise<string> {
  const { body } = await of.call("GET", `/v1/media/${await mediaOf(of)}`);
  return body.content_url.split("/").at(-1);
}

async function replayOf({ call }: Sender, endpointId: string): Promise<string> {
  const body = { created_after: new Date(0).toISOString(), dry_run: true };
  return (await call("POST", `/v1/webhook-endpoints/${endpointId}/replays`, { body })).body.id;
}

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
const PATIENCE = { timeout: 30_000, interval: 15 };

async function scheduledBy(of: Sender): Promise<string> {
  const send_at = new Date(Date.now() + 10 * DAY_MS).toISOString();
  return (await of.send("+15559000003", { send_at })).body.id;
}

const inboundOf = async (of: Sender): Promise<string> => (await of.inbound("+15559000004")).id;

async function failedSignupOf({ call }: Sender): Promise<string> {
  const { id } = (await call("POST", "/v1/embedded-signups", { body: { code: "unknown" } })).body;
  return await vi.waitFor(async () => {
    const { status } = (await call("GET", `/v1/embedded-signups/${id}`)).body;
    if (status !== "failed") throw new Error(`the signup is ${status}`);
    return id;
  }, PATIENCE);
}

const contactOf = async (of: Sender, phone: string): Promise<string> =>
  (await of.call("POST", "/v1/contacts?on_conflict=update", { body: { phone } })).body.id;

async function keyOf(of: Sender): Promise<string> {
  const body = { name: "of the walk", scopes: ["messages:read"] };
  return (await of.call("POST", "/v1/api-keys", { body })).body.id;
}
