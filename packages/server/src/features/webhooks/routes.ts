import { Type } from "typebox";
import { idParams } from "../../http/ids.ts";
import { pageRequest } from "../../http/pagination.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { SLOTS } from "../../lanes/wake.ts";
import type { EgressPolicy } from "../../lib/safe-fetch-target.ts";
import { readDeliveries, readDelivery } from "./delivery.ts";
import {
  changeEndpoint,
  createEndpoint,
  readEndpoint,
  readEndpoints,
  removeEndpoint,
  rotateSecret,
  testEndpoint,
} from "./endpoint.ts";
import {
  Delivery,
  DeliveryList,
  DeliveryListQuery,
  NewWebhookEndpoint,
  SecretRotation,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointList,
  WebhookEndpointListQuery,
  WebhookEndpointWithSecret,
} from "./schema.ts";

const ENDPOINT_ID = idParams("whe");
const READ = { auth: "workspace", scope: "webhooks:read", tag: "webhooks" } as const;
const WRITE = { auth: "workspace", scope: "webhooks:write", tag: "webhooks" } as const;
const ALL_SLOTS = Array.from({ length: SLOTS }, (_, slot) => slot);

export const webhookRoutes = (policy: EgressPolicy): AnyRoute[] => [
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/webhook-endpoints",
    summary: "Add a webhook endpoint",
    action: "webhook_endpoint.create",
    body: NewWebhookEndpoint,
    status: 201,
    response: WebhookEndpointWithSecret,
    errors: ["conflict"],
    verb: (ctx, { body }) => createEndpoint(ctx, body, policy),
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/webhook-endpoints",
    summary: "List webhook endpoints",
    action: "webhook_endpoint.list",
    query: WebhookEndpointListQuery,
    status: 200,
    response: WebhookEndpointList,
    verb: (ctx, { query }) => readEndpoints(ctx, pageRequest(query)),
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/webhook-endpoints/{id}",
    summary: "Read a webhook endpoint",
    action: "webhook_endpoint.read",
    params: ENDPOINT_ID,
    status: 200,
    response: WebhookEndpoint,
    errors: ["not_found"],
    verb: (ctx, { params }) => readEndpoint(ctx, params.id),
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "PATCH",
    path: "/v1/webhook-endpoints/{id}",
    summary: "Change a webhook endpoint",
    description: "Enabling a disabled endpoint releases the deliveries that were parked meanwhile.",
    action: "webhook_endpoint.update",
    params: ENDPOINT_ID,
    body: WebhookEndpointChange,
    status: 200,
    response: WebhookEndpoint,
    errors: ["not_found", "precondition_failed"],
    verb: (ctx, { params, body, ifMatch }) => changeEndpoint(ctx, params.id, body, ifMatch, policy),
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "DELETE",
    path: "/v1/webhook-endpoints/{id}",
    summary: "Delete a webhook endpoint",
    description: "Its open deliveries are dropped.",
    action: "webhook_endpoint.delete",
    params: ENDPOINT_ID,
    status: 204,
    response: Type.Null(),
    errors: ["not_found", "precondition_failed"],
    verb: (ctx, { params, ifMatch }) => removeEndpoint(ctx, params.id, ifMatch),
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/webhook-endpoints/{id}/rotate-secret",
    summary: "Replace the signing secret",
    description: "During the overlap every delivery carries a signature of each secret.",
    action: "webhook_endpoint.rotate_secret",
    params: ENDPOINT_ID,
    body: SecretRotation,
    status: 200,
    response: WebhookEndpointWithSecret,
    errors: ["not_found"],
    verb: (ctx, { params, body }) => rotateSecret(ctx, params.id, body),
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/webhook-endpoints/{id}/test",
    summary: "Send a test event",
    description: "An event of kind `endpoint_test`, sent to this endpoint alone whatever it listens to.",
    action: "webhook_endpoint.test",
    params: ENDPOINT_ID,
    status: 202,
    response: Delivery,
    errors: ["not_found", "conflict"],
    verb: (ctx, { params }) => testEndpoint(ctx, params.id),
    after(ctx, answer) {
      // A hint: which of the slots it was is not worth carrying through the answer.
      ctx.wake.hint("deliver", ALL_SLOTS);
      return Promise.resolve(answer);
    },
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/webhook-endpoints/{id}/deliveries",
    summary: "List the deliveries of an endpoint",
    action: "delivery.list",
    params: ENDPOINT_ID,
    query: DeliveryListQuery,
    status: 200,
    response: DeliveryList,
    errors: ["not_found"],
    verb: (ctx, { params, query }) => readDeliveries(ctx, params.id, query),
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/deliveries/{id}",
    summary: "Read a delivery with its attempts",
    action: "delivery.read",
    params: idParams("dlv"),
    status: 200,
    response: Delivery,
    errors: ["not_found"],
    verb: (ctx, { params }) => readDelivery(ctx, params.id),
  }),
];
