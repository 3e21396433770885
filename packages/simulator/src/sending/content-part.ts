import { isRecord } from "../lib/shape.ts";
import { refusal } from "../protocol/error.ts";

/** The provider's codes for a parameter that is missing, and for one that has no valid value. */
const MISSING = 131008;
const NOT_VALID = 131009;
const PLACE_CHARS = 1_024;

/** An object of a request and its place in it, as the texts of the provider name it. Each reading throws the provider's refusal. */
export class ContentPart {
  readonly #fields: Record<string, unknown>;
  readonly #at: string;

  constructor(fields: Record<string, unknown>, at: string) {
    this.#fields = fields;
    this.#at = at;
  }

  /** The field as it was given. */
  raw(key: string): unknown {
    return this.#fields[key];
  }

  /** False of a null too: the provider takes it as absent. */
  has(key: string): boolean {
    return this.#fields[key] != null;
  }

  part(key: string): ContentPart {
    const value = this.#given(key);
    if (!isRecord(value)) throw this.wrongType(key, "object");
    return new ContentPart(value, `${this.#at}['${key}']`);
  }

  optionalPart(key: string): ContentPart | null {
    return this.has(key) ? this.part(key) : null;
  }

  parts(key: string, fewest: number, most: number): ContentPart[] {
    const value = this.#given(key);
    if (!Array.isArray(value)) throw this.wrongType(key, "array");
    if (value.length < fewest || value.length > most)
      throw this.invalid(key, `must be an array of ${fewest} to ${most} items`);
    return value.map((item: unknown, index) => {
      if (!isRecord(item)) throw this.wrongType(`${key}'][${index}`, "object", item);
      return new ContentPart(item, `${this.#at}['${key}'][${index}]`);
    });
  }

  text(key: string, most: number): string {
    const text = this.#given(key);
    if (typeof text !== "string") throw this.wrongType(key, "string");
    if (text === "") throw this.missing(key);
    if (Array.from(text).length > most) throw this.invalid(key, `must be at most ${most} characters long`);
    return text;
  }

  optionalText(key: string, most: number): string | null {
    return this.has(key) ? this.text(key, most) : null;
  }

  optionalBoolean(key: string): void {
    if (this.has(key) && typeof this.raw(key) !== "boolean") throw this.wrongType(key, "boolean");
  }

  oneOf(key: string, values: readonly string[]): string {
    const text = this.text(key, Number.POSITIVE_INFINITY);
    if (!values.includes(text)) throw this.invalid(key, `must be one of {${values.join(", ")}}`);
    return text;
  }

  integer(key: string, least: number, most: number): number {
    const value = this.#given(key);
    if (typeof value !== "number") throw this.wrongType(key, "number");
    if (!Number.isInteger(value) || Number(value) < least || Number(value) > most)
      throw this.invalid(key, `must be a whole number from ${least} to ${most}`);
    return Number(value);
  }

  none(key: string): void {
    if (this.has(key)) throw this.invalid(key, "is not allowed here");
  }

  #given(key: string): unknown {
    if (!this.has(key)) throw this.missing(key);
    return this.#fields[key];
  }

  missing(key: string) {
    return refusal(MISSING, `The parameter ${this.#at}['${key}'] is required.`);
  }

  invalid(key: string, what: string) {
    return refusal(NOT_VALID, `Param ${this.#at}['${key}'] ${what}.`);
  }

  /** The refusal of a value of another JSON type than the field takes. */
  wrongType(key: string, type: string, value: unknown = this.raw(key)) {
    return this.invalid(key, `must be of type ${type}, got ${typeNameOf(value)}`);
  }
}

function typeNameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Throws the refusal of a value that is given twice. */
export function checkDistinct(parts: readonly ContentPart[], key: string): void {
  const seen = new Set<unknown>();
  for (const part of parts.filter((one) => one.has(key))) {
    if (seen.has(part.raw(key))) throw part.invalid(key, "must differ from the others");
    seen.add(part.raw(key));
  }
}

/** Throws the refusal of a file that is not given by exactly one of id and link. */
export function checkMediaSource(media: ContentPart): void {
  if (media.has("id") === media.has("link")) throw media.invalid("link", "or id is required, and only one of them");
  if (media.has("id")) return void media.text("id", Number.POSITIVE_INFINITY);
  if (!/^https?:\/\//.test(media.text("link", 2_048))) throw media.invalid("link", "must be an http(s) URL");
}

/** Throws the refusal of a place whose degrees are no numbers, or texts of numbers, in their range. */
export function checkPlace(place: ContentPart): void {
  for (const [key, most] of [
    ["latitude", 90],
    ["longitude", 180],
  ] as const) {
    const value = place.raw(key);
    const isNumber = typeof value === "number" || (typeof value === "string" && /^[+-]?\d+(\.\d*)?$/.test(value));
    if (!isNumber || !(Math.abs(Number(value)) <= most)) throw place.invalid(key, `must be a number within ±${most}`);
  }
  place.optionalText("name", PLACE_CHARS);
  place.optionalText("address", PLACE_CHARS);
}
