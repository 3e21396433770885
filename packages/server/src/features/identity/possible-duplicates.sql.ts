import { PREFIXES_WITH_FORMS } from "../../lib/phone/variants.ts";

// Contacts that may be the same person, though only the provider's evidence can join them: nothing is shared with them, and nothing
// is sent to one of them that another one stopped.

/** How a person is reached. Expressions are SQL. */
export type Reach = {
  workspace: string;
  /** All numbers known, with or without +: they say cheaply whether there can be such a contact; for most countries there cannot. */
  phones: readonly string[];
  /** A number that may not be the contact's yet: digits, and what it has in common with other forms. */
  given?: readonly [digits: string, loose: string];
};

/** One of several numbers is of a country where one number has several forms. Two contacts of an earlier version may even have the same one's. */
const WITH_TWINS = `'(^| )[+]?(${PREFIXES_WITH_FORMS.join("|")})'`;

/** boolean: what one of the database's functions says of the contacts that may be the same person. */
export const ofPossibleDuplicates = (
  asked: "twin_opted_out" | "twin_wrote_since",
  contact: string,
  { workspace, phones, given: [digits, loose] = ["null", "null"] }: Reach,
  ...more: readonly string[]
): string => {
  const canHaveTwins = `concat_ws(' ', ${phones.join(", ")}) ~ ${WITH_TWINS}`;
  const values = [workspace, `${contact}.id`, digits, loose, ...more].join(", ");
  return `case when ${canHaveTwins} then ${asked}(${values}) else false end`;
};
