import type { Contact } from "@waypost/sdk";
import { CopyId } from "../../parts/Copy.tsx";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { grouped } from "../../parts/phone-number.ts";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";

const names = text.contact.names;

/** What is known of a person. */
export function ContactFacts({ contact }: { contact: Contact }) {
  return (
    <Facts>
      <Fact name={names.phone}>{contact.phone && <span dir="ltr">{grouped(contact.phone)}</span>}</Fact>
      <Fact name={names.name}>{contact.name && <span dir="auto">{contact.name}</span>}</Fact>
      <Fact name={names.profileName}>{contact.profile_name && <span dir="auto">{contact.profile_name}</span>}</Fact>
      <Fact name={names.username}>{contact.username && <bdi>{contact.username}</bdi>}</Fact>
      <Fact name={names.email}>{contact.email && <bdi>{contact.email}</bdi>}</Fact>
      <Fact name={names.locale}>{contact.locale}</Fact>
      {Object.entries(contact.attributes).map(([name, value]) => (
        <Fact key={name} name={name}>
          <span dir="auto">{String(value)}</span>
        </Fact>
      ))}
      <Fact name={names.waId}>{contact.wa_id && <CopyId id={contact.wa_id} />}</Fact>
      <Fact name={names.userId}>{contact.user_id && <CopyId id={contact.user_id} />}</Fact>
      <Fact name={names.id}>
        <CopyId id={contact.id} />
      </Fact>
      <Fact name={names.last}>{contact.last_inbound_at && <Time at={contact.last_inbound_at} />}</Fact>
      <Fact name={names.created}>
        <Time at={contact.created_at} />
      </Fact>
    </Facts>
  );
}
