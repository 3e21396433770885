/** A template of an account, as a person looks for it. */
export type NamedTemplate = { name: string; language: string };

/** Names in one text. */
const MOST_NAMES = 3;
const MOST_LANGUAGES = 20;
/** Comparing takes the product of the lengths; a longer name is no slip of the keyboard. */
const LONGEST_COMPARED = 100;

/** What to say of a template that an account does not have: the languages that it has of this name, or names that are near. */
export function missingTemplateText(existing: readonly NamedTemplate[], { name, language }: NamedTemplate): string {
  const languages = [...new Set(existing.filter((one) => one.name === name).map((one) => one.language))];
  if (languages.length > 0)
    return `The sender has the template ${name} in ${listed(languages, MOST_LANGUAGES)}, and not in ${language}.`;
  const near = nearNames([...new Set(existing.map((one) => one.name))], name);
  const also = near.length === 0 ? "" : ` It has ${listed(near, MOST_NAMES)}.`;
  return `The sender has no template ${name}.${also}`;
}

const listed = (names: readonly string[], most: number): string =>
  names.length > most ? `${names.slice(0, most).join(", ")} and others` : names.join(", ");

/** The nearest first: a third of the letters may differ, or one name is a part of the other. */
function nearNames(names: readonly string[], wanted: string): string[] {
  if (wanted.length > LONGEST_COMPARED) return [];
  const most = Math.max(2, Math.floor(wanted.length / 3));
  return names
    .filter((name) => name.length <= LONGEST_COMPARED)
    .map((name) => ({ name, steps: isPart(name, wanted) ? 1 : stepsBetween(name, wanted, most) }))
    .filter(({ steps }) => steps <= most)
    .toSorted((one, other) => one.steps - other.steps || (one.name < other.name ? -1 : 1))
    .slice(0, MOST_NAMES)
    .map(({ name }) => name);
}

/** Shorter parts are in too many names. */
const SHORTEST_PART = 4;
const isPart = (name: string, wanted: string): boolean =>
  Math.min(name.length, wanted.length) >= SHORTEST_PART && (name.includes(wanted) || wanted.includes(name));

/** How many letters are to be added, left out or changed (Levenshtein); more than `most` is `most + 1`. */
function stepsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const steps = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const change = (above[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      steps.push(Math.min(change, (above[column] ?? 0) + 1, (steps[column - 1] ?? 0) + 1));
    }
    above = steps;
  }
  return above[other.length] ?? 0;
}
