import { NEW_CONTACT } from "../../api/new-contact.gen.ts";
import { text } from "../../text/text.ts";
import type { CheckedField, FaultReason } from "./row-faults.ts";

const words = text.importPreview.faults;
const { name, email, tags, attributes } = NEW_CONTACT.properties;
/** Of an attribute, whatever its name. */
const [longestText = 0] = Object.values(attributes.patternProperties).map(
  ({ anyOf: [value] }) => value.anyOf[0].maxLength,
);

const TAKEN: Readonly<Record<CheckedField, string>> = {
  name: words.name(name.maxLength),
  email: words.email(email.maxLength),
  locale: words.locale,
  tags: words.tags(tags.maxItems, tags.items.maxLength),
  marketing_consent: words.consent,
  attributes: words.attributes(attributes.maxProperties, longestText),
};

/** Why a row, or a cell of it, would be refused. */
export function faultText(fault: FaultReason): string {
  switch (fault.kind) {
    case "sign":
      return words.sign(named(fault.sign));
    case "digits":
      return words.digits(fault.digits);
    case "field":
      return TAKEN[fault.field];
    default:
      return words.plain[fault.kind];
  }
}

/** What cannot be seen is named by its code point. */
const named = (sign: string): string =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(sign)
    ? sign
    : `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
