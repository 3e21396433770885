import { Type } from "typebox";
import { idParams } from "../../http/ids.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import type { EgressPolicy } from "../../lib/safe-fetch-target.ts";
import { getDelivery, listDeliveries } from "./deliveries/delivery.ts";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
} from "./endpoints/endpoint.ts";
import { hintDeliveries } from "./event.ts";
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
const READ = { auth: "workspace", scope: "webhooks:read", tag: "Webhooks" } as const;
const WRITE = { auth: "workspace", scope: "webhooks:write", tag: "Webhooks" } as const;

/** The feature's route table. `policy` says which URLs an endpoint may have. */
export const webhookRoutes = (policy: EgressPolicy): AnyRoute[] => [
  ...endpointRoutes(policy),
  ...endpointActionRoutes,
  ...deliveryRoutes,
];

const endpointRoutes = (policy: EgressPolicy): AnyRoute[] => [
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/webhook-endpoints",
    summary: "Add a webhook endpoint",
    description:
      "From its commit on it gets every event of the kinds that it names, each signed with the secret in this answer, at least once. Up to 100 endpoints.",
    action: "webhook_endpoint.create",
    body: NewWebhookEndpoint,
    status: 201,
    response: WebhookEndpointWithSecret,
    etag: true,
    errors: ["conflict"],
    verb: (ctx, input) => createEndpoint(ctx, input, policy),
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/webhook-endpoints",
    summary: "List webhook endpoints",
    description: "Disabled ones too; no secrets.",
    action: "webhook_endpoint.list",
    query: WebhookEndpointListQuery,
    status: 200,
    response: WebhookEndpointList,
    verb: listEndpoints,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/webhook-endpoints/{id}",
    summary: "Read a webhook endpoint",
    description: "`status` says how its deliveries fare, `disabled_reason` why it gets none.",
    action: "webhook_endpoint.read",
    params: ENDPOINT_ID,
    status: 200,
    response: WebhookEndpoint,
    etag: true,
    errors: ["not_found"],
    verb: getEndpoint,
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
    etag: true,
    errors: ["not_found", "precondition_failed"],
    verb: (ctx, input) => updateEndpoint(ctx, input, policy),
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
    verb: deleteEndpoint,
  }),
];

const endpointActionRoutes: AnyRoute[] = [
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/webhook-endpoints/{id}/rotate-secret",
    summary: "Replace the signing secret",
    description:
      "During the overlap, a day without a body, every delivery carries a signature of each secret. The new one is in this answer alone.",
    action: "webhook_endpoint.rotate_secret",
    params: ENDPOINT_ID,
    body: SecretRotation,
    bodyOptional: true,
    status: 200,
    response: WebhookEndpointWithSecret,
    etag: true,
    errors: ["not_found"],
    verb: rotateSecret,
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
    verb: testEndpoint,
    after: hintDeliveries,
  }),
];

const deliveryRoutes: AnyRoute[] = [
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/webhook-endpoints/{id}/deliveries",
    summary: "List the deliveries of an endpoint",
    description: "One for each event, however often it was tried; a delivery has its attempts when it is read.",
    action: "delivery.list",
    params: ENDPOINT_ID,
    query: DeliveryListQuery,
    status: 200,
    response: DeliveryList,
    errors: ["not_found"],
    verb: listDeliveries,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/deliveries/{id}",
    summary: "Read a delivery with its attempts",
    description: "What each try came to: status, duration, and the start of the receiver's answer.",
    action: "delivery.read",
    params: idParams("dlv"),
    status: 200,
    response: Delivery,
    errors: ["not_found"],
    verb: getDelivery,
  }),
];
