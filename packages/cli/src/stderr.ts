import { printable } from "./output.ts";

/** Begins of secrets that are put in the wrong place, such as a key that is given as an option. */
const SECRETS = /\b(wp_(?:live|operator)_|whsec_|EAA(?=[A-Za-z0-9]{8}))[\w+/=-]+/g;

/** One line on standard error; standard output is for results. It may quote what others wrote, or an argument that is a key. */
export function complain(text: string): void {
  console.error(`waypost: ${inOneLine(text)}`);
}

export const inOneLine = (text: string): string => printable(text.trim()).replaceAll(SECRETS, "$1…");

/** The error has its lines: a fault of our own, whose stack says where it is. */
export function complainAtLength(text: string): void {
  console.error(`waypost: ${text.split("\n").map(inOneLine).join("\n    ")}`);
}
