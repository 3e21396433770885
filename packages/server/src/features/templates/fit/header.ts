import type { Definition, MediaHeader, Part } from "../definition.ts";
import { addFault, type Fields, type Place, recordOf, type Sent } from "./sent.ts";
import { checkTexts, HEADER_KINDS } from "./texts.ts";

/** Characters of a header's text (Cloud API documentation, templates: create). */
const LONGEST_HEADER = 60;

export function checkHeader(
  { header }: Part,
  { named }: Pick<Definition, "named">,
  sent: Sent | undefined,
  place: Place,
): void {
  if (header.kind === "open") return;
  if (header.kind === "media") return checkMedia(header.type, sent, place);
  const { text, variables } = header.kind === "text" ? header : { text: "", variables: [] };
  checkTexts({ what: "header", text, variables, named, kinds: HEADER_KINDS, longest: LONGEST_HEADER }, sent, place);
}

function checkMedia(type: MediaHeader, sent: Sent | undefined, place: Place): void {
  const slot = `header${place.of}`;
  const fault = (pointer: string, code: string, detail: string): void => addFault(place, pointer, code, detail);
  if (!sent || sent.parameters.length === 0) {
    const detail = `The ${slot} takes one parameter of type ${type}, and none is given. Add it.`;
    return fault(sent ? `${sent.at}/parameters` : place.at, "missing", detail);
  }
  const [first = {}, ...more] = sent.parameters;
  for (const index of more.keys())
    fault(
      `${sent.at}/parameters/${index + 1}`,
      "extra",
      `The ${slot} takes one parameter of type ${type}. Remove this one.`,
    );
  const at = `${sent.at}/parameters/0`;
  if (first["type"] !== type)
    return fault(
      `${at}/type`,
      "kind",
      `The ${slot} takes a parameter of type ${type}: the template has a header of this type.`,
    );
  const missing = missingOf(type, recordOf(first[type]));
  if (missing !== null) fault(`${at}/${type}`, "missing", `The ${slot} ${missing}.`);
}

/** What a header's object lacks; null when it is complete. Media by `id` or `link`, never both (Cloud API documentation, sending: free-form types). */
function missingOf(type: MediaHeader, object: Fields | null): string | null {
  if (object === null) return `needs its object ${type}`;
  const has = (field: string): boolean => object[field] !== undefined && object[field] !== "";
  if (type === "location") return has("latitude") && has("longitude") ? null : "needs latitude and longitude";
  if (type === "product")
    return has("product_retailer_id") ? null : "needs product_retailer_id, the product's id in the catalog";
  return has("id") !== has("link") ? null : "needs either id or link";
}
