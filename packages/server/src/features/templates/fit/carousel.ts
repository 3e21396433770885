import type { Definition } from "../definition.ts";
import { checkPart } from "./part.ts";
import { addFault, type Place, readComponents, recordOf, type Sent } from "./sent.ts";

/** Whether a carousel has the cards of the template, each with its own parameters. */
export function checkCarousel(definition: Definition, sent: Sent | undefined, place: Place): void {
  const { cards } = definition;
  if (cards === null) {
    if (sent) addFault(place, sent.at, "unexpected", "The template has no carousel. Remove this component.");
    return;
  }
  if (cards.length === 0) return;
  const needed = `the template has ${cards.length} cards (0 to ${cards.length - 1})`;
  const given = sent?.fields["cards"];
  if (!sent || !Array.isArray(given)) {
    const pointer = sent ? `${sent.at}/cards` : place.at;
    return addFault(
      place,
      pointer,
      "missing",
      `The carousel is missing: ${needed}. Add a component of type carousel with all of them.`,
    );
  }
  const seen = new Set<number>();
  for (const [position, value] of given.entries()) {
    const at = `${sent.at}/cards/${position}`;
    const index = recordOf(value)?.["card_index"];
    const card = typeof index === "number" ? cards[index] : undefined;
    if (typeof index !== "number" || !card) {
      addFault(
        place,
        `${at}/card_index`,
        "unknown",
        `There is no such card: ${needed}. Remove it, or use the index of one of them.`,
      );
      continue;
    }
    if (seen.has(index))
      addFault(place, `${at}/card_index`, "repeated", `Card ${index} is given twice. Remove one of them.`);
    seen.add(index);
    const inside = { ...place, at: `${at}/components`, of: ` of card ${index}` };
    const components = readComponents(recordOf(value)?.["components"], inside);
    if (components) checkPart(card, { ...definition, bodyOnly: false }, components, inside);
  }
  for (const index of cards.keys())
    if (!seen.has(index))
      addFault(place, `${sent.at}/cards`, "missing", `Card ${index} is missing: ${needed}. Add it.`);
}
