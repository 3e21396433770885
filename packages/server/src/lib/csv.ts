/** What a spreadsheet would calculate instead of show, and what an earlier quote has disarmed already. */
const ACTIVE = /^'*[=+\-@\t\r]/;
/** A number is shown as it is: also a phone number in E.164. */
const SIGNED_NUMBER = /^[+-]\d+(\.\d+)?$/;
const QUOTED = /[",\r\n]/;

/** One line of CSV (RFC 4180) with its line end. Objects and arrays are written as JSON. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(csvCell).join(",")}\r\n`;

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = inactive(typeof value === "string" ? value : JSON.stringify(value));
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A text that no spreadsheet takes for a formula: `'` is put before one that begins with `=`, `+`, `-`, `@`, a tab or a carriage
 * return, unless it is a number (OWASP, CSV injection).
 */
export const inactive = (text: string): string => (ACTIVE.test(text) && !SIGNED_NUMBER.test(text) ? `'${text}` : text);

/** The text that `inactive` was given. */
export const active = (cell: string): string => (cell.startsWith("'") && ACTIVE.test(cell) ? cell.slice(1) : cell);
