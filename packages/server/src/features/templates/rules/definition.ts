import type { FieldError } from "../../../http/problem.ts";
import { LANGUAGES } from "./languages.ts";
import { type Definition, faultIf } from "./rule.ts";

const LONGEST_NAME = 512;
const CATEGORIES = ["authentication", "marketing", "utility"];
/** Seconds that the provider may be asked to try for, by category; -1 is 30 days in each (Cloud API documentation, templates: create). */
const TTL_SECONDS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  authentication: [30, 900],
  utility: [30, 43_200],
  marketing: [43_200, 2_592_000],
};

/** The rules of what stands beside the components. */
export const DEFINITION_RULES: readonly ((definition: Definition) => FieldError[])[] = [
  ({ name }) =>
    faultIf(
      !/^[a-z0-9_]+$/.test(name) || name.length > LONGEST_NAME,
      "/name",
      "invalid",
      `Use 1 to ${LONGEST_NAME} lower-case letters, digits and underscores.`,
    ),
  ({ language }) =>
    faultIf(
      !LANGUAGES.has(language),
      "/language/code",
      "unsupported",
      "Use the code of a language that the provider supports, such as `en_US` or `de`.",
    ),
  ({ category }) =>
    faultIf(!CATEGORIES.includes(category), "/category", "unsupported", `Use one of ${CATEGORIES.join(", ")}.`),
  ttlFaults,
];

/** Of an edit alone too: the category is the one that the template will have. */
export function ttlFaults({ category, ttlSeconds }: Pick<Definition, "category" | "ttlSeconds">): FieldError[] {
  const range = TTL_SECONDS[category];
  if (ttlSeconds === undefined || ttlSeconds === -1 || range === undefined) return [];
  const [least, most] = range;
  const detail = `For ${category} templates, give ${least} to ${most} seconds, or -1 for 30 days.`;
  return faultIf(ttlSeconds < least || ttlSeconds > most, "/message_send_ttl_seconds", "out_of_range", detail);
}
