import type { FieldError } from "../../http/problem.ts";
import type { Definition } from "./definition.ts";
import { checkCarousel } from "./fit/carousel.ts";
import { checkCode } from "./fit/code.ts";
import { checkOffer } from "./fit/offer.ts";
import { checkPart, onlyOne } from "./fit/part.ts";
import { type Place, readComponents } from "./fit/sent.ts";

/** Enough to correct a request by; a body of 256 KiB could hold thousands. */
const MOST_FAULTS = 50;

/**
 * Whether the components of a send fit the template: each slot filled once, by its kind, within its length. Empty when they
 * do. `at` points at them. Each fault points at what is wrong, or at the `components` or `parameters` that lack something, and names the slot.
 * `sendsAt`, in milliseconds: when the message leaves at the earliest, which what ends must outlast.
 */
export function checkParameters(
  definition: Definition,
  components: unknown,
  at = "/template/components",
  sendsAt?: number,
): FieldError[] {
  const place: Place = { at, of: "", faults: [] };
  const sent = readComponents(components, place);
  if (sent) {
    checkPart(definition, definition, sent, place);
    if (definition.isCode) checkCode(sent, place);
    checkOffer(definition, onlyOne("limited_time_offer", sent, place), { place, sendsAt });
    checkCarousel(definition, onlyOne("carousel", sent, place), place);
  }
  return place.faults.slice(0, MOST_FAULTS);
}
