import { type TSchema, Type } from "typebox";

// C0, DEL and C1: pages, terminals and spreadsheets interpret them as commands.
const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f";
const LINE = `^[^${CONTROLS}]*$`;
const LINES = "^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]*$";
const NAME = `^[^${CONTROLS}]*[^${CONTROLS}\\s][^${CONTROLS}]*$`;

/** The detail of a refusal, by the pattern that a text did not match. */
export const PATTERN_FAULTS: Readonly<Record<string, string>> = {
  [LINE]: "must have no control characters",
  [LINES]: "must have no control characters but line breaks",
  [NAME]: "must have a visible character and no control characters",
};

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
