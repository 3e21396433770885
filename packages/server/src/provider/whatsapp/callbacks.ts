import type { CallbackChange, ParsedCallback } from "../provider.ts";
import { readInbound } from "./callback-message.ts";
import { readPreference, readUserIdUpdate } from "./callback-preference.ts";
import { readStatus } from "./callback-status.ts";
import { asId, asRecord, asText, parseProviderJson } from "./json.ts";

/** Where a change came from, as far as known. */
type Origin = { providerPhoneNumberId: string | null; providerAccountId: string | null };

/**
 * Parses one callback (Cloud API documentation, webhooks) change by change: each message and status is judged alone, so what is not understood
 * never blocks its neighbours. Never throws. `json: false`: the bytes were no JSON.
 */
export function parseCallback(body: Uint8Array): ParsedCallback {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const parsed = parseProviderJson(text);
  if (!parsed.ok && !parsed.tooDeep) return { json: false, changes: [] };
  if (!parsed.ok) return { json: true, changes: [unrecognized("nested too deeply", NOWHERE, null)] };
  return { json: true, changes: readEnvelope(parsed.value) };
}

const NOWHERE: Origin = { providerPhoneNumberId: null, providerAccountId: null };

function readEnvelope(document: unknown): CallbackChange[] {
  const root = asRecord(document);
  if (root === null || root["object"] !== "whatsapp_business_account" || !Array.isArray(root["entry"])) {
    return [unrecognized("not an envelope of whatsapp_business_account", NOWHERE, document)];
  }
  return root["entry"].flatMap(readEntry);
}

function readEntry(entry: unknown): CallbackChange[] {
  const record = asRecord(entry);
  const origin = { ...NOWHERE, providerAccountId: asId(record?.["id"]) };
  if (record === null || !Array.isArray(record["changes"])) {
    return [unrecognized("entry without changes", origin, entry)];
  }
  return record["changes"].flatMap((change: unknown) => readChange(change, origin));
}

function readChange(change: unknown, entry: Origin): CallbackChange[] {
  const record = asRecord(change);
  const field = asText(record?.["field"]);
  const value = asRecord(record?.["value"]);
  if (field === null || value === null) return [unrecognized("change without field and value", entry, change)];
  const origin = originOf(value, entry);
  if (field === "messages") return readMessages(value, origin);
  if (field === "user_preferences") return readPreferences(value, origin);
  if (field === "user_id_update") return readUserIdUpdates(value, origin);
  if (field === "message_template_status_update") return [readTemplateStatus(value, origin)];
  if (!OTHER_FIELDS.has(field)) return [unrecognized("unknown field", origin, change)];
  return [{ kind: "other", field, ...origin, value }];
}

/** PARTNER_* events carry the partner's business in entry.id and the customer's account in waba_info (Cloud API documentation, webhooks: envelope). */
function originOf(value: Record<string, unknown>, entry: Origin): Origin {
  return {
    providerPhoneNumberId: asId(asRecord(value["metadata"])?.["phone_number_id"]),
    providerAccountId: asId(asRecord(value["waba_info"])?.["waba_id"]) ?? entry.providerAccountId,
  };
}

function readMessages(value: Record<string, unknown>, origin: Origin): CallbackChange[] {
  const { providerPhoneNumberId } = origin;
  if (providerPhoneNumberId === null) return [unrecognized("messages without phone_number_id", origin, value)];
  const changes: CallbackChange[] = [];
  const contacts = Array.isArray(value["contacts"]) ? value["contacts"] : [];
  if (value["statuses"] !== undefined) {
    changes.push(
      ...listOf(value["statuses"], "statuses", origin, (status) => readStatus(status, contacts, providerPhoneNumberId)),
    );
  }
  if (value["messages"] !== undefined) {
    changes.push(
      ...listOf(value["messages"], "messages", origin, (message) =>
        readInbound(message, contacts, providerPhoneNumberId),
      ),
    );
  }
  if (value["statuses"] !== undefined || value["messages"] !== undefined) return changes;
  if (Array.isArray(value["errors"])) return [{ kind: "other", field: "messages", ...origin, value }];
  return [unrecognized("messages without messages, statuses or errors", origin, value)];
}

function readPreferences(value: Record<string, unknown>, origin: Origin): CallbackChange[] {
  const { providerPhoneNumberId } = origin;
  if (providerPhoneNumberId === null) return [unrecognized("user_preferences without phone_number_id", origin, value)];
  const contacts = Array.isArray(value["contacts"]) ? value["contacts"] : [];
  return listOf(
    value["user_preferences"],
    "user_preferences",
    origin,
    (preference) =>
      readPreference(preference, contacts, providerPhoneNumberId) ?? {
        kind: "other",
        field: "user_preferences",
        ...origin,
        value: { user_preferences: [preference] },
      },
  );
}

function readUserIdUpdates(value: Record<string, unknown>, origin: Origin): CallbackChange[] {
  const { providerPhoneNumberId } = origin;
  if (providerPhoneNumberId === null) return [unrecognized("user_id_update without phone_number_id", origin, value)];
  return listOf(value["user_id_update"], "user_id_update", origin, (update) =>
    readUserIdUpdate(update, providerPhoneNumberId),
  );
}

/** Reads each item; one that `read` gives up on (a reason instead of a change) is kept whole. */
function listOf(
  list: unknown,
  name: string,
  origin: Origin,
  read: (item: Record<string, unknown>) => CallbackChange | { reason: string },
): CallbackChange[] {
  if (!Array.isArray(list)) return [unrecognized(`${name} is no list`, origin, { [name]: list })];
  return list.map((item: unknown) => {
    const record = asRecord(item);
    const change = record === null ? { reason: `an item of ${name} is no object` } : read(record);
    return "reason" in change && !("kind" in change) ? unrecognized(change.reason, origin, { [name]: [item] }) : change;
  });
}

/** The event is a hint in the provider's own word (`PAUSED`); the state is read again before it counts (Cloud API documentation, webhooks: templates). */
function readTemplateStatus(value: Record<string, unknown>, origin: Origin): CallbackChange {
  const providerTemplateId = asId(value["message_template_id"]);
  const event = asText(value["event"]);
  const name = asText(value["message_template_name"]);
  const language = asText(value["message_template_language"]);
  const { providerAccountId } = origin;
  if (!providerAccountId || !providerTemplateId || !event || !name || !language) {
    return unrecognized("template status without account, template id, event, name or language", origin, value);
  }
  const reason = asText(value["reason"]);
  return {
    kind: "template_status",
    providerAccountId,
    providerTemplateId,
    name,
    language: language.replaceAll("-", "_"),
    event,
    reason: reason === "NONE" ? null : reason,
  };
}

function unrecognized(reason: string, origin: Origin, value: unknown): CallbackChange {
  return { kind: "unrecognized", reason, ...origin, value };
}

/** Documented fields that pass through as they are (Cloud API documentation, webhooks: envelope); any other is not understood. */
const OTHER_FIELDS: ReadonlySet<string> = new Set([
  "account_alerts",
  "account_review_update",
  "account_settings_update",
  "account_update",
  "automatic_events",
  "business_capability_update",
  "business_username_updates",
  "calls",
  "consumer_profile",
  "flows",
  "group_lifecycle_update",
  "group_participants_update",
  "group_settings_update",
  "group_status_update",
  "history",
  "message_echoes",
  "message_template_components_update",
  "message_template_quality_update",
  "messaging_handovers",
  "partner_solutions",
  "payment_configuration_update",
  "phone_number_name_update",
  "phone_number_quality_update",
  "security",
  "smb_app_state_sync",
  "smb_message_echoes",
  "standby",
  "template_category_update",
]);
