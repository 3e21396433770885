// Made by `npm run generate` from the route table. Do not edit.

import type { Listing } from "./listing.ts";
import type { Body, Item, Query, Result } from "./operation.ts";
import { type RequestOptions, type Sender, segment } from "./sender.ts";

export class Messages {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Send a message. 202 means committed to disk: it survives a crash of any process. `Prefer: wait=N` waits until the provider accepted or refused. Free text is taken within 24 hours of the person's last message to the number; outside it send a template. */
  send(body: Body<"messages.send">, options?: RequestOptions): Promise<Result<"messages.send">> {
    return this.#sender.json("POST", "/v1/messages", { body, options });
  }

  /** List messages, newest first. In both directions. All filters that are given must hold; an id of nobody gives an empty list. */
  list(query: Query<"messages.list"> = {}, options?: RequestOptions): Listing<Item<"messages.list">> {
    return this.#sender.list("/v1/messages", { query, options });
  }

  /** Get a message with its history. With every status that was ever reported, in the order in which the reports came. */
  get(id: string, options?: RequestOptions): Promise<Result<"messages.get">> {
    return this.#sender.json("GET", `/v1/messages/${segment(id)}`, { options });
  }
}

export class Templates {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List templates. Of all connected accounts. What the provider changes is here within seconds. */
  list(query: Query<"templates.list"> = {}, options?: RequestOptions): Listing<Item<"templates.list">> {
    return this.#sender.list("/v1/templates", { query, options });
  }

  /** Read a template. Its definition as the provider last told it, with the status that decides whether it can be sent. */
  get(id: string, options?: RequestOptions): Promise<Result<"templates.get">> {
    return this.#sender.json("GET", `/v1/templates/${segment(id)}`, { options });
  }
}

export class WebhookEndpoints {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Add a webhook endpoint. From its commit on it gets every event of the kinds that it names, each signed with the secret in this answer, at least once. Up to 100 endpoints. */
  create(body: Body<"webhookEndpoints.create">, options?: RequestOptions): Promise<Result<"webhookEndpoints.create">> {
    return this.#sender.json("POST", "/v1/webhook-endpoints", { body, options });
  }

  /** List webhook endpoints. Disabled ones too; no secrets. */
  list(query: Query<"webhookEndpoints.list"> = {}, options?: RequestOptions): Listing<Item<"webhookEndpoints.list">> {
    return this.#sender.list("/v1/webhook-endpoints", { query, options });
  }

  /** Read a webhook endpoint. `status` says how its deliveries fare, `disabled_reason` why it gets none. */
  get(id: string, options?: RequestOptions): Promise<Result<"webhookEndpoints.get">> {
    return this.#sender.json("GET", `/v1/webhook-endpoints/${segment(id)}`, { options });
  }

  /** Change a webhook endpoint. Enabling a disabled endpoint releases the deliveries that were parked meanwhile. */
  update(id: string, body: Body<"webhookEndpoints.update">, options?: RequestOptions): Promise<Result<"webhookEndpoints.update">> {
    return this.#sender.json("PATCH", `/v1/webhook-endpoints/${segment(id)}`, { body, options });
  }

  /** Delete a webhook endpoint. Its open deliveries are dropped. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#sender.nothing("DELETE", `/v1/webhook-endpoints/${segment(id)}`, { options });
  }

  /** Replace the signing secret. During the overlap, a day without a body, every delivery carries a signature of each secret. The new one is in this answer alone. */
  rotateSecret(id: string, body: Body<"webhookEndpoints.rotateSecret"> = {}, options?: RequestOptions): Promise<Result<"webhookEndpoints.rotateSecret">> {
    return this.#sender.json("POST", `/v1/webhook-endpoints/${segment(id)}/rotate-secret`, { body, options });
  }

  /** Send a test event. An event of kind `endpoint_test`, sent to this endpoint alone whatever it listens to. */
  test(id: string, options?: RequestOptions): Promise<Result<"webhookEndpoints.test">> {
    return this.#sender.json("POST", `/v1/webhook-endpoints/${segment(id)}/test`, { options });
  }

  /** List the deliveries of an endpoint. One for each event, however often it was tried; a delivery has its attempts when it is read. */
  listDeliveries(id: string, query: Query<"webhookEndpoints.listDeliveries"> = {}, options?: RequestOptions): Listing<Item<"webhookEndpoints.listDeliveries">> {
    return this.#sender.list(`/v1/webhook-endpoints/${segment(id)}/deliveries`, { query, options });
  }
}

export class Deliveries {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Read a delivery with its attempts. What each try came to: status, duration, and the start of the receiver's answer. */
  get(id: string, options?: RequestOptions): Promise<Result<"deliveries.get">> {
    return this.#sender.json("GET", `/v1/deliveries/${segment(id)}`, { options });
  }
}

export class BusinessAccounts {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Connect a business account. 201 when the provider has taken the token and everything is imported. 422 `provider_rejected` when the provider says no: nothing is changed or kept then, and a connected account goes on with the token it has. 202 when neither is known after 10 seconds, or when several of this workspace's accounts are being verified already: the work goes on by itself. Read the account then: it becomes `connected`, or `disconnected` with the provider's words in `status_reason`; an account that was connected keeps its status and its token and has the refusal in `status_reason`. 409 `conflict` when the account or one of its numbers is connected in another workspace. For an account that is known the call brings a new token. */
  create(body: Body<"businessAccounts.create">, options?: RequestOptions): Promise<Result<"businessAccounts.create">> {
    return this.#sender.json("POST", "/v1/business-accounts", { body, options });
  }

  /** List business accounts. Disconnected ones too, each with its phone numbers. */
  list(query: Query<"businessAccounts.list"> = {}, options?: RequestOptions): Listing<Item<"businessAccounts.list">> {
    return this.#sender.list("/v1/business-accounts", { query, options });
  }

  /** Read a business account. While it is `connecting`, read it again: `status_reason` says why a connection did not come about. */
  get(id: string, options?: RequestOptions): Promise<Result<"businessAccounts.get">> {
    return this.#sender.json("GET", `/v1/business-accounts/${segment(id)}`, { options });
  }

  /** Disconnect a business account. Erases its token. The account stays in the list as `disconnected`; its numbers no longer send. One that was never connected is removed. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#sender.nothing("DELETE", `/v1/business-accounts/${segment(id)}`, { options });
  }
}

export class PhoneNumbers {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List phone numbers. Of all business accounts. A number sends while its `status` is `connected`. */
  list(query: Query<"phoneNumbers.list"> = {}, options?: RequestOptions): Listing<Item<"phoneNumbers.list">> {
    return this.#sender.list("/v1/phone-numbers", { query, options });
  }

  /** Read a phone number. Quality, throughput and limit are what the provider last told. */
  get(id: string, options?: RequestOptions): Promise<Result<"phoneNumbers.get">> {
    return this.#sender.json("GET", `/v1/phone-numbers/${segment(id)}`, { options });
  }

  /** Change a phone number. Your note on it, and whether it is the default. Everything else is the provider's. */
  update(id: string, body: Body<"phoneNumbers.update">, options?: RequestOptions): Promise<Result<"phoneNumbers.update">> {
    return this.#sender.json("PATCH", `/v1/phone-numbers/${segment(id)}`, { body, options });
  }
}

export class Workspace {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Read the workspace of this key. With the key itself, its scopes, and the limits that hold. */
  get(options?: RequestOptions): Promise<Result<"workspace.get">> {
    return this.#sender.json("GET", "/v1/workspace", { options });
  }
}

export class ApiKeys {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Make an API key. The key is in this answer alone. It can have no scope that the calling key lacks. */
  create(body: Body<"apiKeys.create">, options?: RequestOptions): Promise<Result<"apiKeys.create">> {
    return this.#sender.json("POST", "/v1/api-keys", { body, options });
  }

  /** List API keys. Ended ones too. */
  list(query: Query<"apiKeys.list"> = {}, options?: RequestOptions): Listing<Item<"apiKeys.list">> {
    return this.#sender.list("/v1/api-keys", { query, options });
  }

  /** Read an API key. An ended one too. The text of a key is in the answer that made it alone. */
  get(id: string, options?: RequestOptions): Promise<Result<"apiKeys.get">> {
    return this.#sender.json("GET", `/v1/api-keys/${segment(id)}`, { options });
  }

  /** Revoke an API key. Holds everywhere within 5 seconds. The key stays in the list. */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#sender.nothing("DELETE", `/v1/api-keys/${segment(id)}`, { options });
  }

  /** Replace an API key. Answers a new key with the same name, scopes and end. The old one goes on for `overlap_seconds`, a day without a body; one that it had replaced ends now. */
  rotate(id: string, body: Body<"apiKeys.rotate"> = {}, options?: RequestOptions): Promise<Result<"apiKeys.rotate">> {
    return this.#sender.json("POST", `/v1/api-keys/${segment(id)}/rotate`, { body, options });
  }
}

export class Audit {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List API calls. Every call with a key of this workspace, denied ones too. Changes are here at once, reads and refusals within a second. Answers are JSON whatever `Accept` asks for; there is no `text/csv` yet. */
  listActivity(query: Query<"audit.listActivity"> = {}, options?: RequestOptions): Listing<Item<"audit.listActivity">> {
    return this.#sender.list("/v1/audit/activity", { query, options });
  }
}

export class OperatorWorkspaces {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Make a workspace. A tenant with nothing in it; make its first key next. Names need not differ. */
  create(body: Body<"workspaces.create">, options?: RequestOptions): Promise<Result<"workspaces.create">> {
    return this.#sender.json("POST", "/admin/v1/workspaces", { body, options });
  }

  /** List workspaces. All of them, suspended ones too. */
  list(query: Query<"workspaces.list"> = {}, options?: RequestOptions): Listing<Item<"workspaces.list">> {
    return this.#sender.list("/admin/v1/workspaces", { query, options });
  }

  /** Read a workspace. Any workspace of this gateway, by its id. */
  get(id: string, options?: RequestOptions): Promise<Result<"workspaces.get">> {
    return this.#sender.json("GET", `/admin/v1/workspaces/${segment(id)}`, { options });
  }

  /** Rename or suspend a workspace. A suspension holds everywhere within 5 seconds; what is already accepted goes on. */
  update(id: string, body: Body<"workspaces.update">, options?: RequestOptions): Promise<Result<"workspaces.update">> {
    return this.#sender.json("PATCH", `/admin/v1/workspaces/${segment(id)}`, { body, options });
  }

  /** Make an API key of a workspace. The key is in this answer alone. It may have any scopes; the workspace's own calls make further ones. */
  createApiKey(id: string, body: Body<"workspaces.createApiKey">, options?: RequestOptions): Promise<Result<"workspaces.createApiKey">> {
    return this.#sender.json("POST", `/admin/v1/workspaces/${segment(id)}/api-keys`, { body, options });
  }

  /** List the API keys of a workspace. Ended ones too, without their texts. */
  listApiKeys(id: string, query: Query<"workspaces.listApiKeys"> = {}, options?: RequestOptions): Listing<Item<"workspaces.listApiKeys">> {
    return this.#sender.list(`/admin/v1/workspaces/${segment(id)}/api-keys`, { query, options });
  }
}

export class OperatorAudit {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List the operator's calls and those without a valid key. Calls with the operator key, and the first 20 a minute and address without a valid one. Answers are JSON whatever `Accept` asks for. */
  list(query: Query<"audit.list"> = {}, options?: RequestOptions): Listing<Item<"audit.list">> {
    return this.#sender.list("/admin/v1/audit", { query, options });
  }
}

export class OperatorQuarantine {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** List what callbacks said and was set aside. What still waits, of all workspaces and of nobody's. */
  list(query: Query<"quarantine.list"> = {}, options?: RequestOptions): Listing<Item<"quarantine.list">> {
    return this.#sender.list("/admin/v1/quarantine", { query, options });
  }

  /** Parse a callback again. All of the callback that this was part of; what was applied already is not applied twice. */
  replay(id: string, options?: RequestOptions): Promise<Result<"quarantine.replay">> {
    return this.#sender.json("POST", `/admin/v1/quarantine/${segment(id)}/replay`, { options });
  }

  /** Parse all callbacks again that wait for one reason. The oldest first, up to 1,000 in a call. */
  replayAll(body: Body<"quarantine.replayAll">, options?: RequestOptions): Promise<Result<"quarantine.replayAll">> {
    return this.#sender.json("POST", "/admin/v1/quarantine/replay", { body, options });
  }
}

/** The resources that an API key reaches. */
export class WorkspaceApi {
  readonly messages: Messages;
  readonly templates: Templates;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly deliveries: Deliveries;
  readonly businessAccounts: BusinessAccounts;
  readonly phoneNumbers: PhoneNumbers;
  readonly workspace: Workspace;
  readonly apiKeys: ApiKeys;
  readonly audit: Audit;

  constructor(sender: Sender) {
    this.messages = new Messages(sender);
    this.templates = new Templates(sender);
    this.webhookEndpoints = new WebhookEndpoints(sender);
    this.deliveries = new Deliveries(sender);
    this.businessAccounts = new BusinessAccounts(sender);
    this.phoneNumbers = new PhoneNumbers(sender);
    this.workspace = new Workspace(sender);
    this.apiKeys = new ApiKeys(sender);
    this.audit = new Audit(sender);
  }
}

/** The resources that the operator key reaches. */
export class OperatorApi {
  readonly workspaces: OperatorWorkspaces;
  readonly audit: OperatorAudit;
  readonly quarantine: OperatorQuarantine;

  constructor(sender: Sender) {
    this.workspaces = new OperatorWorkspaces(sender);
    this.audit = new OperatorAudit(sender);
    this.quarantine = new OperatorQuarantine(sender);
  }
}
