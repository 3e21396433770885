import { createHash } from "node:crypto";
import type { Columns, RowOf } from "../../packages/server/src/db/hot-function.ts";
import type { CallRow } from "../../packages/server/src/features/calls/call.store.ts";
import { NO_PERSON_NAMED } from "../../packages/server/src/features/identity/reported-identifiers.ts";
import { ACCEPT, type AcceptRow } from "../../packages/server/src/features/messages/accept/accept-input.ts";
import type { EchoRow } from "../../packages/server/src/features/messages/callbacks/echo.store.ts";
import type { HandoverRow } from "../../packages/server/src/features/messages/callbacks/handover.store.ts";
import type { PastRow } from "../../packages/server/src/features/messages/callbacks/history.store.ts";
import type { InboundRow } from "../../packages/server/src/features/messages/callbacks/inbound.store.ts";
import type { PreferenceRow } from "../../packages/server/src/features/messages/callbacks/preference.store.ts";
import type { ReportRow } from "../../packages/server/src/features/messages/callbacks/status.store.ts";
import type { EndRow } from "../../packages/server/src/features/tasks/store.ts";
import type { UpsertRow } from "../../packages/server/src/features/templates/upsert.store.ts";
import { REPORTS } from "../../packages/server/src/features/threads/status.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { AT, NOW, WORKER } from "./owned.ts";
import type { Tenant } from "./rows.ts";

type Nulls<C extends Columns> = { [K in keyof C as null extends RowOf<C>[K] ? K : never]: null };
/** Null in each column that may have it. */
const nullsOf = <C extends Columns>(all: C): Nulls<C> =>
  Object.fromEntries(
    Object.entries(all)
      .filter(([, column]) => (typeof column === "string" ? column : column.sql).endsWith("?"))
      .map(([name]) => [name, null]),
  ) as Nulls<C>;

// Input of hot functions with every field, as the server gives it; `more` says what is special about one.

/** A template message to a stranger. */
export const acceptRow = ({ workspace, number, template }: Tenant, more: Partial<AcceptRow>): AcceptRow => ({
  ...nullsOf(ACCEPT),
  workspace_id: workspace,
  id: newUuid(NOW),
  public_id: "msg_0",
  fingerprint: "00",
  new_contact_id: newUuid(NOW),
  phone_number_id: number,
  sender: "+15550000000",
  type: "template",
  content: {},
  template_id: template,
  template_revision: 1,
  category: "utility",
  resend_once: false,
  now: AT,
  actor_type: "system",
  method: "POST",
  path: "/v1/messages",
  request_id: "req_1",
  ...more,
});

/** The place of a send in its queue, under the right of `WORKER`. */
export const intentRow = (place: { slot: unknown; seq: unknown }, workspace: string, message: unknown) => ({
  slot: place.slot,
  seq: place.seq,
  workspace_id: workspace,
  message_id: message,
  worker: WORKER,
  epoch: 1,
  recipient: "0",
  joined: 1,
  portfolio: null,
});

/** "Delivered", by the provider's id. */
export const reportRow = (
  { workspace, number }: Pick<Tenant, "workspace" | "number">,
  providerMessageId: string,
): ReportRow => ({
  kind: "status",
  phone_number_id: number,
  workspace_id: workspace,
  message_id: null,
  provider_message_id: providerMessageId,
  bit: 16,
  at: AT,
  error: null,
  pricing: null,
  conversation: null,
  callback_id: null,
  ...NO_PERSON_NAMED,
});

/** A text of a person, by the provider's id. */
export const receiveRow = (
  { workspace, number }: Tenant,
  phone: string,
  providerMessageId: string,
  more: Partial<InboundRow>,
): InboundRow => ({
  kind: "message",
  workspace_id: workspace,
  id: newUuid(NOW),
  phone_number_id: number,
  provider_message_id: providerMessageId,
  callback_id: null,
  new_contact_id: newUuid(NOW),
  phone,
  wa_id: phone.slice(1),
  wa_key: null,
  wa_loose: null,
  user_id: null,
  parent_user_id: null,
  scope: "",
  username: null,
  profile_name: null,
  changes_identity: null,
  previous_wa_id: null,
  previous_wa_key: null,
  previous_wa_loose: null,
  previous_parent_user_id: null,
  previous_user_id: null,
  type: "text",
  content: {},
  reply_to_provider_id: null,
  opens_window: true,
  words: null,
  default_consent: null,
  at: AT,
  provided: null,
  files: undefined,
  ...more,
});

/** The same to a person, from the WhatsApp Business app. */
export const echoRow = (tenant: Tenant, phone: string, providerMessageId: string): EchoRow => {
  const {
    kind: _kind,
    opens_window: _opens,
    words: _words,
    default_consent: _consent,
    ...reported
  } = receiveRow(tenant, phone, providerMessageId, { provided: { origin: "business_app" } });
  return { kind: "echo", ...reported };
};

/** A message of before the number was connected, which the business wrote to a person. */
export function pastRow(tenant: Tenant, phone: string, providerMessageId: string, more: Partial<PastRow>): PastRow {
  const {
    kind: _kind,
    opens_window: _opens,
    words: _words,
    default_consent: _consent,
    ...reported
  } = receiveRow(tenant, phone, providerMessageId, { provided: { origin: "history" } });
  return { ...reported, outbound: true, ...REPORTED_SENT, is_placeholder: false, ...more };
}
const REPORTED_SENT = { seen: REPORTS.sent.bit, rank: REPORTS.sent.rank };

/** A call of a person. */
export const callRow = (tenant: Tenant, phone: string, id: string): CallRow => {
  const { kind: _kind, consent: _consent, said_by: _by, fields: _words, ...person } = preferenceRow(tenant, phone, {});
  const digest = createHash("sha256").update(id).digest("hex");
  return { ...person, called_at: AT, digest, beginning: digest, call: { id, event: "connect" } };
};

/** "Stop marketing", of a person. */
export const preferenceRow = (
  { workspace, number }: Tenant,
  phone: string,
  more: Partial<PreferenceRow>,
): PreferenceRow => ({
  kind: "preference",
  workspace_id: workspace,
  phone_number_id: number,
  new_contact_id: newUuid(NOW),
  phone,
  wa_id: phone.slice(1),
  wa_key: null,
  wa_loose: null,
  user_id: null,
  parent_user_id: null,
  scope: "",
  username: null,
  profile_name: null,
  changes_identity: null,
  previous_wa_id: null,
  previous_wa_key: null,
  previous_wa_loose: null,
  previous_parent_user_id: null,
  previous_user_id: null,
  consent: "opted_out",
  said_by: null,
  fields: null,
  at: AT,
  callback_id: newUuid(NOW),
  place: { field: "user_preferences", entry: 0, change: 0, list: "user_preferences", item: 0 },
  ...more,
});

/** "You own the conversation", with a person. */
export const handoverRow = (tenant: Tenant, phone: string, more: Partial<HandoverRow>): HandoverRow => {
  const { kind: _kind, consent: _consent, fields: _words, ...named } = preferenceRow(tenant, phone, {});
  return { kind: "handover", ...named, owner: "self", from_agent: null, mark: "mark-1", ...more };
};

/** A task that is done. */
export const endTaskRow = (place: { slot: number; seq: number }, workspace: string): EndRow => ({
  ...place,
  workspace_id: workspace,
  job_id: newUuid(NOW),
  outcome: "done",
  error: null,
  due: null,
  attempt: 0,
  crashed: false,
});

/** The tenant's template as the provider has it. */
export const templateRow = (workspace: string, account: string, more: Partial<UpsertRow>): UpsertRow => ({
  workspace_id: workspace,
  business_account_id: account,
  id: newUuid(NOW),
  provider_template_id: "1",
  name: "hello",
  language: "en",
  category: "utility",
  status: "paused",
  quality: "red",
  parameter_format: "positional",
  components: [],
  rejection_reason: null,
  first: false,
  read_at: AT,
  hold_until: null,
  is_last: false,
  ...more,
});
