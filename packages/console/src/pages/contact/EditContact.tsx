import { useQueryClient } from "@tanstack/react-query";
import type { Contact, ContactChange } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { contactQuery, type VersionedContact, versionedContact } from "../../api/queries/contacts.ts";
import { Form } from "../../parts/Form.tsx";
import type { Given } from "../../parts/form-field.ts";
import { Sheet } from "../../parts/Sheet.tsx";
import { useVersion } from "../../parts/version.ts";
import { text } from "../../text/text.ts";
import { attributeChanges, attributeLines } from "./attributes.ts";
import { CONSENTS, ContactFields, type ContactHeld } from "./ContactFields.tsx";

const words = text.contact;

/** Changes what of a person was edited, unless another has changed the person meanwhile. */
export function EditContact({ first, onClose: close }: { first: VersionedContact; onClose(): void }) {
  const queryClient = useQueryClient();
  const { id } = first.contact;
  const query = contactQuery(id);
  const { start, taken, version } = useVersion(
    first,
    () => queryClient.fetchQuery({ ...query, staleTime: 0 }),
    ({ contact }) => heldOf(contact),
  );
  const opened = start.contact;
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
        <ContactFields held={heldOf(opened)} />
      </Form>
    </Sheet>
  );
}

const heldOf = ({ name, email, locale, marketing_consent: consent, attributes }: Contact): ContactHeld => ({
  name: name ?? "",
  email: email ?? "",
  locale: locale ?? "",
  marketing_consent: consent === "unknown" ? "" : consent,
  attributes: attributeLines(attributes),
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
