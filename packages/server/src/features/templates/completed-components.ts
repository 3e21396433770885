import type { ButtonDefinition, Definition, Part } from "./definition.ts";

type Component = Record<string, unknown>;
type Card = { card_index: number; components?: Component[]; [field: string]: unknown };

/**
 * The components of a send as the provider takes them: buttons that open a flow or the catalog must stand in it, though they need
 * no parameter. What lacks such a component gets it, because nothing else can be meant; one without a parameter whose button is
 * gone from the template is left out. The same list when nothing is to be done. The schema of a send has passed.
 */
export function completeComponents(definition: Definition, components: Component[]): Component[] {
  const own = completePart(definition, components);
  const { cards } = definition;
  if (!definition.hasNamed || cards === null) return own;
  const inCards = own.map((one) => (one["type"] === "carousel" ? completeCards(cards, one) : one));
  return inCards.every((one, index) => one === own[index]) ? own : inCards;
}

function completeCards(cards: readonly Part[], carousel: Component): Component {
  const given = carousel["cards"] as readonly Card[]; // as the schema let pass
  const completed = given.map((card) => {
    const part = cards[card.card_index];
    const components = card.components ?? [];
    const all = part === undefined ? components : completePart(part, components);
    return all === components ? card : { ...card, components: all };
  });
  return completed.every((card, index) => card === given[index]) ? carousel : { ...carousel, cards: completed };
}

function completePart({ buttons }: Part, components: Component[]): Component[] {
  const kept = components.some((one) => isStray(one, buttons))
    ? components.filter((one) => !isStray(one, buttons))
    : components;
  const missing = buttons.flatMap((button, index) =>
    button.need === "named" && !kept.some((one) => isOf(one, index))
      ? [{ type: "button", sub_type: button.subType, index: String(index) }]
      : [],
  );
  return missing.length === 0 ? kept : [...kept, ...missing];
}

const isOf = ({ type, index }: Component, of: number): boolean => type === "button" && Number(index) === of;

/** Kinds of buttons whose component says nothing by itself. */
const NAMED: readonly unknown[] = ["flow", "catalog"];

function isStray({ type, sub_type, index, parameters }: Component, buttons: readonly ButtonDefinition[]): boolean {
  if (type !== "button" || !NAMED.includes(sub_type) || (Array.isArray(parameters) && parameters.length > 0))
    return false;
  const button = buttons[Number(index)];
  // Of a kind that is not modelled nothing is known.
  return (
    button === undefined || (button.subType !== sub_type && !(button.subType === null && button.need === "optional"))
  );
}
