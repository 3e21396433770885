import type { Contact } from "@waypost/sdk";
import { Consent } from "../../parts/Consent.tsx";
import type { Column } from "../../parts/DataTable.tsx";
import { grouped } from "../../parts/phone-number.ts";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";
import styles from "./contacts.module.css";

const names = text.contacts.columns;

export const COLUMNS: readonly Column<Contact>[] = [
  {
    key: "name",
    head: names.name,
    narrow: "lead",
    isLink: true,
    cell: (contact) => <span dir="auto">{nameOf(contact)}</span>,
  },
  {
    key: "phone",
    head: names.phone,
    narrow: "second",
    cell: ({ phone }) => phone && <span dir="ltr">{grouped(phone)}</span>,
  },
  {
    key: "consent",
    head: names.consent,
    narrow: "end",
    cell: ({ marketing_consent: consent }) => <Consent consent={consent} />,
  },
  { key: "tags", head: names.tags, isWide: true, cell: ({ tags }) => <Tags tags={tags} /> },
  {
    key: "last",
    head: names.last,
    narrow: "second-end",
    isFigure: true,
    cell: ({ last_inbound_at: at }) => at && <Time at={at} />,
  },
];

/** The name that you use, else the person's own, else what there is. */
export const nameOf = ({ name, profile_name: own, username, phone, id }: Contact): string =>
  name ?? own ?? username ?? (phone === null ? id : grouped(phone));

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span className={styles["tags"]}>
    {tags.map((tag) => (
      <span key={tag} className={styles["tag"]} dir="auto">
        {tag}
      </span>
    ))}
  </span>
);
