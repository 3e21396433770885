import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { NewContact as Body } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { contactQuery, tagsQuery, versionedContact } from "../../api/queries/contacts.ts";
import { TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import type { Given } from "../../parts/form-field.ts";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { attributeChanges } from "../contact/attributes.ts";
import { CONSENTS, ContactFields, type ContactHeld } from "../contact/ContactFields.tsx";

const words = text.newContact;
const NOTHING: ContactHeld = { name: "", email: "", locale: "", marketing_consent: "", attributes: "" };

/** A person who has not written yet; of one who is there already the refusal leads to the record. */
export function NewContact({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return (
    <Sheet title={words.create} onClose={onClose}>
      <Form
        label={words.create}
        action={words.create}
        busy={words.creating}
        scope="contacts:write"
        submit={(given, idempotencyKey) => waypost.contacts.create(newContact(given), {}, { idempotencyKey })}
        asks={(given) => ({ path: "v1/contacts", body: newContact(given) })}
        onDone={(created) => {
          queryClient.setQueryData(contactQuery(created.id).queryKey, versionedContact(created));
          for (const queryKey of [["contacts", "list"], tagsQuery.queryKey])
            void queryClient.invalidateQueries({ queryKey });
          void navigate(paths.contact(created.id));
        }}
      >
        <TextField path="phone" label={text.contact.names.phone} help={words.phoneHelp} type="tel" required />
        <ContactFields held={NOTHING} />
        <TextField path="tags" label={text.contact.tags} help={words.tagsHelp} />
      </Form>
    </Sheet>
  );
}

/** Without what was not given: nothing is known of it then. */
function newContact(given: Given): Body {
  const body: Body = { phone: given.text("phone") };
  for (const name of ["name", "email", "locale"] as const) if (given.has(name)) body[name] = given.text(name);
  const consent = CONSENTS.find((value) => value === given.text("marketing_consent"));
  if (consent !== undefined) body.marketing_consent = consent;
  if (given.has("attributes")) body.attributes = attributeChanges(given.text("attributes"), {});
  const tags = given
    .text("tags")
    .split(";")
    .flatMap((tag) => tag.trim() || []);
  if (tags.length > 0) body.tags = tags;
  return body;
}
