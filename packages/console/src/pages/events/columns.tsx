import type { Event } from "@waypost/sdk";
import type { Column } from "../../parts/DataTable.tsx";
import { EventKind } from "../../parts/EventKind.tsx";
import { StateSign } from "../../parts/Status.tsx";
import { hasSign } from "../../parts/sign-of.ts";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";
import { aboutOf } from "./about.ts";
import styles from "./events.module.css";

const names = text.events.columns;

export const COLUMNS: readonly Column<Event>[] = [
  { key: "kind", head: names.kind, narrow: "lead", isLink: true, cell: ({ kind }) => <Kind kind={kind} /> },
  {
    key: "about",
    head: names.about,
    narrow: "second",
    isWide: true,
    cell: (event) => <span dir="auto">{aboutOf(event)}</span>,
  },
  {
    key: "time",
    head: names.time,
    narrow: "end",
    isFigure: true,
    cell: ({ created_at: at }) => <Time at={at} exact />,
  },
];

/** `messages` is what the API calls one that came in. */
function Kind({ kind }: { kind: string }) {
  const state = kind === "messages" ? "received" : kind;
  return (
    <span className={styles["kind"]}>
      {hasSign(state) ? <StateSign state={state} /> : <i />}
      <EventKind kind={kind} />
    </span>
  );
}
