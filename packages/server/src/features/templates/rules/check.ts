import type { FieldError } from "../../../http/problem.ts";
import { buttonsFaults } from "./buttons.ts";
import { carouselFaults } from "./carousel.ts";
import { DEFINITION_RULES } from "./definition.ts";
import { type Definition, fault, faultIf, type Of, type Placed, placed, type Rule, upper } from "./rule.ts";
import { bodyFaults, footerFaults, headerFaults, offerFaults } from "./texts.ts";

/** Rules by type of component. Other types are the provider's to check. */
const COMPONENT_RULES: Readonly<Record<string, Rule<Placed>>> = {
  HEADER: headerFaults,
  BODY: bodyFaults,
  FOOTER: footerFaults,
  BUTTONS: buttonsFaults,
  CAROUSEL: carouselFaults,
  LIMITED_TIME_OFFER: offerFaults,
};
/** An authentication template has these and no other (Cloud API documentation, templates: authentication). */
const OF_CODES = ["BODY", "FOOTER", "BUTTONS"];

/** Enough to correct a definition by; a body of 256 KiB could hold thousands. */
const MOST_FAULTS = 50;

/**
 * What the provider documents as wrong in a definition, all of it, each with its place and what to do. What is not documented is the
 * provider's to refuse. (Cloud API documentation, templates: create, components.)
 */
export const checkDefinition = (definition: Definition): FieldError[] =>
  [
    ...DEFINITION_RULES.flatMap((rule) => rule(definition)),
    ...componentFaults(definition.components, definition),
  ].slice(0, MOST_FAULTS);

/** The same of the components alone, for an edit. */
export const checkComponents = (components: readonly unknown[], of: Of): FieldError[] =>
  componentFaults(components, of).slice(0, MOST_FAULTS);

function componentFaults(components: readonly unknown[], of: Of): FieldError[] {
  const parts = placed(components, "/components");
  const types = parts.map(({ fields }) => upper(fields["type"]));
  return [
    ...faultIf(!types.includes("BODY"), "/components", "missing", "Add a component of the type BODY."),
    ...parts.flatMap((part, index): FieldError[] => {
      const type = types[index] ?? "";
      if (type === "") return [fault(`${part.at}/type`, "missing", "Give the type of the component.")];
      if (COMPONENT_RULES[type] !== undefined && types.indexOf(type) < index)
        return [fault(part.at, "duplicate", `A template has one component of the type ${type}. Remove the others.`)];
      return COMPONENT_RULES[type]?.(part, of) ?? [];
    }),
    ...codeFaults(parts, types, of),
  ];
}

function codeFaults(parts: readonly Placed[], types: readonly string[], { category }: Of): FieldError[] {
  if (category !== "authentication") return [];
  const others = parts.filter((_part, index) => {
    const type = types[index] ?? "";
    return COMPONENT_RULES[type] !== undefined && type !== "HEADER" && !OF_CODES.includes(type);
  });
  return others.map(({ at }) =>
    fault(at, "unexpected", "An authentication template has a body, a footer and a button. Remove this component."),
  );
}
