import { DIRECTION } from "../text/text.ts";

/**
 * A number in groups, for eyes: `+1 555 123 0001`, `+49 151 234 567 89`. Country codes of one digit are 1 and 7; of the others only the
 * rough length is known here, so they are two digits, and the rest falls into threes. In a language that is written from the right the
 * groups would stand in the reverse order, so that characters which are not seen hold them together.
 */
export const grouped = (number: string): string =>
  DIRECTION === "rtl" ? `\u2066${groupsOf(number)}\u2069` : groupsOf(number);

function groupsOf(number: string): string {
  if (!/^\+\d{7,15}$/.test(number)) return number;
  const digits = number.slice(1);
  if (digits.startsWith("1") && digits.length === 11)
    return `+1 ${digits.slice(1, 4)} ${digits.slice(4, 7)} ${digits.slice(7)}`;
  const code = digits.startsWith("7") ? 1 : 2;
  const rest = digits.slice(code).match(/\d{1,3}/g) ?? [];
  return `+${digits.slice(0, code)} ${rest.join(" ")}`;
}
