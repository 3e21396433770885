// Made by `npm run generate` from the route table. Do not edit.

import type * as wire from "./api.gen.ts";
import type { EventStream } from "./event-stream.ts";
import type { FileBody, FormFile } from "./file-body.ts";
import type { Listing } from "./listing.ts";
import type { Body, Item, Query } from "./operation.ts";
import type { Rows } from "./rows.ts";
import { type RequestOptions, type Sender, segment } from "./sender.ts";

export class Messages {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Send a message. 202 means that the message is committed to disk and survives a crash of any process. With `Prefer: wait=N`, the response waits until the provider has accepted or refused the message. A template can be sent at any time, every other type within 24 hours of the person's last message to the phone number, or with a `fallback`: a template that is sent instead when the window is closed at the time of dispatch. */
  send(body: wire.SendMessage, options?: RequestOptions): Promise<wire.Message> {
    return this.#sender.json("POST", "/v1/messages", { body, options });
  }

  /** List messages. Messages in both directions, newest first. A message must match all given filters. A filter with an unknown id gives an empty list. A page is shorter than `limit`, and may be empty, where few of very many messages match: go on with `next_cursor` until it is null. */
  list(query: Query<"messages.list"> = {}, options?: RequestOptions): Listing<wire.ListedMessage> {
    return this.#sender.list("/v1/messages", { query, options });
  }

  /** Send up to 1,000 messages. Each message is accepted or refused by itself, as by a request of its own: `data` has the message or the error of each, in the order of the request, and a message that does not fit its schema spoils no other. Messages of the same person keep their order. Repeated with the same `X-Idempotency-Key`, nothing is sent twice: messages that were accepted are returned again, and those that were refused are tried again. A batch counts as one request for the rate limit; a body may have 4 MiB. */
  sendBatch(body: Body<"messages.sendBatch">, options?: RequestOptions): Promise<wire.SendBatchResult> {
    return this.#sender.json("POST", "/v1/messages/batch", { body, options });
  }

  /** Validate a message. Says whether a message would be accepted now, and everything that speaks against it, by the rules of sending. Nothing is sent or stored: the person does not become a contact, and an idempotency key is not used. A body that does not fit its schema is 400, as when it is sent. */
  validate(body: wire.SendMessage, options?: RequestOptions): Promise<wire.MessageValidation> {
    return this.#sender.json("POST", "/v1/messages/validate", { body, options });
  }

  /** Get a message with its history. The message with every status that was reported for it, in the order in which the reports arrived. */
  get(id: string, options?: RequestOptions): Promise<wire.MessageWithHistory> {
    return this.#sender.json("GET", `/v1/messages/${segment(id)}`, { options });
  }

  /** Cancel a message. A message that is `scheduled` or `queued` becomes `canceled` and is never sent. Returns 409 `conflict` once an attempt to send it has started: its status then says what became of it. Messages of the same person that wait behind it are sent in their order. */
  cancel(id: string, options?: RequestOptions): Promise<wire.MessageWithHistory> {
    return this.#sender.json("POST", `/v1/messages/${segment(id)}/cancel`, { options });
  }

  /** Mark an inbound message as read. The person sees the message, and all that they sent before it, as read; `unread_count` of the conversation starts again behind it. With `typing` they also see that you are writing. Returns 422 `provider_rejected` if the provider refuses, 502 `provider_unavailable` if it cannot be reached: nothing is changed then. Returns 409 `conflict` for a message that you sent, 422 `thread_not_owned` while another responder owns the conversation. Safe to repeat. */
  markRead(id: string, body: wire.MarkRead = {}, options?: RequestOptions): Promise<wire.Message> {
    return this.#sender.json("POST", `/v1/messages/${segment(id)}/read`, { body, options });
  }

  /** Get what was exchanged with the provider about a message. What was sent to the provider, what it answered to each attempt, and what it reported of this message alone. The request is not kept: it is written again as the gateway writes it, with what is known now of number, recipient and media. Without tokens, without the gateway's own `biz_opaque_callback_data`, with dots for the parameters of authentication templates, and with nothing of a contact that was erased but times and codes. */
  getProvider(id: string, options?: RequestOptions): Promise<wire.MessageAtProvider> {
    return this.#sender.json("GET", `/v1/messages/${segment(id)}/provider`, { options });
  }
}

export class Audit {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List what happened to messages. Each message when it was accepted or received, each attempt that was refused and is tried again, and each status when it was reported, newest first, for as long as messages are kept. With an `Accept` of `text/csv` or `application/x-ndjson` the whole filtered range is streamed. */
  listMessages(query: Query<"audit.listMessages"> = {}, options?: RequestOptions): Listing<wire.AuditMessage> {
    return this.#sender.list("/v1/audit/messages", { query, options });
  }

  /** List API calls. Every call with an API key of this workspace, including denied calls. Changes are listed immediately, reads and refusals within a second. Where few of very many calls fit the filters, a page may have fewer than its limit, or none: follow `next_cursor` until it is null. With an `Accept` of `text/csv` or `application/x-ndjson` the whole filtered range is streamed. */
  listActivity(query: Query<"audit.listActivity"> = {}, options?: RequestOptions): Listing<wire.AuditActivity> {
    return this.#sender.list("/v1/audit/activity", { query, options });
  }
}

export class Media {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Create media. Uploads a file as a form (`multipart/form-data`) with the one part `file`, to be sent by the returned id. What it can be sent as follows from its content, whatever its name says: JPEG and PNG up to 5 MB, MP4 and 3GP up to 16 MB, AAC, AMR, MP3, M4A and OGG with Opus up to 16 MB, WebP up to 100 KB, animated up to 500 KB, PDF, plain text and Office documents up to 100 MB. It is kept until nothing has used it for as long as the operator keeps media. Where the operator has the gateway scan files, one that is not clean is `failed`. */
  create(form: FormFile, options?: RequestOptions): Promise<wire.Media> {
    return this.#sender.json("POST", "/v1/media", { form, options });
  }

  /** List media. What you uploaded and what people sent, newest first. */
  list(query: Query<"media.list"> = {}, options?: RequestOptions): Listing<wire.Media> {
    return this.#sender.list("/v1/media", { query, options });
  }

  /** Get media. With a signed address of its content, which lasts for 5 minutes and works without a key: give it to what has none. */
  get(id: string, options?: RequestOptions): Promise<wire.Media> {
    return this.#sender.json("GET", `/v1/media/${segment(id)}`, { options });
  }

  /** Delete media. Deletes it at once, with its bytes and its signed addresses; it cannot be restored. A message that names it and was not sent yet will fail. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#sender.nothing("DELETE", `/v1/media/${segment(id)}`, { options });
  }

  /** Read the content of media. The bytes, with the media type that they have; of a type that cannot be sent as `application/octet-stream`. `Range` is honoured for one range, and `HEAD` asks for the headers alone. Refused with `conflict` while the file is not here, and where there is none. */
  content(id: string, options?: RequestOptions): Promise<Response> {
    return this.#sender.content(`/v1/media/${segment(id)}/content`, { options });
  }
}

export class Templates {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List templates. The templates of all connected accounts; to a key that is limited to phone numbers, those of the accounts of its numbers. Changes at the provider appear within seconds. */
  list(query: Query<"templates.list"> = {}, options?: RequestOptions): Listing<wire.Template> {
    return this.#sender.list("/v1/templates", { query, options });
  }

  /** Submit a template. Submits the template to the provider for review and returns it as the provider answered: usually `pending`, perhaps in another category. Changes of its status follow as events. A definition that the provider documents as wrong is refused with 400 and all of its faults. Returns 422 `provider_rejected` if the provider refuses it: nothing is stored. Returns 502 `provider_unavailable` if the provider's answer was lost and the template cannot be found at the provider yet: a task goes on looking for it, and repeating the request never creates a second one. */
  create(body: wire.NewTemplate, options?: RequestOptions): Promise<wire.Template> {
    return this.#sender.json("POST", "/v1/templates", { body, options });
  }

  /** Get a template. The template as last reported by the provider. Its status decides whether it can be sent. */
  get(id: string, options?: RequestOptions): Promise<wire.Template> {
    return this.#sender.json("GET", `/v1/templates/${segment(id)}`, { options });
  }

  /** Edit a template. Edits the template at the provider, which reviews it again. Components that are given replace all that it has. The provider lets approved, rejected and paused templates be edited; an approved one once in 24 hours and 10 times in 30 days, in its category. Returns 502 `provider_unavailable` if the provider's answer was lost and the template does not show the change: a task goes on reading it. */
  update(id: string, body: wire.TemplateChange, options?: RequestOptions): Promise<wire.Template> {
    return this.#sender.json("PATCH", `/v1/templates/${segment(id)}`, { body, options });
  }

  /** Delete a template. Deletes the template of this one language at the provider. It stays in the list as `deleted`, or as `pending_deletion` while the provider still has it. The name of an approved template cannot be used again for 30 days. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#sender.nothing("DELETE", `/v1/templates/${segment(id)}`, { options });
  }

  /** Validate a template. Says what a submission of the template would be refused with here, by the same rules. Nothing is submitted or stored, links of samples are not fetched, and an idempotency key is not used; what the provider alone decides shows when it is submitted. A name and language that a template of the account has is a problem `conflict` with the template's id. A body that does not fit its schema is 400, as when it is submitted. */
  validate(body: wire.NewTemplate, options?: RequestOptions): Promise<wire.TemplateValidation> {
    return this.#sender.json("POST", "/v1/templates/validate", { body, options });
  }

  /** Sync templates with the provider. Reads all templates of one account, or of all, from the provider now. Changes that no callback has reported become events. Accounts are independent of each other: each has a result, also when the provider refuses another one. Returns 202 if the provider has not answered for each account within 10 seconds: a task continues. The gateway reads each account every six hours by itself. */
  sync(body: wire.TemplateSync = {}, options?: RequestOptions): Promise<wire.TemplateSyncResult> {
    return this.#sender.json("POST", "/v1/templates/sync", { body, options });
  }
}

export class WebhookEndpoints {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Create a webhook endpoint. From now on the endpoint receives every event of its kinds at least once, signed with the secret in this response. A workspace can have up to 100 endpoints. An API key that is limited to phone numbers sees and changes endpoints that are limited to some of these. With `format: "provider"` it receives the provider's own callbacks of its `fields`, one message or status at a time, signed as the provider signs them (`X-Hub-Signature-256`). Where a `verify_token` is given, the URL must answer the provider's handshake (422 `endpoint_unverified`), which a workspace can have made up to 10 times a minute. */
  create(body: wire.NewWebhookEndpoint, options?: RequestOptions): Promise<wire.WebhookEndpointWithSecret> {
    return this.#sender.json("POST", "/v1/webhook-endpoints", { body, options });
  }

  /** List webhook endpoints. Includes disabled endpoints. Secrets are not returned. */
  list(query: Query<"webhookEndpoints.list"> = {}, options?: RequestOptions): Listing<wire.WebhookEndpoint> {
    return this.#sender.list("/v1/webhook-endpoints", { query, options });
  }

  /** Update a webhook endpoint. Enabling a disabled endpoint releases the deliveries that were parked in the meantime, at its `rate_per_second`, or 50 a second. A new URL of an endpoint with a `verify_token` must answer the provider's handshake (422 `endpoint_unverified`). */
  update(id: string, body: wire.WebhookEndpointChange, options?: RequestOptions): Promise<wire.WebhookEndpoint> {
    return this.#sender.json("PATCH", `/v1/webhook-endpoints/${segment(id)}`, { body, options });
  }

  /** Get a webhook endpoint. `status` is `failing` while deliveries fail. For a disabled endpoint, `disabled_reason` gives the reason. */
  get(id: string, options?: RequestOptions): Promise<wire.WebhookEndpoint> {
    return this.#sender.json("GET", `/v1/webhook-endpoints/${segment(id)}`, { options });
  }

  /** Delete a webhook endpoint. The endpoint's open deliveries are dropped. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#sender.nothing("DELETE", `/v1/webhook-endpoints/${segment(id)}`, { options });
  }

  /** Rotate the signing secret. During the overlap, one day by default, every delivery carries a signature for each secret; one that was replaced before keeps its own end. An endpoint has up to 10 secrets at a time. The new secret is returned only in this response. `X-Hub-Signature-256` has room for one signature: an endpoint of the format `provider` signs with the oldest secret until its end has come, and may be given its next `secret`. */
  rotateSecret(id: string, body: wire.SecretRotation = {}, options?: RequestOptions): Promise<wire.WebhookEndpointWithSecret> {
    return this.#sender.json("POST", `/v1/webhook-endpoints/${segment(id)}/rotate-secret`, { body, options });
  }

  /** Send a test event. An event of kind `endpoint_test`, sent to this endpoint alone whatever it listens to. It waits for no other event of the endpoint. */
  test(id: string, options?: RequestOptions): Promise<wire.Delivery> {
    return this.#sender.json("POST", `/v1/webhook-endpoints/${segment(id)}/test`, { options });
  }

  /** List the deliveries of an endpoint. One delivery for each event, however often it was attempted. Get a delivery to see its attempts. Where few of very many deliveries fit the filters, a page may have fewer than its limit, or none: go on while there is a `next_cursor`. */
  listDeliveries(id: string, query: Query<"webhookEndpoints.listDeliveries"> = {}, options?: RequestOptions): Listing<wire.DeliverySummary> {
    return this.#sender.list(`/v1/webhook-endpoints/${segment(id)}/deliveries`, { query, options });
  }

  /** Create a replay. Sends events of a time to the endpoint again, in the background; poll the replay. Each has the id that it had (`webhook-id`) and the header `X-Service-Replay: true`, is posted at the endpoint's `rate_per_second`, 50 a second where it has none, and is tried as any delivery is. Events of a replay keep their order among themselves; live ones neither wait for them nor are overtaken. While the endpoint is disabled the replay waits. */
  createReplay(id: string, body: wire.NewReplay, options?: RequestOptions): Promise<wire.Replay> {
    return this.#sender.json("POST", `/v1/webhook-endpoints/${segment(id)}/replays`, { body, options });
  }

  /** Get a replay. With its progress. A replay can be read for 30 days after it has ended. */
  getReplay(id: string, replayId: string, options?: RequestOptions): Promise<wire.Replay> {
    return this.#sender.json("GET", `/v1/webhook-endpoints/${segment(id)}/replays/${segment(replayId)}`, { options });
  }
}

export class Deliveries {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List deliveries. The deliveries to all endpoints, newest first. Where few of very many deliveries fit the filters, a page may have fewer than its limit, or none: go on while there is a `next_cursor`. */
  list(query: Query<"deliveries.list"> = {}, options?: RequestOptions): Listing<wire.DeliverySummary> {
    return this.#sender.list("/v1/deliveries", { query, options });
  }

  /** Retry a delivery. Attempts a delivery now: one that waits for its next attempt, failed or succeeded. One that is about to be attempted is returned as it is, so that asking twice sends it once. At an ordered endpoint one that waits is attempted within seconds, in its place; one that has ended neither holds back the live events of its conversation nor overtakes them. The attempts in the response are without what the receiver answered: get the delivery for that. */
  retry(id: string, options?: RequestOptions): Promise<wire.Delivery> {
    return this.#sender.json("POST", `/v1/deliveries/${segment(id)}/retry`, { options });
  }

  /** Get a delivery with its attempts. Each attempt with its request, and its result: status, duration, and the start of the receiver's response. Signatures are left out. */
  get(id: string, options?: RequestOptions): Promise<wire.Delivery> {
    return this.#sender.json("GET", `/v1/deliveries/${segment(id)}`, { options });
  }
}

export class Events {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List events. What endpoints that listen to all kinds receive, for 30 days, oldest first and each exactly once. There is always a `next_cursor`: keep it, and ask again with it for what has happened since. Where few of very many events fit the filters, a page may have fewer than its limit, or none: go on while `has_more` is true. A cursor whose events are no longer kept is answered from the oldest that are, with `gap: true`. Without the scope `messages:read`, messages have no content. A key that is limited to phone numbers gets what an endpoint with its `phone_number_ids` gets. */
  list(query: Query<"events.list"> = {}, options?: RequestOptions): Listing<wire.Event> {
    return this.#sender.list("/v1/events", { query, options });
  }

  /** Get an event. The body of its deliveries. Without the scope `messages:read`, its message has no content. */
  get(id: string, options?: RequestOptions): Promise<wire.Event> {
    return this.#sender.json("GET", `/v1/events/${segment(id)}`, { options });
  }

  /** Stream events. The events of the list as server-sent events (`text/event-stream`) while the connection lasts: `id` is the cursor behind the event, `event` its kind, `data` its body in one line. It begins with what happens from now on, or behind `Last-Event-ID` or `cursor`, which may be a `next_cursor` of the list with the same filters; so a reader that comes again misses nothing and gets nothing twice. Where events behind it are no longer kept, the first event is named `gap`, with `{"gap":true}`, and the oldest that are kept follow. A comment comes every 15 s, with a new `id`. The stream ends when the key is revoked or loses a scope, and when the process stops. A reader that takes less than 64 KiB within 30 s while more waits is cut off. A key has up to 20 streams open in a process, a workspace 200. Without the scope `messages:read`, messages have no content. */
  stream(query: Query<"events.stream"> = {}, options?: RequestOptions): EventStream<wire.Event> {
    return this.#sender.stream("/v1/events/stream", { query, options });
  }
}

export class BusinessAccounts {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Connect a business account. Returns 201 once the provider has accepted the token and the account's phone numbers and templates are imported. Returns 422 `provider_rejected` if the provider refuses the token: nothing is stored, and an account that is already connected keeps working with its current token. Returns 202 if the result is not known after 10 seconds, or if several accounts of this workspace are already being verified; the work then continues in the background. In that case, poll the account: it becomes `connected`, `restricted` while the provider does not let it send, or `disconnected`, with the provider's explanation in `status_reason`. An account that was connected before keeps its status and its token, with the refusal in `status_reason`. Returns 409 `conflict` if the account or one of its phone numbers is connected in another workspace. For an account that already exists, the call replaces its token; a restriction stays until the provider lifts it. */
  create(body: wire.NewBusinessAccount, options?: RequestOptions): Promise<wire.BusinessAccount> {
    return this.#sender.json("POST", "/v1/business-accounts", { body, options });
  }

  /** List business accounts. Includes disconnected accounts. Each account has its phone numbers. */
  list(query: Query<"businessAccounts.list"> = {}, options?: RequestOptions): Listing<wire.BusinessAccount> {
    return this.#sender.list("/v1/business-accounts", { query, options });
  }

  /** Get a business account. While its status is `connecting`, poll the account. If the connection fails, `status_reason` gives the reason. */
  get(id: string, options?: RequestOptions): Promise<wire.BusinessAccount> {
    return this.#sender.json("GET", `/v1/business-accounts/${segment(id)}`, { options });
  }

  /** Disconnect a business account. Erases the account's token. The account stays in the list as `disconnected`, and its phone numbers can no longer send. Callbacks of the account are still taken, so that the statuses of messages that were sent are not lost; to end them, remove the app from the account at the provider. Connected again, account and phone numbers keep their ids. A default phone number stays the default one: sends without `from` are refused until another is. An account that was never connected is deleted. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#sender.nothing("DELETE", `/v1/business-accounts/${segment(id)}`, { options });
  }

  /** Update a business account. Sets or clears the Messaging account that sends name at the provider. You need it only where the provider has several Messaging accounts for a phone number. It holds for all messages that are sent from then on, also for those that wait and for repeated tries; processes other than the one that answers follow within 4 seconds. All other fields come from the provider. */
  update(id: string, body: wire.BusinessAccountChange, options?: RequestOptions): Promise<wire.BusinessAccount> {
    return this.#sender.json("PATCH", `/v1/business-accounts/${segment(id)}`, { body, options });
  }
}

export class PhoneNumbers {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List phone numbers. The phone numbers of all business accounts. A phone number can send while its `status` is `connected`. */
  list(query: Query<"phoneNumbers.list"> = {}, options?: RequestOptions): Listing<wire.PhoneNumber> {
    return this.#sender.list("/v1/phone-numbers", { query, options });
  }

  /** Get a phone number. Quality, throughput and messaging limit are as last reported by the provider; the service allowance is counted here. */
  get(id: string, options?: RequestOptions): Promise<wire.PhoneNumber> {
    return this.#sender.json("GET", `/v1/phone-numbers/${segment(id)}`, { options });
  }

  /** Update a phone number. Changes your note and whether this is the default phone number, which a key that is limited to phone numbers cannot. All other fields come from the provider. */
  update(id: string, body: wire.PhoneNumberChange, options?: RequestOptions): Promise<wire.PhoneNumber> {
    return this.#sender.json("PATCH", `/v1/phone-numbers/${segment(id)}`, { body, options });
  }

  /** Get the health of a phone number. Checks what the phone number needs to send and to be reached, and says what to do. The provider is asked, at most once a minute while it answers well; where it cannot be asked a check's `ok` is null. Looking changes nothing, but for a refusal that is about the account: it has the same consequences as that of a send. */
  getHealth(id: string, options?: RequestOptions): Promise<wire.PhoneNumberHealth> {
    return this.#sender.json("GET", `/v1/phone-numbers/${segment(id)}/health`, { options });
  }

  /** Get a business profile. What people see of the business in the app, asked of the provider at each call. Returns 429 `rate_limited` when the account's calls of the provider are used up for now. */
  getProfile(id: string, options?: RequestOptions): Promise<wire.BusinessProfile> {
    return this.#sender.json("GET", `/v1/phone-numbers/${segment(id)}/profile`, { options });
  }

  /** Update a business profile. Changes the given fields at the provider and leaves the others; null clears one. Returns the profile as the provider has it afterwards. After a 502 the change may have been made all the same: repeating it is safe. */
  updateProfile(id: string, body: wire.BusinessProfileChange, options?: RequestOptions): Promise<wire.BusinessProfile> {
    return this.#sender.json("PATCH", `/v1/phone-numbers/${segment(id)}/profile`, { body, options });
  }
}

export class EmbeddedSignups {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List embedded signups. Newest first. A signup can be read for 90 days after it has ended. */
  list(query: Query<"embeddedSignups.list"> = {}, options?: RequestOptions): Listing<wire.EmbeddedSignup> {
    return this.#sender.list("/v1/embedded-signups", { query, options });
  }

  /** Create an embedded signup. Connects the account that a customer has granted in the provider's embedded signup dialog, by the code that the dialog returned. Returns 202; the steps are then done in the background, one after the other: `exchange` the code for the customer's token, `inspect_token`, `verify_ownership` of account and phone number by the token alone, `subscribe` to the account's callbacks, `register` its phone numbers, `import`. Poll the signup; when it is `completed`, the account is connected and the event `signup_completed` is sent. While the provider is away a step is tried again for a day. A refusal ends the signup as `failed`, and the step says what to do before you resume it. An account that this workspace has connected already gets the new token. Returns 409 `conflict` if the operator has not set up an app. */
  create(body: wire.NewEmbeddedSignup, options?: RequestOptions): Promise<wire.EmbeddedSignup> {
    return this.#sender.json("POST", "/v1/embedded-signups", { body, options });
  }

  /** Get the signup dialog. What a page needs to open the provider's signup dialog of this gateway. The dialog returns to `redirect_uri` with a `code` for `POST /v1/embedded-signups`, or with an `error`. */
  getConfig(options?: RequestOptions): Promise<wire.EmbeddedSignupConfig> {
    return this.#sender.json("GET", "/v1/embedded-signups/config", { options });
  }

  /** Get an embedded signup. A signup can be read for 90 days after it has ended. */
  get(id: string, options?: RequestOptions): Promise<wire.EmbeddedSignup> {
    return this.#sender.json("GET", `/v1/embedded-signups/${segment(id)}`, { options });
  }

  /** Resume an embedded signup. Goes on with the step at which the signup has failed, or at once where it waits for its next try. With another account or phone number their ownership is verified again; with a new code the signup begins again. Code, token and PIN of a signup that failed are erased after 7 days: it needs a new code then. A signup that is completed is returned as it is. Returns 409 `conflict` if there is neither a code nor a token to go on with, or if values are given while a step is running or after the completion. */
  resume(id: string, body: wire.SignupResume = {}, options?: RequestOptions): Promise<wire.EmbeddedSignup> {
    return this.#sender.json("POST", `/v1/embedded-signups/${segment(id)}/resume`, { body, options });
  }
}

export class SetupLinks {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Create a setup link. Returns an address at which a client without an API key or access to the console connects an account to this workspace by the provider's dialog. Opening it changes nothing, so previews of links in chats do no harm; it is used when an account is connected by it. Until then the client may open it again and goes on where the signup stands. Returns 409 `conflict` if the operator has not set up the dialog or https, or if 500 links are open. */
  create(body: wire.SetupLinkInput = {}, options?: RequestOptions): Promise<wire.NewSetupLink> {
    return this.#sender.json("POST", "/v1/setup-links", { body, options });
  }

  /** List setup links. Newest first, including those that are over. A link can be read for 60 days. */
  list(query: Query<"setupLinks.list"> = {}, options?: RequestOptions): Listing<wire.SetupLink> {
    return this.#sender.list("/v1/setup-links", { query, options });
  }

  /** Get a setup link. The address of a link is returned only when it is created. A link can be read for 60 days. */
  get(id: string, options?: RequestOptions): Promise<wire.SetupLink> {
    return this.#sender.json("GET", `/v1/setup-links/${segment(id)}`, { options });
  }

  /** Revoke a setup link. Its page does nothing from now on. A signup that was begun goes on, and an account that was connected stays connected. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#sender.nothing("DELETE", `/v1/setup-links/${segment(id)}`, { options });
  }
}

export class Conversations {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List conversations. One for each phone number and person, that with the latest message first. A conversation that gets a message while you read the pages moves to the first one: it is never listed twice, and reading the first page again finds it. With `window`, `unread` or `q` a page is shorter than `limit`, and may be empty, where few of many conversations match: go on with `next_cursor` until it is null. */
  list(query: Query<"conversations.list"> = {}, options?: RequestOptions): Listing<wire.Conversation> {
    return this.#sender.list("/v1/conversations", { query, options });
  }

  /** List the messages with a person. Messages in both directions, newest first, of all your phone numbers or of one. When two contacts turned out to be one person, both ids return the messages of both. */
  listMessages(contactId: string, query: Query<"conversations.listMessages"> = {}, options?: RequestOptions): Listing<wire.ListedMessage> {
    return this.#sender.list(`/v1/conversations/${segment(contactId)}/messages`, { query, options });
  }

  /** Control who answers a person. Changes who answers a person where the provider has several responders for your number. The provider is asked first: nothing changes if it refuses (422 `provider_rejected`) or cannot be reached (502 `provider_unavailable`). Returns 404 where no message was exchanged between the two. */
  control(contactId: string, body: wire.ControlConversation, options?: RequestOptions): Promise<wire.Conversation> {
    return this.#sender.json("POST", `/v1/conversations/${segment(contactId)}/control`, { body, options });
  }
}

export class Contacts {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Create an import of contacts. Stores a file and reads it in the background; poll the import. The body is CSV (`text/csv`) or NDJSON (`application/x-ndjson`), or a form (`multipart/form-data`) with the file and perhaps `mapping`; up to 1 GiB, in UTF-8. Each row creates a contact or changes the one that has the number, as `POST /v1/contacts?on_conflict=update` does; one that is refused has an entry in the import's errors and holds back no other. A row that says what is known already changes nothing. CSV begins with a line of column names in any order; cells are separated by `,`, `;`, `|` or tabs, or by what a line `sep=;` ahead of it says. A column that is no field refuses the file, unless `mapping` names its field or null. A column without a name is ignored while its cells are empty; a cell with content is an error of its row. Of columns with one name the filled cell counts; two different ones are an error of their row. An empty cell changes nothing, and a row of empty cells is none. A row with fewer cells than the first line, or with filled ones behind its last, is an error. `tags` are separated by `;` or `|`, or a JSON array; `attributes.<name>` is a text, `attributes.<name>:number` and `attributes.<name>:boolean` are not; `attributes` is a JSON object. An apostrophe before `=`, `+`, `-` or `@` is dropped. A row without a number, or with an impossible one, changes the contact that its `id` names. Lines of NDJSON are contacts as the API takes them, where null clears a field. What a file says of consent was said when it was sent, so a later choice of the person stays. Imports of a workspace run one after the other. */
  createImport(file: FileBody, query: Query<"contacts.createImport"> = {}, options?: RequestOptions): Promise<wire.ContactImport> {
    return this.#sender.json("POST", "/v1/contacts/imports", { query, file, options });
  }

  /** List imports. Newest first. An import can be read for 30 days after it has ended. */
  listImports(query: Query<"contacts.listImports"> = {}, options?: RequestOptions): Listing<wire.ContactImport> {
    return this.#sender.list("/v1/contacts/imports", { query, options });
  }

  /** Get an import. With what was read and written so far. */
  getImport(id: string, options?: RequestOptions): Promise<wire.ContactImport> {
    return this.#sender.json("GET", `/v1/contacts/imports/${segment(id)}`, { options });
  }

  /** List the errors of an import. The rows that were refused and why, in the order of the file; of the first 10000. The values of a row are not kept: its line finds it in your file. With `Accept: text/csv` or `application/x-ndjson` all of them as a file. */
  listImportErrors(id: string, query: Query<"contacts.listImportErrors"> = {}, options?: RequestOptions): Listing<wire.ContactImportError> {
    return this.#sender.list(`/v1/contacts/imports/${segment(id)}/errors`, { query, options });
  }

  /** Cancel an import. It stops where it is: rows that are counted stay imported. One that has ended is returned as it is. */
  importCancel(id: string, options?: RequestOptions): Promise<wire.ContactImport> {
    return this.#sender.json("POST", `/v1/contacts/imports/${segment(id)}/cancel`, { options });
  }

  /** List contacts. Newest first. All filters have to fit. A page may have fewer contacts than its limit, or none, where few fit: follow `next_cursor` until it is null. With `sort=updated_at` contacts come in the order of their last changes, oldest first: keep the `next_cursor` of the last page, which is always there, and ask again with it for what has changed since. A contact that changes again comes again; of one that was erased or merged its id comes with `deleted`, whatever the filters. One that no longer fits a filter does not come: who keeps a copy asks without filters. */
  list(query: Query<"contacts.list"> = {}, options?: RequestOptions): Listing<Item<"contacts.list">> {
    return this.#sender.list("/v1/contacts", { query, options });
  }

  /** Create a contact. The number is that of one person, however it is written: where that person is a contact already, the answer is 409 `contact_exists` with the contact's id, or with `on_conflict=update` 200 and the changed contact. */
  create(body: wire.NewContact, query: Query<"contacts.create"> = {}, options?: RequestOptions): Promise<wire.Contact> {
    return this.#sender.json("POST", "/v1/contacts", { query, body, options });
  }

  /** List tags. The names of the tags that contacts have, and how many have each, the most frequent first. */
  listTags(options?: RequestOptions): Promise<wire.TagList> {
    return this.#sender.json("GET", "/v1/contacts/tags", { options });
  }

  /** Export contacts. All contacts that the list would have, newest first, with the same filters: CSV, or NDJSON with `Accept: application/x-ndjson`. An import takes the same file back: without changes it changes nothing. In CSV `tags` are separated by `;` (a JSON array where a tag has one itself), `attributes` is a JSON object, and `'` is put before a cell that a spreadsheet would take for a formula; numbers such as `+15551230001` stay as they are. A reader that takes nothing for 30 s, or less than 256 KiB within a minute while more is ready, is cut off, and an answer that ends without its last chunk is not complete. Of the streams of a process a workspace has two at once: more is 429, or 503 while others use all. */
  export(query: Query<"contacts.export"> = {}, options?: RequestOptions): Rows<wire.Contact> {
    return this.#sender.rows("/v1/contacts/export", { query, options });
  }

  /** Get a contact. When two records turn out to be one person they are merged: both ids return the surviving contact, whose `id` is in the response. */
  get(id: string, options?: RequestOptions): Promise<wire.Contact> {
    return this.#sender.json("GET", `/v1/contacts/${segment(id)}`, { options });
  }

  /** Update a contact. Changes what is given; attributes are merged one by one. What is already so is no change. */
  update(id: string, body: wire.ContactChange, options?: RequestOptions): Promise<wire.Contact> {
    return this.#sender.json("PATCH", `/v1/contacts/${segment(id)}`, { body, options });
  }

  /** Erase a contact. Erases the person: the contact with every record that was merged into it, and what was in their messages and events, at once and for every reader. Messages that wait to be sent are canceled. What is left of a message is its id, times and status, with `to` or `from` and its content null; it is billed and counted as before. A person who writes again is a new contact. What is kept elsewhere, and for how long, is in docs/privacy.md. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#sender.nothing("DELETE", `/v1/contacts/${segment(id)}`, { options });
  }

  /** Create or update up to 1,000 contacts. Each is created or changed as by `POST /v1/contacts?on_conflict=update`, all in one transaction; one that is refused has its own error and holds back no other. */
  batch(body: Body<"contacts.batch">, options?: RequestOptions): Promise<wire.ContactBatchResult> {
    return this.#sender.json("POST", "/v1/contacts/batch", { body, options });
  }

  /** Add tags to a contact. Tags that it has already stay as they are. */
  createTag(id: string, body: wire.AddTags, options?: RequestOptions): Promise<wire.Contact> {
    return this.#sender.json("POST", `/v1/contacts/${segment(id)}/tags`, { body, options });
  }

  /** Remove a tag from a contact. Returns the contact, also if it did not have the tag. */
  deleteTag(id: string, tag: string, options?: RequestOptions): Promise<wire.Contact> {
    return this.#sender.json("DELETE", `/v1/contacts/${segment(id)}/tags/${segment(tag)}`, { options });
  }

  /** Merge two contacts. Two records of one person become the contact of the path, and both ids return it from then on. Its own values count, those that it lacks are the other's; tags are united, and an opt-out of either counts. Windows are joined, and messages that wait for either keep their order. Contacts that are one already are returned as they are. Returns 409 `conflict` where the provider knows them as two people, because each has a valid user id of its own. */
  merge(id: string, body: wire.MergeContact, options?: RequestOptions): Promise<wire.Contact> {
    return this.#sender.json("POST", `/v1/contacts/${segment(id)}/merge`, { body, options });
  }
}

export class Segments {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List segments. Newest first, each with its count, as far as they can be counted within half a second; the others with their last one. */
  list(query: Query<"segments.list"> = {}, options?: RequestOptions): Listing<wire.Segment> {
    return this.#sender.list("/v1/segments", { query, options });
  }

  /** Create a segment. A filter under a name. Contacts are not put into a segment: every contact that fits is in it. */
  create(body: wire.NewSegment, options?: RequestOptions): Promise<wire.Segment> {
    return this.#sender.json("POST", "/v1/segments", { body, options });
  }

  /** Get a segment. The segment with its filter, and how many contacts fit it now. */
  get(id: string, options?: RequestOptions): Promise<wire.Segment> {
    return this.#sender.json("GET", `/v1/segments/${segment(id)}`, { options });
  }

  /** Update a segment. Changes what is given; a filter is replaced as a whole. */
  update(id: string, body: wire.SegmentChange, options?: RequestOptions): Promise<wire.Segment> {
    return this.#sender.json("PATCH", `/v1/segments/${segment(id)}`, { body, options });
  }

  /** Delete a segment. Its contacts stay. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#sender.nothing("DELETE", `/v1/segments/${segment(id)}`, { options });
  }

  /** List the contacts of a segment. Those who fit the filter now, newest first. A page may have fewer contacts than its limit, or none, where few fit: follow `next_cursor` until it is null. */
  listContacts(id: string, query: Query<"segments.listContacts"> = {}, options?: RequestOptions): Listing<wire.Contact> {
    return this.#sender.list(`/v1/segments/${segment(id)}/contacts`, { query, options });
  }

  /** Preview a segment. How many contacts fit a filter now, and the newest of them. Nothing is stored. */
  preview(body: wire.SegmentPreviewInput, options?: RequestOptions): Promise<wire.SegmentPreview> {
    return this.#sender.json("POST", "/v1/segments/preview", { body, options });
  }
}

export class Workspace {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Get the workspace of this key. The workspace with the calling API key, its scopes, and the limits that apply. */
  get(options?: RequestOptions): Promise<wire.OwnWorkspace> {
    return this.#sender.json("GET", "/v1/workspace", { options });
  }

  /** Update the workspace of this key. Sets the keywords by which people stop marketing and allow it again. A message is one if it consists of it, in upper or lower case, whatever punctuation and invisible marks stand around it; so is the text of a pressed button or a chosen row of a list. The message itself is delivered like any other. `front_app_secret` needs the scope `webhooks:write` too; it cannot be removed while an endpoint is signed with it (409). */
  update(body: wire.OwnWorkspaceChange, options?: RequestOptions): Promise<wire.OwnWorkspace> {
    return this.#sender.json("PATCH", "/v1/workspace", { body, options });
  }
}

export class ApiKeys {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Create an API key. The key is returned only in this response. It cannot have a scope that the calling key lacks, nor a phone number. A key with `phone_number_ids` sends with these numbers alone and sees nothing of others; what concerns a whole account or the workspace is refused to it with 403. */
  create(body: wire.ApiKeyInput, options?: RequestOptions): Promise<wire.NewApiKey> {
    return this.#sender.json("POST", "/v1/api-keys", { body, options });
  }

  /** List API keys. Includes expired and revoked keys. A key that is limited to phone numbers sees those that are limited to some of them. */
  list(query: Query<"apiKeys.list"> = {}, options?: RequestOptions): Listing<wire.ApiKey> {
    return this.#sender.list("/v1/api-keys", { query, options });
  }

  /** Get an API key. Also returns expired and revoked keys. The text of a key is returned only when it is created. */
  get(id: string, options?: RequestOptions): Promise<wire.ApiKey> {
    return this.#sender.json("GET", `/v1/api-keys/${segment(id)}`, { options });
  }

  /** Revoke an API key. Takes effect in every process within 5 seconds. The key stays in the list. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#sender.nothing("DELETE", `/v1/api-keys/${segment(id)}`, { options });
  }

  /** Rotate an API key. Creates a key with the same name, scopes and expiry. The old key keeps working for `overlap_seconds`, one day by default. A key that the old one replaced ends immediately. */
  rotate(id: string, body: wire.RotateApiKeyInput = {}, options?: RequestOptions): Promise<wire.NewApiKey> {
    return this.#sender.json("POST", `/v1/api-keys/${segment(id)}/rotate`, { body, options });
  }
}

export class Usage {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Get usage by day. Messages by day, direction, status, category and phone number, the latest day first; up to 366 days. New messages are counted within two minutes, and within six where there are many. Later changes of status, category and price move a message to another group: as soon while it is new, later once it is twice as old, and within four days; for 32 days. */
  get(query: Query<"usage.get"> = {}, options?: RequestOptions): Promise<wire.Usage> {
    return this.#sender.json("GET", "/v1/usage", { query, options });
  }
}

export class Metrics {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Get what happened to messages over time. Counts by interval, the latest first, and how long delivery took; intervals and groups in which nothing happened are left out. Each status counts once for a message, in the interval in which it was reached, so that one message may be in several: a chart of statuses shows what happened when, `GET /v1/usage` what became of the messages of a day. At most a minute late; what is reported late is in the interval in which it happened. Intervals of five minutes are kept for 8 days, hours for 92 and days for 1,000. */
  messages(query: Query<"metrics.messages"> = {}, options?: RequestOptions): Promise<wire.MessageMetrics> {
    return this.#sender.json("GET", "/v1/metrics/messages", { query, options });
  }

  /** Get attempts to deliver events over time. Attempts by interval, the latest first, and how long they took; intervals and groups without any are left out. Each attempt of a delivery counts in the interval in which it began, at most a minute late. Intervals of five minutes are kept for 8 days, hours for 92 and days for 1,000. */
  deliveries(query: Query<"metrics.deliveries"> = {}, options?: RequestOptions): Promise<wire.DeliveryMetrics> {
    return this.#sender.json("GET", "/v1/metrics/deliveries", { query, options });
  }
}

export class OperatorWorkspaces {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Create a workspace. Creates an empty workspace; create its first API key next. Names need not be unique. */
  create(body: wire.WorkspaceInput, options?: RequestOptions): Promise<wire.Workspace> {
    return this.#sender.json("POST", "/admin/v1/workspaces", { body, options });
  }

  /** List workspaces. Includes suspended workspaces. */
  list(query: Query<"workspaces.list"> = {}, options?: RequestOptions): Listing<wire.Workspace> {
    return this.#sender.list("/admin/v1/workspaces", { query, options });
  }

  /** Get a workspace. Any workspace of this gateway, by its id. */
  get(id: string, options?: RequestOptions): Promise<wire.Workspace> {
    return this.#sender.json("GET", `/admin/v1/workspaces/${segment(id)}`, { options });
  }

  /** Update a workspace. Renames, suspends or reactivates a workspace. A suspension takes effect in every process within 5 seconds; messages that are already accepted are still sent. */
  update(id: string, body: wire.WorkspaceChange, options?: RequestOptions): Promise<wire.Workspace> {
    return this.#sender.json("PATCH", `/admin/v1/workspaces/${segment(id)}`, { body, options });
  }

  /** Create an API key of a workspace. The key is returned only in this response. It can have any scope; further keys can be created with the workspace's own keys. */
  createApiKey(id: string, body: wire.ApiKeyInput, options?: RequestOptions): Promise<wire.NewApiKey> {
    return this.#sender.json("POST", `/admin/v1/workspaces/${segment(id)}/api-keys`, { body, options });
  }

  /** List the API keys of a workspace. Includes expired and revoked keys. The texts of keys are not returned. */
  listApiKeys(id: string, query: Query<"workspaces.listApiKeys"> = {}, options?: RequestOptions): Listing<wire.ApiKey> {
    return this.#sender.list(`/admin/v1/workspaces/${segment(id)}/api-keys`, { query, options });
  }
}

export class OperatorAudit {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List the operator's calls and calls without a valid key. Calls with the operator key, and calls without a valid key: the first 20 per minute and address. With an `Accept` of `text/csv` or `application/x-ndjson` the whole filtered range is streamed. */
  list(query: Query<"audit.list"> = {}, options?: RequestOptions): Listing<wire.AuditActivity> {
    return this.#sender.list("/admin/v1/audit", { query, options });
  }
}

export class OperatorQuarantine {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List quarantined callback changes. The changes that have not been replayed, of all workspaces and of unknown accounts. */
  list(query: Query<"quarantine.list"> = {}, options?: RequestOptions): Listing<wire.QuarantinedChange> {
    return this.#sender.list("/admin/v1/quarantine", { query, options });
  }

  /** Get a quarantined change with its callback. The change, replayed or not, and the raw body that the provider posted, for as long as `callbacks` of the retention keeps it. */
  get(id: string, options?: RequestOptions): Promise<wire.QuarantinedCallback> {
    return this.#sender.json("GET", `/admin/v1/quarantine/${segment(id)}`, { options });
  }

  /** Replay a quarantined change. Parses the whole callback of this change again. Changes that were already applied are not applied twice. */
  replay(id: string, options?: RequestOptions): Promise<wire.QuarantinedChange> {
    return this.#sender.json("POST", `/admin/v1/quarantine/${segment(id)}/replay`, { options });
  }

  /** Replay all quarantined changes with one reason. Replays the oldest changes first, up to 1,000 per call. */
  replayAll(body: wire.QuarantineReplay, options?: RequestOptions): Promise<wire.QuarantineReplayed> {
    return this.#sender.json("POST", "/admin/v1/quarantine/replay", { body, options });
  }
}

export class OperatorSystem {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Get the state of the installation. The processes that run, how their work is shared, how long the oldest work has waited, and the database. At most five seconds old, the size of the database a minute. Metrics for alarms are at `METRICS_PORT`. */
  get(options?: RequestOptions): Promise<wire.System> {
    return this.#sender.json("GET", "/admin/v1/system", { options });
  }
}

/** The resources that an API key reaches. */
export class WorkspaceApi {
  readonly messages: Messages;
  readonly audit: Audit;
  readonly media: Media;
  readonly templates: Templates;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly deliveries: Deliveries;
  readonly events: Events;
  readonly businessAccounts: BusinessAccounts;
  readonly phoneNumbers: PhoneNumbers;
  readonly embeddedSignups: EmbeddedSignups;
  readonly setupLinks: SetupLinks;
  readonly conversations: Conversations;
  readonly contacts: Contacts;
  readonly segments: Segments;
  readonly workspace: Workspace;
  readonly apiKeys: ApiKeys;
  readonly usage: Usage;
  readonly metrics: Metrics;

  constructor(sender: Sender) {
    this.messages = new Messages(sender);
    this.audit = new Audit(sender);
    this.media = new Media(sender);
    this.templates = new Templates(sender);
    this.webhookEndpoints = new WebhookEndpoints(sender);
    this.deliveries = new Deliveries(sender);
    this.events = new Events(sender);
    this.businessAccounts = new BusinessAccounts(sender);
    this.phoneNumbers = new PhoneNumbers(sender);
    this.embeddedSignups = new EmbeddedSignups(sender);
    this.setupLinks = new SetupLinks(sender);
    this.conversations = new Conversations(sender);
    this.contacts = new Contacts(sender);
    this.segments = new Segments(sender);
    this.workspace = new Workspace(sender);
    this.apiKeys = new ApiKeys(sender);
    this.usage = new Usage(sender);
    this.metrics = new Metrics(sender);
  }
}

/** The resources that the operator key reaches. */
export class OperatorApi {
  readonly workspaces: OperatorWorkspaces;
  readonly audit: OperatorAudit;
  readonly quarantine: OperatorQuarantine;
  readonly system: OperatorSystem;

  constructor(sender: Sender) {
    this.workspaces = new OperatorWorkspaces(sender);
    this.audit = new OperatorAudit(sender);
    this.quarantine = new OperatorQuarantine(sender);
    this.system = new OperatorSystem(sender);
  }
}
