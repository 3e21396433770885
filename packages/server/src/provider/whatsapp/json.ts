import { stringEnd } from "./json-text.ts";

/**
 * The provider's JSON, read so that nothing is lost and nothing later refuses it:
 * - integers beyond 2^53 become strings of their digits (template ids are integers in callbacks);
 * - U+0000 and half surrogate pairs become U+FFFD, because PostgreSQL refuses both;
 * - documents nested deeper than any real payload are refused, because writing them again would exhaust the stack.
 */
export function parseProviderJson(given: string): { ok: true; value: unknown } | { ok: false; tooDeep: boolean } {
  const text = given.startsWith(BYTE_ORDER_MARK) ? given.slice(BYTE_ORDER_MARK.length) : given;
  const found = scan(text);
  if (found.depth > MAX_DEPTH) return { ok: false, tooDeep: true };
  let value: unknown;
  try {
    value = JSON.parse(found.bigIntegers.length === 0 ? text : quoted(text, found.bigIntegers));
  } catch {
    return { ok: false, tooDeep: false };
  }
  return { ok: true, value: REFUSED_TEXT.test(text) ? cleaned(value) : value };
}

/** A proxy that rewrites text may put it ahead; JSON has none. */
const BYTE_ORDER_MARK = "\ufeff";

/** The deepest documented payload (carousel of a template in history) has about 15 levels. */
const MAX_DEPTH = 100;

/**
 * Escapes that may yield text which PostgreSQL refuses; escaped pairs match too and come out unharmed. Only escapes can:
 * decoding UTF-8 leaves no half pair, and JSON allows no raw U+0000.
 */
const REFUSED_TEXT = /\\u(?:0000|[dD][89a-fA-F])/;

/** Digits that always fit a double exactly. */
const SAFE_DIGITS = 15;

type Scan = { depth: number; bigIntegers: Array<{ start: number; end: number }> };

/** One pass over the text outside strings: nesting, and the places of integers that a double cannot hold. */
function scan(text: string): Scan {
  const bigIntegers: Scan["bigIntegers"] = [];
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      i = stringEnd(text, i);
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      depth -= 1;
    } else if (isDigit(c) || c === MINUS) {
      const end = numberEnd(text, i);
      if (end - i > SAFE_DIGITS && isUnsafeInteger(text.slice(i, end))) bigIntegers.push({ start: i, end });
      i = end - 1;
    }
  }
  return { depth: deepest, bigIntegers };
}

function numberEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && (isDigit(text.charCodeAt(end)) || ".eE+-".includes(text.charAt(end)))) end += 1;
  return end;
}

function isUnsafeInteger(token: string): boolean {
  return /^-?[1-9]\d*$/.test(token) && !Number.isSafeInteger(Number(token));
}

function quoted(text: string, places: Scan["bigIntegers"]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of places) {
    parts.push(text.slice(from, start), '"', text.slice(start, end), '"');
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** Recursion is bounded by MAX_DEPTH. */
function cleaned(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleaned(inner)]));
}

function cleanText(text: string): string {
  return wellFormed(text.replaceAll("\u0000", "\ufffd"));
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

const QUOTE = 34;
const MINUS = 45;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** The text with U+FFFD in place of half surrogate pairs. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** The value as an object with named fields, or null. */
export function asRecord(value: unknown): Record<string, unknown> | null {
  return isRecord(value) ? value : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as text that is not empty, or null. */
export function asText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The value as an integer that a double holds exactly, also when written as a string, or null. */
export function asInteger(value: unknown): number | null {
  const number = typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? Number(number) : null;
}

/** Longest identifier taken from the provider: its own limit is 128 (Cloud API documentation, identifiers); index rows must stay small. */
const MAX_ID_CHARS = 512;

/** The value as an identifier: text, or an integer as its digits; null when empty or absurdly long. */
export function asId(value: unknown): string | null {
  if (Number.isSafeInteger(value)) return String(value);
  const text = asText(value);
  return text !== null && text.length <= MAX_ID_CHARS ? text : null;
}
