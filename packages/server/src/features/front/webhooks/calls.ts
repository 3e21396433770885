import type { App } from "../../../ctx.ts";
import type { Call, CallAnswer, CallCtx, Given } from "../../../http/call.ts";
import { hasScope } from "../../../http/caller.ts";
import { invalidAt } from "../../../http/problem.ts";
import { formatId } from "../../../lib/ids.ts";
import type { FrontEndpoints } from "../../webhooks/front-endpoint.ts";
import { parsed } from "../messages/content.ts";
import type { ByKind } from "../objects/by-id.ts";
import { namesOf } from "../objects/fields.ts";
import { accountOfPath } from "../objects/objects.ts";

const PATH = "/{account}/subscribed_apps";
const SET = "POST /front-endpoints/{id}";
const REMOVE = "DELETE /front-endpoints/{id}";
const READ = "GET /front-endpoints/{id}";
const WRITE = { scope: "webhooks:write", action: "webhook_endpoint.set_up" } as const;

/** Where the callbacks of an account go. Waypost's own app is subscribed all the while. */
export const webhookCalls = ({ config }: Pick<App, "config">): Call[] => [
  {
    ...WRITE,
    kind: "served",
    method: "POST",
    path: PATH,
    summary:
      "With `override_callback_uri` and `verify_token`: creates or changes the endpoint that gets all callbacks of the account. Without them: deletes it.",
    answer: async (ctx, { params, values }) => {
      const { id } = await accountOfPath(ctx, params["account"] ?? "");
      return await setUp(ctx, formatId("acc", id), values, "");
    },
  },
  {
    ...WRITE,
    action: "webhook_endpoint.delete",
    kind: "served",
    method: "DELETE",
    path: PATH,
    summary: "Deletes that endpoint. The account stays connected.",
    answer: async (ctx, { params }) => {
      const { id } = await accountOfPath(ctx, params["account"] ?? "");
      return await remove(ctx, formatId("acc", id));
    },
  },
  {
    scope: "webhooks:read",
    action: "webhook_endpoint.read",
    kind: "served",
    method: "GET",
    path: PATH,
    summary: "Waypost's app, with the `override_callback_uri` that is set up.",
    answer: async (ctx, { params }) => {
      const { id } = await accountOfPath(ctx, params["account"] ?? "");
      const { of_account: url } = await urlsOf(ctx, formatId("acc", id));
      const app = { id: config.PROVIDER_APP_ID ?? "0", name: "Waypost", link: config.PUBLIC_URL ?? "" };
      const override = url === null ? {} : { override_callback_uri: url };
      return { body: { data: [{ whatsapp_business_api_data: app, ...override }] } };
    },
  },
];

/** POST of a number with `webhook_configuration`; `others` are those without. */
export const configureOr =
  (others: NonNullable<ByKind["number"]>): NonNullable<ByKind["number"]> =>
  async (ctx, number, given) => {
    const { webhook_configuration: given_configuration } = given.values;
    if (given_configuration === undefined) return await others(ctx, number, given);
    const configuration = parsed(given_configuration);
    if (configuration !== null && (typeof configuration !== "object" || Array.isArray(configuration)))
      throw invalidAt(CONFIGURATION, "must be an object", "type");
    return await setUp(ctx, formatId("num", number.id), { ...configuration }, CONFIGURATION);
  };

/** GET of a number: `webhook_configuration` beside its other fields, where it is asked for by a key that may read endpoints. */
export const withConfiguration =
  (read: NonNullable<ByKind["number"]>): NonNullable<ByKind["number"]> =>
  async (ctx, number, given) => {
    const isAsked = namesOf(given.values["fields"])?.has("webhook_configuration") === true;
    const urls = isAsked && hasScope(ctx.actor, "webhooks:read") ? await urlsOf(ctx, formatId("num", number.id)) : null;
    const answer = await read(ctx, number, given);
    if (urls === null) return answer;
    const webhook_configuration = {
      ...(urls.of_account === null ? {} : { whatsapp_business_account: urls.of_account }),
      ...(urls.of_number === null ? {} : { phone_number: urls.of_number }),
    };
    return { ...answer, body: { ...answer.body, webhook_configuration } };
  };

const CONFIGURATION = "/webhook_configuration";

/** An address that is empty, null or not there removes what is set up. `at`: where the values stand. */
async function setUp(ctx: CallCtx, id: string, values: Given["values"], at: string): Promise<CallAnswer> {
  const { override_callback_uri: url, verify_token: token } = values;
  if (url == null || url === "") return await remove(ctx, id);
  if (typeof url !== "string") throw invalidAt(`${at}/override_callback_uri`, "must be a text", "type");
  if (typeof token !== "string" || token === "")
    throw invalidAt(`${at}/verify_token`, "is required: the address is asked with it", "required");
  const { replayed } = await ctx.pass(SET, { params: { id }, body: { url, verify_token: token } });
  return success(replayed);
}

async function remove(ctx: CallCtx, id: string): Promise<CallAnswer> {
  const { replayed } = await ctx.pass(REMOVE, { params: { id } });
  return success(replayed);
}

const success = (replayed: boolean): CallAnswer => ({ body: { success: true }, ...(replayed ? { replayed } : {}) });

const urlsOf = async (ctx: CallCtx, id: string): Promise<FrontEndpoints> =>
  (await ctx.pass(READ, { params: { id } })).body as FrontEndpoints; // the row's response
