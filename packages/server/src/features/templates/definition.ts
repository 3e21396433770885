import { type Fields, list, record, upper } from "./rules/rule.ts";

/**
 * What the parameters of a send must fit, read from a template's components as the provider lists them (Cloud API documentation, templates: create).
 * Kinds that are not modelled require nothing: the provider checks those.
 */
export type Definition = Part & {
  /** Parameters have names; else their position counts. */
  named: boolean;
  /** The body is all that the template has. */
  bodyOnly: boolean;
  /** A one-time password: the body's parameter and the button's are the same code. */
  isCode: boolean;
  /** A limited-time offer; with `ends` each send says when. */
  offer: "none" | "open" | "ends";
  /** In their order; null without a carousel, empty for one that is not understood. */
  cards: readonly Part[] | null;
  /** The template or a card has a button whose `need` is `named`. */
  hasNamed: boolean;
};

/** What a card of a carousel has, and the template itself. */
export type Part = {
  header: HeaderDefinition;
  body: TextDefinition;
  /** By index. */
  buttons: readonly ButtonDefinition[];
};

/** `variables` in the order of their parameters: positional ones by number, named ones as they appear. */
export type TextDefinition = { text: string; variables: readonly string[] };

export type HeaderDefinition =
  | { kind: "none" }
  | ({ kind: "text" } & TextDefinition)
  /** `location` and `product` too: exactly one parameter of that type. */
  | { kind: "media"; type: MediaHeader }
  | { kind: "open" };

export type MediaHeader = "image" | "video" | "document" | "gif" | "location" | "product";

export type ButtonDefinition = {
  /** `sub_type` of a send; null for buttons that take none (phone numbers and such), and for those that are not modelled. */
  subType: string | null;
  /** `named`: each send has its component, which needs no parameter (`completed-components.ts`). */
  need: "none" | "optional" | "named" | "required";
  /** Types of its parameters, each of which it takes once. */
  parameters: readonly string[];
  /** Of a button whose URL ends in a variable. */
  url: TextDefinition | null;
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
  const offer = partOf(parts, "LIMITED_TIME_OFFER");
  const carousel = partOf(parts, "CAROUSEL");
  const whole = parsePart(parts);
  const cards =
    carousel === undefined
      ? null
      : list(carousel["cards"]).map((card) => parsePart(list(record(card)["components"]).map(record)));
  return {
    ...whole,
    named: parameterFormat === "named",
    bodyOnly: parts.length === 1,
    isCode: isCode(parts),
    offer:
      offer === undefined ? "none" : record(offer["limited_time_offer"])["has_expiration"] === true ? "ends" : "open",
    cards,
    hasNamed: [whole, ...(cards ?? [])].some(({ buttons }) => buttons.some(({ need }) => need === "named")),
  };
}

function parsePart(parts: readonly Fields[]): Part {
  return {
    header: headerOf(partOf(parts, "HEADER")),
    body: bodyOf(partOf(parts, "BODY")),
    buttons: buttonsIn(parts).map(buttonOf),
  };
}

const partOf = (parts: readonly Fields[], type: string): Fields | undefined =>
  parts.find((one) => upper(one["type"]) === type);

const buttonsIn = (parts: readonly Fields[]): Fields[] => list(partOf(parts, "BUTTONS")?.["buttons"]).map(record);

function headerOf(header: Fields | undefined): HeaderDefinition {
  if (!header) return { kind: "none" };
  const format = upper(header["format"]).toLowerCase() || "text";
  if (format === "text") return { kind: "text", ...textOf(header["text"]) };
  if (MEDIA_HEADERS.has(format)) return { kind: "media", type: format as MediaHeader }; // the set holds exactly those
  return { kind: "open" };
}

/** The provider writes the text of an authentication template: as submitted it has none, and takes the code. */
function bodyOf(body: Fields | undefined): TextDefinition {
  if (body && typeof body["text"] !== "string" && "add_security_recommendation" in body) return textOf("{{1}}");
  return textOf(body?.["text"]);
}

/** The URL that the provider gives the button of an approved one-time password. */
const CODE_URL = "https://www.whatsapp.com/otp/";

function isCode(parts: readonly Fields[]): boolean {
  const body = partOf(parts, "BODY");
  const isOfCode = ({ type, url }: Fields): boolean =>
    upper(type) === "OTP" || (typeof url === "string" && url.startsWith(CODE_URL));
  return (body !== undefined && "add_security_recommendation" in body) || buttonsIn(parts).some(isOfCode);
}

const NO_PARAMETER: ButtonDefinition = { subType: null, need: "none", parameters: [], url: null };

/** Cloud API documentation, sending: template. The `sub_type` and parameters of each kind of button. */
function buttonOf(button: Fields): ButtonDefinition {
  const of = (subType: string, need: ButtonDefinition["need"], ...parameters: string[]): ButtonDefinition => ({
    subType,
    need,
    parameters,
    url: null,
  });
  switch (upper(button["type"])) {
    case "URL": {
      const url = textOf(button["url"]);
      return url.variables.length > 0 ? { ...of("url", "required", "text"), url } : of("url", "none");
    }
    case "OTP":
      return of("url", "required", "text");
    case "COPY_CODE":
      return of("copy_code", "required", "coupon_code");
    case "QUICK_REPLY":
      return of("quick_reply", "optional", "payload");
    case "FLOW":
      return of("flow", "named", "action");
    case "CATALOG":
      return of("catalog", "named", "action");
    case "MPM":
      return of("mpm", "required", "action");
    case "VOICE_CALL":
      return of("voice_call", "optional", "ttl_minutes", "payload");
    case "PHONE_NUMBER":
    case "REQUEST_CONTACT_INFO":
    case "CALL_PERMISSION_REQUEST":
    // The product is given in the header.
    case "SPM":
      return NO_PARAMETER;
    default:
      return { ...NO_PARAMETER, need: "optional" };
  }
}

const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

function textOf(value: unknown): TextDefinition {
  const text = typeof value === "string" ? value : "";
  const variables = [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ""))];
  const isNumbered = variables.every((name) => /^\d+$/.test(name));
  return { text, variables: isNumbered ? variables.toSorted((a, b) => Number(a) - Number(b)) : variables };
}

/** The text as the person reads it; a variable without a value stays as it is. */
export const renderText = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(VARIABLE, (whole, name: string) => values.get(name) ?? whole);
