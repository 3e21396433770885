import type { Secrets } from "./secrets.ts";

/** What an answer is compared with. */
export type Known = {
  secrets: Secrets;
  /** The provider's ids of the accounts, numbers and businesses that the caller has part in. */
  ours: ReadonlySet<string>;
  /** Of those in the answer that are of another workspace. */
  foreign: ReadonlySet<string>;
  /** The provider's id of the gateway's app; null: not known. */
  appId: string | null;
};

/** The answer as the caller gets it: no secret, nothing that is another workspace's, no address of the provider's lists. */
export function cleanAnswer(body: unknown, known: Known, next: (query: URLSearchParams) => string): object {
  if (!isRecord(body)) return {};
  const { paging, ...rest } = body;
  // What is another's is all of its fields; a list within is looked at item by item.
  const kept = isForeign(rest, null, known) ? pick(rest, ["success", "data"]) : rest;
  const cleaned = cleanRecord(kept, known);
  const pages = pagingOf(paging, known, next);
  return pages === null ? cleaned : { ...cleaned, paging: pages };
}

/** The provider's refusal in its envelope; null for what is none. */
export function cleanError(body: unknown, known: Known): object | null {
  const error = isRecord(body) ? body["error"] : undefined;
  if (!isRecord(error) || typeof error["code"] !== "number") return null;
  const { message, type, ...rest } = cleanRecord(pick(error, ERROR_FIELDS), known);
  return { error: { message: message ?? "", type: type ?? "OAuthException", ...rest } };
}

const ERROR_FIELDS = [
  "message",
  "type",
  "code",
  "error_subcode",
  "is_transient",
  "error_user_title",
  "error_user_msg",
  "error_data",
  "fbtrace_id",
];

/** A run of digits that may be an id: shorter ones are numbers of other things. */
const DIGITS = /\d{5,20}/g;

/** All that may be an id in the answer, each once. */
export function idsOf(body: unknown): string[] {
  const ids = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === "string" || typeof value === "number") for (const id of digitsOf(value)) ids.add(id);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (isRecord(value))
      for (const [name, inner] of Object.entries(value)) {
        visit(name);
        visit(inner);
      }
  };
  visit(body);
  return [...ids];
}

const digitsOf = (value: string | number): string[] => String(value).match(DIGITS) ?? [];

const REMOVED = Symbol("removed");

function cleanRecord(record: Record<string, unknown>, known: Known): Record<string, unknown> {
  const kept = Object.entries(record).flatMap(([name, value]) => {
    const cleaned = cleanValue(value, name, known);
    return cleaned === REMOVED ? [] : [[cleanText(name, known), cleaned] as const];
  });
  return Object.fromEntries(kept);
}

function cleanValue(value: unknown, name: string, known: Known): unknown {
  if (typeof value === "string") return cleanText(value, known);
  if (typeof value === "number") return known.foreign.has(String(value)) ? REMOVED : value;
  if (Array.isArray(value)) return value.map((one) => cleanValue(one, name, known)).filter((one) => one !== REMOVED);
  if (!isRecord(value)) return value;
  if (isForeign(value, name, known)) return REMOVED;
  // A list within another object: its cursors are those of a path of its own.
  return cleanRecord(name === "paging" ? pick(value, ["cursors"]) : value, known);
}

function cleanText(text: string, { secrets, foreign, appId }: Known): string {
  const removed = secrets.removedFrom(text);
  return removed.replace(DIGITS, (digits) => (foreign.has(digits) || digits === appId ? "[hidden]" : digits));
}

/** What the names of fields say of what they lead to, as far as the caller must have part in it. */
const KINDS: ReadonlySet<string> = new Set([
  "business",
  "business_info",
  "client_whatsapp_business_accounts",
  "from_phone_number",
  "on_behalf_of_business_info",
  "owned_whatsapp_business_accounts",
  "owner_business",
  "owner_business_info",
  "parent_business",
  "phone_number_info",
  "phone_numbers",
  "waba_info",
  "whatsapp_business_account",
  "whatsapp_business_accounts",
]);
/** Names of ids themselves. */
const IDS: ReadonlySet<string> = new Set([
  "business_id",
  "owner_business_id",
  "phone_number_id",
  "waba_id",
  "whatsapp_business_account_id",
]);
const ENTITIES: ReadonlySet<string> = new Set(["APP", "BUSINESS", "PHONE_NUMBER", "WABA"]);

/** Whether an object is, or names, an account, number or business that is not the caller's, or is the gateway's app. `name`: of the field that leads to it. */
function isForeign(record: Record<string, unknown>, name: string | null, known: Known): boolean {
  if (name === "application") return true;
  const id = idText(record["id"]);
  const kind = record["entity_type"];
  const isOfKind = (name !== null && KINDS.has(name)) || (typeof kind === "string" && ENTITIES.has(kind));
  if (isOfKind && id !== null && !known.ours.has(id)) return true;
  return Object.entries(record).some(([field, value]) => {
    const text = idText(value);
    if (text === null) return false;
    if (known.foreign.has(text) || (text === known.appId && /(?:^|_)id$/.test(field))) return true;
    return IDS.has(field) && !known.ours.has(text);
  });
}

const idText = (value: unknown): string | null =>
  (typeof value === "string" && /^\d{1,20}$/.test(value)) || Number.isSafeInteger(value) ? String(value) : null;

/** Of a page, its cursors, and the address of the next one here; null where it has neither. */
function pagingOf(paging: unknown, known: Known, next: (query: URLSearchParams) => string): object | null {
  if (!isRecord(paging)) return null;
  const cursors = isRecord(paging["cursors"]) ? { cursors: cleanRecord(paging["cursors"], known) } : {};
  const links = (["next", "previous"] as const).flatMap((name) => {
    const query = queryOf(paging[name]);
    return query === null ? [] : [[name, next(cleanQuery(query, known))] as const];
  });
  const pages = { ...cursors, ...Object.fromEntries(links) };
  return Object.keys(pages).length === 0 ? null : pages;
}

/** What of the address of a page says where it begins. */
const PLACES = ["after", "before", "limit", "offset", "since", "until", "__paging_token"];

function queryOf(address: unknown): URLSearchParams | null {
  if (typeof address !== "string" || !URL.canParse(address)) return null;
  const { searchParams } = new URL(address);
  return new URLSearchParams([...searchParams].filter(([name]) => PLACES.includes(name)));
}

const cleanQuery = (query: URLSearchParams, known: Known): URLSearchParams =>
  new URLSearchParams([...query].map(([name, value]): [string, string] => [name, cleanText(value, known)]));

const pick = (record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
