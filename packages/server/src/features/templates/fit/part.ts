import type { Definition, Part } from "../definition.ts";
import { checkButtons } from "./buttons.ts";
import { checkHeader } from "./header.ts";
import { addFault, type Place, type Sent } from "./sent.ts";
import { BODY_KINDS, checkTexts } from "./texts.ts";

/** Characters of a body with its parameters: alone in its template it may be long (Cloud API documentation, sending: template). */
const LONGEST_BODY = 1_024;
const LONGEST_BODY_ALONE = 32_768;

/** The header, body and buttons of a template or of a card. */
export function checkPart(
  part: Part,
  of: Pick<Definition, "named" | "bodyOnly">,
  components: readonly Sent[],
  place: Place,
): void {
  checkHeader(part, of, onlyOne("header", components, place), place);
  const longest = of.bodyOnly ? LONGEST_BODY_ALONE : LONGEST_BODY;
  const texts = { what: "body", ...part.body, named: of.named, kinds: BODY_KINDS, longest };
  checkTexts(texts, onlyOne("body", components, place), place);
  checkButtons(
    part,
    components.filter(({ type }) => type === "button"),
    place,
  );
}

/** The component of a type of which there may be one. */
export function onlyOne(type: string, components: readonly Sent[], place: Place): Sent | undefined {
  const [first, ...more] = components.filter((one) => one.type === type);
  for (const { at } of more)
    addFault(place, at, "repeated", `There may be one component of type ${type}. Remove this one.`);
  return first;
}
