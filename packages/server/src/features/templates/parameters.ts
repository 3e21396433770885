import type { FieldError } from "../../http/problem.ts";
import type { Definition } from "./definition.ts";
import { checkCarousel } from "./fit/carousel.ts";
import { checkCode } from "./fit/code.ts";
import { checkPart, onlyOne } from "./fit/part.ts";
import { addFault, type Place, readComponents, recordOf, type Sent } from "./fit/sent.ts";

/** Enough to correct a request by; a body of 256 KiB could hold thousands. */
const MOST_FAULTS = 50;

/**
 * Whether the components of a send fit the template: each slot filled once, by its kind, within its length. Empty when they
 * do. `at` points at them. Each fault points at what is wrong, or at the `components` or `parameters` that lack something, and names the slot.
 */
export function checkParameters(
  definition: Definition,
  components: unknown,
  at = "/template/components",
): FieldError[] {
  const place: Place = { at, of: "", faults: [] };
  const sent = readComponents(components, place);
  if (sent) {
    checkPart(definition, definition, sent, place);
    if (definition.isCode) checkCode(sent, place);
    checkOffer(definition, onlyOne("limited_time_offer", sent, place), place);
    checkCarousel(definition, onlyOne("carousel", sent, place), place);
  }
  return place.faults.slice(0, MOST_FAULTS);
}

function checkOffer({ offer }: Definition, sent: Sent | undefined, place: Place): void {
  if (offer === "none") {
    if (sent) addFault(place, sent.at, "unexpected", "The template has no limited-time offer. Remove this component.");
    return;
  }
  // The provider's pages show the end both in the component and in its parameter.
  const given = recordOf(sent?.parameters[0]?.["limited_time_offer"]) ?? recordOf(sent?.fields["limited_time_offer"]);
  if (offer === "open" || given?.["expiration_time_ms"] !== undefined) return;
  const detail =
    "The end of the limited-time offer is missing. Add a component of type limited_time_offer with its expiration_time_ms.";
  addFault(place, sent ? `${sent.at}/limited_time_offer` : place.at, "missing", detail);
}
