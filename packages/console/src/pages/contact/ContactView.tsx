import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps, useNavigate } from "@tanstack/react-router";
import { contactQuery, type VersionedContact } from "../../api/queries/contacts.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { Consent } from "../../parts/Consent.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { Loaded } from "../../parts/Loaded.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { nameOf } from "../contacts/columns.tsx";
import { ContactFacts } from "./ContactFacts.tsx";
import styles from "./contact.module.css";
import { EditContact } from "./EditContact.tsx";
import { EraseContact } from "./EraseContact.tsx";
import { MergeContact } from "./MergeContact.tsx";
import type { ContactSearch } from "./search.ts";
import { Tags } from "./Tags.tsx";
import { Windows } from "./Windows.tsx";

const words = text.contact;
const SCOPE = "contacts:write";

type Place = {
  /** What of it is open. */
  search: ContactSearch;
  /** This contact, in this place, with that open. */
  linkTo(search?: ContactSearch): LinkProps;
  /** Leaves the place of what is no more. */
  onGone(): Promise<void>;
};

/** One person, on a page of its own or beside the list. */
export function ContactView({ id, ...place }: { id: string } & Place) {
  return (
    <Loaded query={useQuery(contactQuery(id))} id={id} words={words} isForgotten>
      {(read) => <Shown {...read} {...place} />}
    </Loaded>
  );
}

function Shown({ contact, etag, search: { open, other }, linkTo, onGone }: VersionedContact & Place) {
  const navigate = useNavigate();
  const close = (): void => void navigate(linkTo());
  const { id, marketing_consent: consent, consent_source: source } = contact;
  return (
    <div className={styles["whole"]}>
      <PageHead
        title={nameOf(contact)}
        lead={
          <>
            <Consent consent={consent} /> {source !== null && words.sources[source]}
          </>
        }
      >
        <ActionLink scope={SCOPE} look="primary" {...linkTo({ open: "edit" })}>
          {words.edit}
        </ActionLink>
        <ActionLink scope={SCOPE} {...linkTo({ open: "merge" })}>
          {words.merge}
        </ActionLink>
        <EraseContact contact={contact} etag={etag} onGone={onGone} />
        <CopyCurl path={`v1/contacts/${id}`} />
      </PageHead>
      <div className={styles["columns"]}>
        <div className={styles["parts"]}>
          <nav className={styles["links"]} aria-label={words.more}>
            <Link {...paths.messages({ contact_id: id })} className={controls["button"]}>
              {words.messages}
            </Link>
            <Link {...paths.events({ contact_id: id })} className={controls["button"]}>
              {words.events}
            </Link>
          </nav>
          <Windows windows={contact.windows} />
          <Tags contact={contact} />
        </div>
        <aside aria-label={words.facts}>
          <ContactFacts contact={contact} />
        </aside>
      </div>
      {open === "edit" && <EditContact first={{ contact, etag }} onClose={close} />}
      {open === "merge" && (
        <MergeContact
          contact={contact}
          etag={etag}
          other={other}
          onChoose={(one) => void navigate(linkTo({ open, other: one }))}
          onClose={close}
        />
      )}
    </div>
  );
}
