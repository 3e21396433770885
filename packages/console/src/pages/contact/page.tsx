import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ApiError } from "@waypost/sdk";
import { contactQuery, type VersionedContact } from "../../api/queries/contacts.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { Consent } from "../../parts/Consent.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { Empty } from "../../parts/Empty.tsx";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { nameOf } from "../contacts/columns.tsx";
import { ContactFacts } from "./ContactFacts.tsx";
import styles from "./contact.module.css";
import { EditContact } from "./EditContact.tsx";
import { EraseContact } from "./EraseContact.tsx";
import { MergeContact } from "./MergeContact.tsx";
import { Tags } from "./Tags.tsx";
import { Windows } from "./Windows.tsx";

const route = getRouteApi("/app/workspace/contacts/$id");
const words = text.contact;
const SCOPE = "contacts:write";

/** One person. */
export function ContactPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(contactQuery(id));
  if (data !== undefined) return <Shown {...data} />;
  if (error === null) return <Skeleton label={text.loading} />;
  if (error instanceof ApiError && error.status === 404)
    return (
      <>
        <PageHead title={words.notFound} />
        <Empty title={id}>
          <p className="muted">{words.notFoundHelp}</p>
        </Empty>
      </>
    );
  return <Problem error={error} retry={() => void refetch()} />;
}

function Shown({ contact, etag }: VersionedContact) {
  const { open, other } = route.useSearch();
  const { id, marketing_consent: consent, consent_source: source } = contact;
  return (
    <>
      <PageHead
        title={nameOf(contact)}
        lead={
          <>
            <Consent consent={consent} /> {source !== null && words.sources[source]}
          </>
        }
      >
        <ActionLink scope={SCOPE} look="primary" {...paths.contact(id, { open: "edit" })}>
          {words.edit}
        </ActionLink>
        <ActionLink scope={SCOPE} {...paths.contact(id, { open: "merge" })}>
          {words.merge}
        </ActionLink>
        <EraseContact contact={contact} etag={etag} />
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
      {open === "edit" && <EditContact contact={contact} etag={etag} />}
      {open === "merge" && <MergeContact contact={contact} etag={etag} other={other} />}
    </>
  );
}
