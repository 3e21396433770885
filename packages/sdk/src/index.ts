export { type AnswerInfo, answerOf } from "./answer.ts";
// `Message`, `Contact`, …: each schema of the API by its name, and `components` and `operations`, which have all of them.
export type * from "./api.gen.ts";
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  type FieldError,
  GatewayError,
  InvalidCallError,
  InvalidRequestError,
  MalformedAnswerError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  TimeoutError,
  UnprocessableError,
  WaypostError,
} from "./errors.ts";
export { EventStream } from "./event-stream.ts";
export type { FileBody, FormFile } from "./file-body.ts";
export { Listing, Page } from "./listing.ts";
export type { Body, Item, OperationId, Query, Result, Row } from "./operation.ts";
export { type RowFormat, Rows } from "./rows.ts";
export type { RequestOptions } from "./sender.ts";
export {
  type ConnectionOptions,
  Waypost,
  WaypostOperator,
  type WaypostOperatorOptions,
  type WaypostOptions,
} from "./waypost.ts";
export {
  type SignatureSource,
  type VerificationFault,
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from "./webhook.ts";
export type { UnknownEvent, WebhookEvent } from "./webhook-event.ts";
export { type ReceivedDelivery, WebhookReceiver, type WebhookReceiverOptions } from "./webhook-receiver.ts";
export { type TestDelivery, webhookTestHeaders } from "./webhook-test.ts";
