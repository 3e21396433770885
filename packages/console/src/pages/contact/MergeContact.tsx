import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Contact } from "@waypost/sdk";
import { type SubmitEvent, useState } from "react";
import { waypost } from "../../api/client.ts";
import { contactQuery, contactsQuery, type VersionedContact } from "../../api/queries/contacts.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import controls from "../../parts/controls.module.css";
import { fieldOf } from "../../parts/form-field.ts";
import { Problem } from "../../parts/Problem.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { text } from "../../text/text.ts";
import { nameOf } from "../contacts/columns.tsx";
import { ContactFacts } from "./ContactFacts.tsx";
import styles from "./contact.module.css";

const words = text.contact;

type MergeProps = VersionedContact & {
  other: string | undefined;
  onChoose(other: string): void;
  onClose(): void;
};

/** Makes two records of one person one: the other is found, seen beside this one, and merged into it after a question. */
export function MergeContact({ contact, etag, other, onChoose, onClose }: MergeProps) {
  return (
    <Sheet title={words.merge} onClose={onClose}>
      <div className={styles["merge"]}>
        <p className="muted">{words.mergeHelp(nameOf(contact))}</p>
        {other === undefined ? (
          <Find contact={contact} choose={onChoose} />
        ) : (
          <Both contact={contact} etag={etag} other={other} onMerged={onClose} />
        )}
      </div>
    </Sheet>
  );
}

function Find({ contact: { id }, choose }: { contact: Contact; choose(other: string): void }) {
  const [q, setQ] = useState<string | null>(null);
  const { data, error, isPlaceholderData } = useQuery({ ...contactsQuery({ q: q ?? "" }), enabled: q !== null });
  const found = data?.data.filter((one) => one.id !== id) ?? [];
  const find = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = fieldOf(event.currentTarget, "q");
    if (/^con_[0-9a-z]{10,40}$/.test(given)) choose(given);
    else if (given !== "") setQ(given);
  };
  return (
    <>
      <form className={styles["add"]} onSubmit={find}>
        <input
          name="q"
          dir="auto"
          className={controls["input"]}
          aria-label={words.mergeFind}
          placeholder={words.mergeFind}
          autoComplete="off"
        />
        <button type="submit" className={controls["button"]}>
          {text.filter.find}
        </button>
      </form>
      {error !== null && <Problem error={error} />}
      {data !== undefined && found.length === 0 && !isPlaceholderData && <p className="muted">{text.contacts.none}</p>}
      <ul className={styles["found"]}>
        {found.map((one) => (
          <li key={one.id}>
            <button type="button" className={controls["button"]} onClick={() => choose(one.id)}>
              <span dir="auto">{nameOf(one)}</span> <span dir="ltr">{one.phone}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

type BothProps = VersionedContact & { other: string; onMerged(): void };

function Both({ contact, etag, other, onMerged }: BothProps) {
  const queryClient = useQueryClient();
  const { data, error } = useQuery(contactQuery(other));
  const [key] = useState(() => crypto.randomUUID());
  if (error !== null) return <Problem error={error} />;
  if (data === undefined) return null;
  const merge = async (): Promise<void> => {
    const options = { idempotencyKey: key, ...(etag === null ? {} : { ifMatch: etag }) };
    await waypost.contacts.merge(contact.id, { contact_id: other }, options);
    await queryClient.invalidateQueries({ queryKey: ["contacts"] });
    onMerged();
  };
  return (
    <>
      <div className={styles["both"]}>
        <section aria-labelledby="stays-title">
          <h3 id="stays-title">{words.stays}</h3>
          <ContactFacts contact={contact} />
        </section>
        <section aria-labelledby="joins-title">
          <h3 id="joins-title">{words.joins}</h3>
          <ContactFacts contact={data.contact} />
        </section>
      </div>
      <Confirm
        action={words.mergeNow}
        busy={words.merging}
        title={words.mergeAsk(nameOf(data.contact), nameOf(contact))}
        effect={words.mergeEffect}
        scope="contacts:write"
        run={merge}
      />
    </>
  );
}
