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
    summary: "Create a webhook endpoint",
    description:
      "From now on the endpoint receives every event of its kinds at least once, signed with the secret in this response. A workspace can have up to 100 endpoints.",
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
    description: "Includes disabled endpoints. Secrets are not returned.",
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
    summary: "Get a webhook endpoint",
    description:
      "`status` is `failing` while deliveries fail. For a disabled endpoint, `disabled_reason` gives the reason.",
    action: "webhook_endpoint.read",
    params: ENDPOINT_ID,
    status: 200,
    response: WebhookEndpoint,
    etag: true,
    verb: getEndpoint,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "PATCH",
    path: "/v1/webhook-endpoints/{id}",
    summary: "Update a webhook endpoint",
    description: "Enabling a disabled endpoint releases the deliveries that were parked in the meantime.",
    action: "webhook_endpoint.update",
    params: ENDPOINT_ID,
    body: WebhookEndpointChange,
    status: 200,
    response: WebhookEndpoint,
    etag: true,
    errors: ["precondition_failed"],
    verb: (ctx, input) => updateEndpoint(ctx, input, policy),
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "DELETE",
    path: "/v1/webhook-endpoints/{id}",
    summary: "Delete a webhook endpoint",
    description: "The endpoint's open deliveries are dropped.",
    action: "webhook_endpoint.delete",
    params: ENDPOINT_ID,
    status: 204,
    response: Type.Null(),
    errors: ["precondition_failed"],
    verb: deleteEndpoint,
  }),
];

const endpointActionRoutes: AnyRoute[] = [
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/webhook-endpoints/{id}/rotate-secret",
    summary: "Rotate the signing secret",
    description:
      "During the overlap, one day by default, every delivery carries a signature for each secret. The new secret is returned only in this response.",
    action: "webhook_endpoint.rotate_secret",
    params: ENDPOINT_ID,
    body: SecretRotation,
    bodyOptional: true,
    status: 200,
    response: WebhookEndpointWithSecret,
    etag: true,
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
    errors: ["conflict"],
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
    description: "One delivery for each event, however often it was attempted. Get a delivery to see its attempts.",
    action: "delivery.list",
    params: ENDPOINT_ID,
    query: DeliveryListQuery,
    status: 200,
    response: DeliveryList,
    verb: listDeliveries,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/deliveries/{id}",
    summary: "Get a delivery with its attempts",
    description: "The result of each attempt: status, duration, and the start of the receiver's response.",
    action: "delivery.read",
    params: idParams("dlv"),
    status: 200,
    response: Delivery,
    verb: getDelivery,
  }),
];
