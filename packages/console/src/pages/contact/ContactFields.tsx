import { AreaField, type Option, SelectField, TextField } from "../../parts/Field.tsx";
import { text } from "../../text/text.ts";

const words = text.contact;
export const CONSENTS = ["opted_in", "opted_out"] as const;
const SAID: readonly Option[] = CONSENTS.map((value) => ({ value, label: text.contacts.consents[value] }));
const NOT_SAID: Option = { value: "", label: text.contacts.consents.unknown };

/** What fields of a contact hold at first; empty for what is not known. */
export type ContactHeld = Record<"name" | "email" | "locale" | "marketing_consent" | "attributes", string>;

/** The fields of a contact that can be changed. That a person said nothing of marketing cannot be said again. */
export function ContactFields({ held }: { held: ContactHeld }) {
  return (
    <>
      <TextField path="name" label={words.names.name} defaultValue={held.name} />
      <TextField path="email" label={words.names.email} type="email" defaultValue={held.email} />
      <TextField path="locale" label={words.names.locale} help={words.localeHelp} defaultValue={held.locale} />
      <SelectField
        path="marketing_consent"
        label={words.names.consent}
        help={words.consentHelp}
        options={held.marketing_consent === "" ? [NOT_SAID, ...SAID] : SAID}
        defaultValue={held.marketing_consent}
      />
      <AreaField
        path="attributes"
        label={words.attributes}
        help={words.attributesHelp}
        rows={6}
        defaultValue={held.attributes}
      />
    </>
  );
}
