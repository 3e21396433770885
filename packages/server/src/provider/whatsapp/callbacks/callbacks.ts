import type { NamedWaac } from "../../named-waac.ts";
import type { CallbackChange, ParsedCallback } from "../../provider.ts";
import { asId, asRecord, asText, parseProviderJson } from "../json.ts";
import { readTracking } from "./action.ts";
import { type Origin, type PlacedOrigin, type Reading, taken, unrecognized } from "./change-reading.ts";
import { HANDOVER_FIELD, readHandovers } from "./handover.ts";
import { LIST_FIELDS, readLists } from "./lists.ts";
import { DETECTION_FIELD, NOTICE_FIELDS, readNotice } from "./notice.ts";
import { providerTime } from "./provider-time.ts";
import { readStandby, STANDBY_FIELD } from "./standby.ts";
import { readTemplate, TEMPLATE_FIELDS, templateNamedIn } from "./template.ts";

/**
 * Parses one callback (Cloud API documentation, webhooks) change by change: each message and status is judged alone, so what is not understood
 * never blocks its neighbours. Never throws. `json: false`: the bytes were no JSON.
 */
export function parseCallback(body: Uint8Array): ParsedCallback {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const parsed = parseProviderJson(text);
  if (!parsed.ok && !parsed.tooDeep) return { json: false, changes: [] };
  if (!parsed.ok) return { json: true, changes: [unrecognized("nested too deeply", NOWHERE, null)] };
  // Hardly any callback has one.
  if (!text.includes("waac_id")) return { json: true, changes: readEnvelope(parsed.value, null) };
  const waacs: NamedWaac[] = [];
  return { json: true, changes: readEnvelope(parsed.value, waacs), waacs };
}

const NOWHERE: Origin = { providerPhoneNumberId: null, providerAccountId: null, at: null };

/** The second is announced for the time when an account is two (Cloud API documentation, account model). */
const OBJECTS: ReadonlySet<unknown> = new Set(["whatsapp_business_account", "whatsapp_account"]);

function readEnvelope(document: unknown, waacs: NamedWaac[] | null): CallbackChange[] {
  const root = asRecord(document);
  if (root === null || !OBJECTS.has(root["object"]) || !Array.isArray(root["entry"])) {
    return [unrecognized("not an envelope of whatsapp_business_account", NOWHERE, document)];
  }
  return root["entry"].flatMap((entry: unknown, index) => readEntry(entry, index, waacs));
}

function readEntry(entry: unknown, index: number, waacs: NamedWaac[] | null): CallbackChange[] {
  const record = asRecord(entry);
  const origin: Origin = {
    providerPhoneNumberId: null,
    providerAccountId: asId(record?.["id"]),
    at: providerTime(record?.["time"]),
  };
  if (record === null || !Array.isArray(record["changes"])) {
    return [unrecognized("entry without changes", origin, entry)];
  }
  return record["changes"].flatMap((change: unknown, nth) => {
    if (waacs !== null) noteWaac(record, change, { origin, waacs });
    return readChange(change, origin, { entry: index, change: nth });
  });
}

/** Where the id will stand is not documented yet (Cloud API documentation, account model): beside the ids that say the same today. */
function noteWaac(
  entry: Record<string, unknown>,
  change: unknown,
  { origin, waacs }: { origin: Origin; waacs: NamedWaac[] },
): void {
  const value = asRecord(asRecord(change)?.["value"]) ?? {};
  const places = [asRecord(value["metadata"]), asRecord(value["waba_info"]), value, entry];
  const waacId = places.map((place) => asId(place?.["waac_id"])).find((id) => id !== null && WAAC.test(id));
  if (waacId == null) return;
  const { providerPhoneNumberId, providerAccountId } = originOf(value, origin);
  const isNoted = ({ waacId: id, ...of }: NamedWaac): boolean =>
    id === waacId && of.providerPhoneNumberId === providerPhoneNumberId && of.providerAccountId === providerAccountId;
  if (!waacs.some(isNoted)) waacs.push({ waacId, providerPhoneNumberId, providerAccountId });
}

const WAAC = /^\d{1,32}$/;

function readChange(change: unknown, entry: Origin, place: { entry: number; change: number }): CallbackChange[] {
  const record = asRecord(change);
  const field = asText(record?.["field"]);
  const value = asRecord(record?.["value"]);
  if (field === null || value === null) return [unrecognized("change without field and value", entry, change)];
  const origin = originOf(value, entry);
  const read = FIELDS.get(field);
  if (read === undefined) return [unrecognized("unknown field", origin, change)];
  return read(field, value, { ...origin, part: { field, ...place } });
}

/** PARTNER_* events carry the partner's business in entry.id and the customer's account in waba_info (Cloud API documentation, webhooks: envelope). */
function originOf(value: Record<string, unknown>, entry: Origin): Origin {
  return {
    providerPhoneNumberId: asId(asRecord(value["metadata"])?.["phone_number_id"]),
    providerAccountId: asId(asRecord(value["waba_info"])?.["waba_id"]) ?? entry.providerAccountId,
    at: entry.at,
  };
}

type ReadField = (field: string, value: Record<string, unknown>, origin: PlacedOrigin) => CallbackChange[];

/** What has no list, as a whole. */
const whole =
  (read: (field: string, value: Record<string, unknown>, origin: PlacedOrigin) => Reading): ReadField =>
  (field, value, origin) =>
    taken(read(field, value, origin), origin, { field, value });

/** Each documented field (Cloud API documentation, webhooks: envelope); any other is not understood. */
const FIELDS: ReadonlyMap<string, ReadField> = new Map<string, ReadField>([
  ...LIST_FIELDS.map((field) => [field, readLists] as const),
  [STANDBY_FIELD, readStandby],
  [HANDOVER_FIELD, readHandovers],
  ...TEMPLATE_FIELDS.map((field) => [field, whole(readTemplate)] as const),
  ...NOTICE_FIELDS.map((field) => [field, whole(readNotice)] as const),
  ["tracking_events", whole(readTracking)],
  [
    DETECTION_FIELD,
    (field, value, origin) => [...whole(readNotice)(field, value, origin), ...templateNamedIn(value, origin)],
  ],
]);

export const CALLBACK_FIELDS: readonly string[] = [...FIELDS.keys()];
