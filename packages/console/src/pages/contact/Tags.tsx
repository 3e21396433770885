import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Contact } from "@waypost/sdk";
import { X } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { waypost } from "../../api/client.ts";
import { contactQuery, versionedContact } from "../../api/queries/contacts.ts";
import { ActionButton, useScope } from "../../parts/Action.tsx";
import controls from "../../parts/controls.module.css";
import { fieldOf } from "../../parts/form-field.ts";
import { Problem } from "../../parts/Problem.tsx";
import { text } from "../../text/text.ts";
import styles from "./contact.module.css";

const words = text.contact;
const SCOPE = "contacts:write";

/** Tags of a person, each added or taken away at once: doing so twice is doing it once. */
export function Tags({ contact: { id, tags } }: { contact: Contact }) {
  const queryClient = useQueryClient();
  const held = useScope(SCOPE);
  const [fault, setFault] = useState<Error | null>(null);
  const change = useMutation({
    mutationFn: ({ add, remove }: { add?: string; remove?: string }) =>
      remove === undefined
        ? waypost.contacts.createTag(id, { tags: [add ?? ""] })
        : waypost.contacts.deleteTag(id, remove),
    onMutate: () => setFault(null),
    onSuccess: (contact) => {
      queryClient.setQueryData(contactQuery(id).queryKey, versionedContact(contact));
      void queryClient.invalidateQueries({ queryKey: ["contacts", "list"] });
      void queryClient.invalidateQueries({ queryKey: ["contacts", "tags"] });
    },
    onError: setFault,
  });
  const add = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const tag = fieldOf(form, "tag");
    if (tag !== "") change.mutate({ add: tag }, { onSuccess: () => form.reset() });
  };
  return (
    <section aria-labelledby="tags-title">
      <h2 id="tags-title">{words.tags}</h2>
      <ul className={styles["tags"]}>
        {tags.map((tag) => (
          <li key={tag} className={styles["tag"]}>
            <span dir="auto">{tag}</span>
            <button
              type="button"
              {...held}
              aria-label={words.removeTag(tag)}
              disabled={change.isPending || held.disabled}
              onClick={() => change.mutate({ remove: tag })}
            >
              <X size={14} aria-hidden />
            </button>
          </li>
        ))}
        {tags.length === 0 && <li className="muted">{words.noTags}</li>}
      </ul>
      <form className={styles["add"]} onSubmit={add}>
        <input
          name="tag"
          dir="auto"
          className={controls["input"]}
          aria-label={words.newTag}
          placeholder={words.newTag}
          autoComplete="off"
        />
        <ActionButton type="submit" scope={SCOPE} disabled={change.isPending}>
          {words.addTag}
        </ActionButton>
      </form>
      {fault !== null && <Problem error={fault} />}
    </section>
  );
}
