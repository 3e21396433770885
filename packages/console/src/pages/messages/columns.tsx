import type { ListedMessage } from "@waypost/sdk";
import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import type { Column } from "../../parts/DataTable.tsx";
import { textOf } from "../../parts/phone/bubble-shape.ts";
import { grouped } from "../../parts/phone-number.ts";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";
import styles from "./messages.module.css";

export const COLUMNS: readonly Column<ListedMessage>[] = [
  {
    key: "status",
    head: text.messages.columns.status,
    narrow: "end",
    cell: ({ status, error }) => (
      <span className={styles["status"]}>
        <Status state={status} />
        {error !== null && <code className={styles["code"]}>{error.code}</code>}
      </span>
    ),
  },
  {
    key: "person",
    head: text.messages.columns.person,
    narrow: "lead",
    isLink: true,
    cell: (row) => <Person message={row} />,
  },
  {
    key: "what",
    head: text.messages.columns.what,
    narrow: "second",
    isWide: true,
    cell: (row) => <What message={row} />,
  },
  { key: "reference", head: text.messages.columns.reference, cell: ({ reference }) => reference ?? "" },
  {
    key: "time",
    head: text.messages.columns.time,
    narrow: "second-end",
    isFigure: true,
    cell: ({ created_at: created }) => <Time at={created} />,
  },
];

function Person({ message: { direction, to, from } }: { message: ListedMessage }) {
  const isOut = direction === "outbound";
  const Arrow = isOut ? ArrowUpRight : ArrowDownLeft;
  const number = isOut ? to : from;
  return (
    <span className={styles["person"]}>
      <Arrow className="mirrored" size={14} aria-hidden />
      <span className="visually-hidden">{isOut ? text.messages.outbound : text.messages.inbound}</span>
      <span dir="ltr">{number === null ? text.messages.noNumber : grouped(number)}</span>
    </span>
  );
}

/** What the person sees, after the name of the template that it was made of. */
function What({ message: { type, template, preview } }: { message: ListedMessage }) {
  const name = template ? textOf(template["name"]) : null;
  return (
    <span className={styles["what"]}>
      {name !== null && <span className={styles["template"]}>{name} </span>}
      <span dir="auto">{preview ?? (name === null ? type : "")}</span>
    </span>
  );
}
