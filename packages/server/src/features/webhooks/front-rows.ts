import { type Static, Type } from "typebox";
import { notFound } from "../../http/problem.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { nullable } from "../../http/schema-types.ts";
import { parseId } from "../../lib/ids.ts";
import {
  type FrontEndpoint,
  type FrontOf,
  getFrontEndpoints,
  removeFrontEndpoint,
  setFrontEndpoint,
} from "./front-endpoint.ts";
import type { Handshakes } from "./provider-format/handshake.ts";
import { LONGEST_URL, WebhookEndpoint } from "./schema.ts";

/** `num_…` or `acc_…`. */
const params = Type.Object({ id: Type.String() });
/** Longer ones are no token that a client has. */
const LONGEST_TOKEN = 256;
const body = Type.Object({
  url: Type.String({ minLength: 1, maxLength: LONGEST_URL }),
  verify_token: Type.String({ minLength: 1, maxLength: LONGEST_TOKEN }),
});
const ROW = { tag: "Webhooks", auth: "workspace", limitedKeys: "own", path: "/front-endpoints/{id}", params } as const;

/** What calls of the provider's API go through that set up, read and remove the endpoint of an account or a number. */
export const frontRows = (handshakes: Pick<Handshakes, "ofFront">): readonly AnyRoute[] => [
  route({
    ...ROW,
    scope: "webhooks:write",
    kind: "write",
    method: "POST",
    summary: "Set up the endpoint of an account or a number",
    description: "The URL is asked first.",
    action: "webhook_endpoint.set_up",
    body,
    status: 200,
    response: WebhookEndpoint,
    before: (ctx, { params: { id }, body: given }) => handshakes.ofFront(ctx, endpointOf(id, given)),
    verb: (ctx, { params: { id }, body: given }) => setFrontEndpoint(ctx, endpointOf(id, given)),
  }),
  route({
    ...ROW,
    scope: "webhooks:write",
    kind: "write",
    method: "DELETE",
    summary: "Remove the endpoint of an account or a number",
    description: "Does nothing where there is none.",
    action: "webhook_endpoint.delete",
    status: 204,
    response: Type.Null(),
    verb: (ctx, { params: { id } }) => removeFrontEndpoint(ctx, ofPath(id)),
  }),
  route({
    ...ROW,
    scope: "webhooks:read",
    kind: "read",
    method: "GET",
    summary: "Where the callbacks of an account or a number go",
    description: "What is set up for the account too, of a number.",
    action: "webhook_endpoint.read",
    status: 200,
    response: Type.Object({ of_number: nullable(Type.String()), of_account: nullable(Type.String()) }),
    verb: (ctx, { params: { id } }) => getFrontEndpoints(ctx, ofPath(id)),
  }),
];

const endpointOf = (id: string, { url, verify_token: verifyToken }: Static<typeof body>): FrontEndpoint => ({
  of: ofPath(id),
  url,
  verifyToken,
});

function ofPath(id: string): FrontOf {
  const [numberId, accountId] = [parseId("num", id), parseId("acc", id)];
  if (numberId !== null) return { numberId };
  if (accountId !== null) return { accountId };
  throw notFound();
}
