import { type TSchema, Type } from "typebox";

// C0, DEL and C1: pages, terminals and spreadsheets interpret them as commands.
const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f";
const LINE = `^[^${CONTROLS}]*$`;
const LINES = "^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]*$";
const NAME = `^[^${CONTROLS}]*[^${CONTROLS}\\s][^${CONTROLS}]*$`;

/** What a refusal says of a text that did not match a pattern. */
export type PatternFault = {
  /** What the text must be, to go on behind its pointer. */
  detail: string;
  /** What else to say where the text is in a query. */
  inQuery?: string;
  /** The code of the fault; default: `pattern`. */
  code?: string;
};

const FAULTS = new Map<string, PatternFault>();

/**
 * The pattern of a schema, whose refusals have a sentence in place of a regular expression. Throws for a pattern that has another one
 * already: which of them were said would depend on the order of the imports.
 */
export function explained(pattern: string, fault: PatternFault): string {
  const known = FAULTS.get(pattern);
  if (known !== undefined && known.detail !== fault.detail)
    throw new Error(`the pattern ${pattern} has two sentences: ${known.detail}; ${fault.detail}`);
  FAULTS.set(pattern, fault);
  return pattern;
}

/** What to say of a text that did not match; undefined for a pattern that nothing explains. */
export const patternFaultOf = (pattern: string): PatternFault | undefined => FAULTS.get(pattern);

const code = "invalid_text";
explained(LINE, { code, detail: "must have no control characters" });
explained(LINES, { code, detail: "must have no control characters but line breaks" });
explained(NAME, { code, detail: "must have a visible character and no control characters" });

/** Schemes are the same in capitals (RFC 3986, 3.1). */
export const WEB_ADDRESS = explained("^[hH][tT][tT][pP][sS]?://[^\\s]+$", {
  detail: "must be an address that begins with `https://` or `http://`, without spaces",
});
export const EMAIL_ADDRESS = explained("^[^@\\s]+@[^@\\s]+$", { detail: "must be an address such as ana@example.com" });

type TextOptions = { description?: string; examples?: string[] };

/** Schema of a name in a body: one line with something to see. */
export const nameInput = (maxLength: number, options: TextOptions = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: NAME, ...options });

/** Schema of a note in a body: one line, which may be empty. */
export const lineInput = (maxLength: number, options: TextOptions = {}) =>
  Type.String({ maxLength, pattern: LINE, ...options });

/** Schema of a text of several lines in a body, `\n` between them, which may be empty. */
export const linesInput = (maxLength: number, options: TextOptions & { minLength?: number } = {}) =>
  Type.String({ maxLength, pattern: LINES, ...options });

/** Schema of a value that may be null; `description` is that of the field. */
export const nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** Schema of an object of the provider's, or of what has no fixed fields, as it is. */
export const anyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, description });
