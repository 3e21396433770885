import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Contact, ContactChange } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { contactQuery, type VersionedContact, versionedContact } from "../../api/queries/contacts.ts";
import { AreaField, SelectField, TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import type { Given } from "../../parts/form-field.ts";
import { Sheet } from "../../parts/Sheet.tsx";
import { type Held, useVersion } from "../../parts/version.ts";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { attributeChanges, attributeLines } from "./attributes.ts";

const words = text.contact;
const CONSENTS = ["opted_in", "opted_out"] as const;

/** Changes what of a person was edited, unless another has changed the person meanwhile. */
export function EditContact(first: VersionedContact) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { id } = first.contact;
  const query = contactQuery(id);
  const { start, taken, version } = useVersion(
    first,
    () => queryClient.fetchQuery({ ...query, staleTime: 0 }),
    ({ contact }) => heldOf(contact),
  );
  const opened = start.contact;
  const close = (): void => void navigate(paths.contact(id));
  const consents = [
    ...(opened.marketing_consent === "unknown" ? [{ value: "", label: text.contacts.consents.unknown }] : []),
    ...CONSENTS.map((value) => ({ value, label: text.contacts.consents[value] })),
  ];
  return (
    <Sheet title={words.edit} onClose={close}>
      <Form
        key={taken}
        label={words.edit}
        action={words.save}
        busy={words.saving}
        scope="contacts:write"
        version={version}
        submit={(given, _key, match) => waypost.contacts.update(id, changeOf(given, opened), match)}
        asks={(given) => ({ path: `v1/contacts/${id}`, method: "PATCH", body: changeOf(given, opened) })}
        onDone={(changed) => {
          queryClient.setQueryData(query.queryKey, versionedContact(changed));
          void queryClient.invalidateQueries({ queryKey: ["contacts", "list"] });
          close();
        }}
      >
        <TextField path="name" label={words.names.name} defaultValue={opened.name ?? ""} />
        <TextField path="email" label={words.names.email} type="email" defaultValue={opened.email ?? ""} />
        <TextField
          path="locale"
          label={words.names.locale}
          help={words.localeHelp}
          defaultValue={opened.locale ?? ""}
        />
        <SelectField
          path="marketing_consent"
          label={words.names.consent}
          help={words.consentHelp}
          options={consents}
          defaultValue={consentOf(opened)}
        />
        <AreaField
          path="attributes"
          label={words.attributes}
          help={words.attributesHelp}
          rows={6}
          defaultValue={attributeLines(opened.attributes)}
        />
      </Form>
    </Sheet>
  );
}

const consentOf = ({ marketing_consent: consent }: Contact): string => (consent === "unknown" ? "" : consent);

const heldOf = (contact: Contact): Held => ({
  name: contact.name ?? "",
  email: contact.email ?? "",
  locale: contact.locale ?? "",
  marketing_consent: consentOf(contact),
  attributes: attributeLines(contact.attributes),
});

/** What is as it was is not sent, so that it is not changed back. */
function changeOf(given: Given, before: Contact): ContactChange {
  const change: ContactChange = {};
  for (const name of ["name", "email", "locale"] as const)
    if (given.orNull(name) !== before[name]) change[name] = given.orNull(name);
  const consent = CONSENTS.find((value) => value === given.text("marketing_consent"));
  if (consent !== undefined && consent !== before.marketing_consent) change.marketing_consent = consent;
  const attributes = attributeChanges(given.text("attributes"), before.attributes);
  if (Object.keys(attributes).length > 0) change.attributes = attributes;
  return change;
}
