/**
 * What the parameters of a send must fit, read from a template's components as the provider lists them (Cloud API documentation, templates: create).
 * Kinds that are not modelled (carousels, offers, new buttons) require nothing: the provider checks those.
 */
export type Definition = {
  /** Parameters have names; else their position counts. */
  named: boolean;
  header: HeaderDefinition;
  /** Variables in order of first appearance; positional ones are "1", "2", … */
  body: readonly string[];
  /** By index. */
  buttons: readonly ButtonDefinition[];
};

export type HeaderDefinition =
  | { kind: "none" }
  | { kind: "text"; variables: readonly string[] }
  /** `location` too: exactly one parameter of that type. */
  | { kind: "media"; type: MediaHeader }
  | { kind: "open" };

export type MediaHeader = "image" | "video" | "document" | "gif" | "location" | "product";

export type ButtonDefinition = {
  /** `sub_type` of a send; null for buttons that take none (phone numbers and such). */
  subType: string | null;
  need: "none" | "optional" | "required";
  /** Type and field of its one parameter; null where it is not modelled. */
  parameter: string | null;
};

const MEDIA_HEADERS: ReadonlySet<string> = new Set<MediaHeader>([
  "image",
  "video",
  "document",
  "gif",
  "location",
  "product",
]);

/** Never fails: a part that it does not understand is left open. */
export function parseDefinition(components: readonly unknown[], parameterFormat: string): Definition {
  const parts = components.map(record);
  const part = (type: string): Fields | undefined => parts.find((one) => upper(one["type"]) === type);
  const buttons = part("BUTTONS")?.["buttons"];
  return {
    named: parameterFormat === "named",
    header: headerOf(part("HEADER")),
    body: bodyOf(part("BODY")),
    buttons: Array.isArray(buttons) ? buttons.map((button) => buttonOf(record(button))) : [],
  };
}

function headerOf(header: Fields | undefined): HeaderDefinition {
  if (!header) return { kind: "none" };
  const format = upper(header["format"]).toLowerCase() || "text";
  if (format === "text") return { kind: "text", variables: variablesOf(header["text"]) };
  if (MEDIA_HEADERS.has(format)) return { kind: "media", type: format as MediaHeader }; // the set holds exactly those
  return { kind: "open" };
}

/** The provider writes the text of an authentication template: as submitted it has none, and takes the code. */
function bodyOf(body: Fields | undefined): readonly string[] {
  if (body && typeof body["text"] !== "string" && "add_security_recommendation" in body) return ["1"];
  return variablesOf(body?.["text"]);
}

/** Cloud API documentation, sending: template. The `sub_type` and parameter of each kind of button. */
function buttonOf(button: Fields): ButtonDefinition {
  switch (upper(button["type"])) {
    case "URL": {
      const variable = variablesOf(button["url"]).length > 0;
      return { subType: "url", need: variable ? "required" : "none", parameter: "text" };
    }
    case "OTP":
      return { subType: "url", need: "required", parameter: "text" };
    case "COPY_CODE":
      return { subType: "copy_code", need: "required", parameter: "coupon_code" };
    case "QUICK_REPLY":
      return { subType: "quick_reply", need: "optional", parameter: "payload" };
    case "FLOW":
      return { subType: "flow", need: "optional", parameter: "action" };
    case "CATALOG":
      return { subType: "catalog", need: "optional", parameter: "action" };
    case "MPM":
      return { subType: "mpm", need: "required", parameter: "action" };
    case "VOICE_CALL":
      return { subType: "voice_call", need: "optional", parameter: null };
    case "PHONE_NUMBER":
    case "REQUEST_CONTACT_INFO":
    case "CALL_PERMISSION_REQUEST":
      return { subType: null, need: "none", parameter: null };
    default:
      return { subType: null, need: "optional", parameter: null };
  }
}

/** The distinct `{{…}}` of a text, in order. */
function variablesOf(text: unknown): string[] {
  if (typeof text !== "string") return [];
  return [...new Set([...text.matchAll(/\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g)].map((match) => match[1] ?? ""))];
}

type Fields = Readonly<Record<string, unknown>>;
const record = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const upper = (value: unknown): string => (typeof value === "string" ? value.toUpperCase() : "");
