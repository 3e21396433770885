import { useQueryClient } from "@tanstack/react-query";
import { waypost } from "../../api/client.ts";
import { forgetPerson } from "../../api/live.ts";
import { contactQuery, type VersionedContact } from "../../api/queries/contacts.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { text } from "../../text/text.ts";
import { nameOf } from "../contacts/columns.tsx";

const words = text.contact;

/** Erases a person, once the name was typed. */
export function EraseContact({ contact, etag, onGone }: VersionedContact & { onGone(): Promise<void> }) {
  const queryClient = useQueryClient();
  const { id } = contact;
  const erase = async (): Promise<void> => {
    try {
      await waypost.contacts.delete(id, etag === null ? {} : { ifMatch: etag });
    } catch (error) {
      // The person may have been changed meanwhile, and the next click is about what is known now.
      void queryClient.invalidateQueries({ queryKey: contactQuery(id).queryKey });
      throw error;
    }
    await onGone();
    forgetPerson(queryClient, id);
    void queryClient.invalidateQueries();
  };
  return (
    <Confirm
      action={words.erase}
      busy={words.erasing}
      title={words.eraseAsk(nameOf(contact))}
      effect={words.eraseEffect}
      typed={nameOf(contact)}
      scope="contacts:write"
      run={erase}
    />
  );
}
