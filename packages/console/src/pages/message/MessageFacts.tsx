import { Link } from "@tanstack/react-router";
import type { Message } from "@waypost/sdk";
import { CopyId } from "../../parts/Copy.tsx";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { fieldsOf, textOf } from "../../parts/phone/bubble-shape.ts";
import { grouped } from "../../parts/phone-number.ts";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./message.module.css";

const names = text.message;

/** What there is to know of a message beside its story. */
export function MessageFacts({ message }: { message: Message }) {
  const { to, from, reference } = message;
  const template = message.type === "template" ? textOf(fieldsOf(message["template"])["name"]) : null;
  return (
    <>
      {message.possible_duplicate && <p className={styles["note"]}>{names.duplicate}</p>}
      <Facts>
        <Fact name={names.to}>{to && <Number number={to} />}</Fact>
        <Fact name={names.from}>{from && <Number number={from} />}</Fact>
        <Fact name={names.template}>{template && <Link {...paths.messages({ template })}>{template}</Link>}</Fact>
        <Fact name={names.category}>{message.category}</Fact>
        <Fact name={names.reference}>{reference && <Link {...paths.messages({ reference })}>{reference}</Link>}</Fact>
        <Fact name={names.created}>
          <Time at={message.created_at} />
        </Fact>
        <Fact name={names.sendAt}>{message.send_at && <Time at={message.send_at} />}</Fact>
        <Fact name={names.expires}>{message.expires_at && <Time at={message.expires_at} />}</Fact>
        <Fact name={names.id}>
          <CopyId id={message.id} />
        </Fact>
        <Fact name={names.contact}>
          <Link {...paths.contact(message.contact_id)}>{names.toContact}</Link> <CopyId id={message.contact_id} />
        </Fact>
        <Fact name={names.number}>
          <CopyId id={message.phone_number_id} />
        </Fact>
        <Fact name={names.providerId}>
          {message.provider_message_id && <CopyId id={message.provider_message_id} />}
        </Fact>
      </Facts>
    </>
  );
}

const Number = ({ number }: { number: string }) => <span dir="ltr">{grouped(number)}</span>;
