import { Type } from "typebox";
import type { EventStream } from "../../http/event-stream.ts";
import { idParams } from "../../http/ids.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { listAllDeliveries, listDeliveries } from "./deliveries/delivery.ts";
import type { DeliveryVerbs } from "./deliveries/get.ts";
import { hintRedeliveries, retryDelivery } from "./deliveries/retry.ts";
import { AllDeliveriesQuery, Delivery, DeliveryList, DeliveryListQuery } from "./deliveries/schema.ts";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
} from "./endpoints/endpoint.ts";
import type { Feed } from "./feed/feed.ts";
import type { Handshakes } from "./provider-format/handshake.ts";
import {
  Event,
  EventList,
  EventListQuery,
  EventStreamQuery,
  NewWebhookEndpoint,
  SecretRotation,
  STREAM_EXAMPLE,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointList,
  WebhookEndpointListQuery,
  WebhookEndpointWithSecret,
} from "./schema.ts";

const ENDPOINT_ID = idParams("whe");
const READ = { tag: "Webhooks", auth: "workspace", scope: "webhooks:read", limitedKeys: "own" } as const;
const WRITE = { tag: "Webhooks", auth: "workspace", scope: "webhooks:write", limitedKeys: "own" } as const;

const SHORT_PAGES =
  "Where few of very many deliveries fit the filters, a page may have fewer than its limit, or none: go on while there is a `next_cursor`.";

/** A URL is asked before it is stored. */
export const webhookRoutes = (handshakes: Handshakes): readonly AnyRoute[] => [
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/webhook-endpoints",
    summary: "Create a webhook endpoint",
    description:
      "From now on the endpoint receives every event of its kinds at least once, signed with the secret in this response. A workspace can have up to 100 endpoints. An API key that is limited to phone numbers sees and changes endpoints that are limited to some of these. With `format: \"provider\"` it receives the provider's own callbacks of its `fields`, one message or status at a time, signed as the provider signs them (`X-Hub-Signature-256`). Where a `verify_token` is given, the URL must answer the provider's handshake (422 `endpoint_unverified`), which a workspace can have made up to 10 times a minute.",
    action: "webhook_endpoint.create",
    body: NewWebhookEndpoint,
    status: 201,
    response: WebhookEndpointWithSecret,
    etag: true,
    errors: ["conflict", "reference_not_found", "endpoint_unverified"],
    before: handshakes.ofNew,
    verb: createEndpoint,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "PATCH",
    path: "/v1/webhook-endpoints/{id}",
    summary: "Update a webhook endpoint",
    description:
      "Enabling a disabled endpoint releases the deliveries that were parked in the meantime, at its `rate_per_second`, or 50 a second. A new URL of an endpoint with a `verify_token` must answer the provider's handshake (422 `endpoint_unverified`).",
    action: "webhook_endpoint.update",
    params: ENDPOINT_ID,
    body: WebhookEndpointChange,
    status: 200,
    response: WebhookEndpoint,
    etag: true,
    errors: ["conflict", "precondition_failed", "reference_not_found", "endpoint_unverified"],
    before: handshakes.ofChange,
    verb: updateEndpoint,
  }),
  ...ENDPOINT_ROUTES,
];

const ENDPOINT_ROUTES: readonly AnyRoute[] = [
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
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/webhook-endpoints/{id}/rotate-secret",
    summary: "Rotate the signing secret",
    description:
      "During the overlap, one day by default, every delivery carries a signature for each secret; one that was replaced before keeps its own end. An endpoint has up to 10 secrets at a time. The new secret is returned only in this response. `X-Hub-Signature-256` has room for one signature: an endpoint of the format `provider` signs with the oldest secret until its end has come, and may be given its next `secret`.",
    action: "webhook_endpoint.rotate_secret",
    params: ENDPOINT_ID,
    body: SecretRotation,
    bodyOptional: true,
    status: 200,
    response: WebhookEndpointWithSecret,
    etag: true,
    errors: ["conflict"],
    verb: rotateSecret,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/webhook-endpoints/{id}/test",
    summary: "Send a test event",
    description:
      "An event of kind `endpoint_test`, sent to this endpoint alone whatever it listens to. It waits for no other event of the endpoint.",
    action: "webhook_endpoint.test",
    params: ENDPOINT_ID,
    status: 202,
    response: Delivery,
    errors: ["conflict"],
    verb: testEndpoint,
    after: hintRedeliveries,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/webhook-endpoints/{id}/deliveries",
    summary: "List the deliveries of an endpoint",
    description: `One delivery for each event, however often it was attempted. Get a delivery to see its attempts. ${SHORT_PAGES}`,
    action: "delivery.list",
    params: ENDPOINT_ID,
    query: DeliveryListQuery,
    searches: true,
    status: 200,
    response: DeliveryList,
    verb: listDeliveries,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/deliveries",
    summary: "List deliveries",
    description: `The deliveries to all endpoints, newest first. ${SHORT_PAGES}`,
    action: "delivery.list",
    query: AllDeliveriesQuery,
    searches: true,
    status: 200,
    response: DeliveryList,
    verb: listAllDeliveries,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/deliveries/{id}/retry",
    summary: "Retry a delivery",
    description:
      "Attempts a delivery now: one that waits for its next attempt, failed or succeeded. One that is about to be attempted is returned as it is, so that asking twice sends it once. At an ordered endpoint one that waits is attempted within seconds, in its place; one that has ended neither holds back the live events of its conversation nor overtakes them. The attempts in the response are without what the receiver answered: get the delivery for that.",
    action: "delivery.retry",
    params: idParams("dlv"),
    status: 202,
    response: Delivery,
    errors: ["conflict"],
    verb: retryDelivery,
    after: hintRedeliveries,
  }),
];

/** One delivery; its verb renders events. */
export const deliveryRoutes = ({ getDelivery }: DeliveryVerbs): readonly AnyRoute[] => [
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/deliveries/{id}",
    summary: "Get a delivery with its attempts",
    description:
      "Each attempt with its request, and its result: status, duration, and the start of the receiver's response. Signatures are left out.",
    action: "delivery.read",
    params: idParams("dlv"),
    status: 200,
    response: Delivery,
    verb: getDelivery,
  }),
];

/** The feed: the events themselves, for clients that would rather ask for them. */
export const eventRoutes = ({ listEvents, getEvent }: Feed): readonly AnyRoute[] => [
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/events",
    summary: "List events",
    description:
      "What endpoints that listen to all kinds receive, for 30 days, oldest first and each exactly once. There is always a `next_cursor`: keep it, and ask again with it for what has happened since. Where few of very many events fit the filters, a page may have fewer than its limit, or none: go on while `has_more` is true. A cursor whose events are no longer kept is answered from the oldest that are, with `gap: true`. Without the scope `messages:read`, messages have no content. A key that is limited to phone numbers gets what an endpoint with its `phone_number_ids` gets.",
    action: "event.list",
    query: EventListQuery,
    status: 200,
    response: EventList,
    verb: listEvents,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/events/{id}",
    summary: "Get an event",
    description: "The body of its deliveries. Without the scope `messages:read`, its message has no content.",
    action: "event.read",
    params: idParams("evt"),
    status: 200,
    response: Event,
    verb: getEvent,
  }),
];

/** The same, for those that would rather follow them. */
export const eventStreamRoute = (stream: EventStream<{ query: EventStreamQuery }>): AnyRoute =>
  route({
    ...READ,
    kind: "stream",
    method: "GET",
    path: "/v1/events/stream",
    summary: "Stream events",
    description:
      'The events of the list as server-sent events (`text/event-stream`) while the connection lasts: `id` is the cursor behind the event, `event` its kind, `data` its body in one line. It begins with what happens from now on, or behind `Last-Event-ID` or `cursor`, which may be a `next_cursor` of the list with the same filters; so a reader that comes again misses nothing and gets nothing twice. Where events behind it are no longer kept, the first event is named `gap`, with `{"gap":true}`, and the oldest that are kept follow. A comment comes every 15 s, with a new `id`. The stream ends when the key is revoked or loses a scope, and when the process stops. A reader that takes less than 64 KiB within 30 s while more waits is cut off. A key has up to 20 streams open in a process, a workspace 200. Without the scope `messages:read`, messages have no content.',
    action: "event.stream",
    query: EventStreamQuery,
    status: 200,
    response: Event,
    examples: { answer: { stream: { summary: "Two events", value: STREAM_EXAMPLE } } },
    stream,
  });
