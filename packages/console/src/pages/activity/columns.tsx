import type { AuditActivity } from "@waypost/sdk";
import { Coded } from "../../parts/Coded.tsx";
import { CopyId } from "../../parts/Copy.tsx";
import type { Column } from "../../parts/DataTable.tsx";
import { StateSign } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";
import { actionName } from "./action-name.ts";
import styles from "./activity.module.css";

const words = text.activity;

/** Who made a call: the key's name, or what kind of caller it was. */
export const actorOf = ({ actor: { type, name } }: AuditActivity): string => name ?? words.actors[type] ?? type;

const isRefused = ({ response: { status } }: AuditActivity): boolean => status !== null && status >= 400;

export const COLUMNS: readonly Column<AuditActivity>[] = [
  { key: "at", head: words.columns.at, narrow: "second-end", cell: ({ at }) => <Time at={at} /> },
  {
    key: "action",
    head: words.columns.action,
    narrow: "lead",
    isLink: true,
    isWide: true,
    cell: ({ action }) => <Coded name={actionName(action)} code={action} />,
  },
  { key: "actor", head: words.columns.actor, narrow: "second", cell: (row) => <bdi>{actorOf(row)}</bdi> },
  {
    key: "resource",
    head: words.columns.resource,
    cell: ({ resource: { id } }) => (id === null ? "" : <CopyId id={id} />),
  },
  {
    key: "status",
    head: words.columns.status,
    narrow: "end",
    isFigure: true,
    cell: (row) => (
      <span className={styles["answer"]} data-refused={isRefused(row)}>
        {isRefused(row) && <StateSign state="failed" />}
        {row.response.status}
      </span>
    ),
  },
];
