import type { ApiKey } from "@waypost/sdk";
import type { Column } from "../../parts/DataTable.tsx";
import { listOf } from "../../parts/list-of.ts";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";
import styles from "./api-keys.module.css";
import { hasEnded, stateOf } from "./state.ts";

const words = text.apiKeys;

/** What a list says of keys, at a time in milliseconds. */
export const keyColumnsAt = (current: number): readonly Column<ApiKey>[] => [
  {
    key: "name",
    head: words.columns.name,
    narrow: "lead",
    isWide: true,
    cell: (row) => (
      <span className={styles["name"]} data-ended={hasEnded(stateOf(row, current).state)}>
        <bdi>{row.name}</bdi>
        <span className="mono">{`wp_live_${row.hint}…`}</span>
      </span>
    ),
  },
  {
    key: "status",
    head: words.columns.status,
    narrow: "end",
    cell: (row) => <Status state={stateOf(row, current).state} />,
  },
  {
    key: "scopes",
    head: words.columns.scopes,
    narrow: "second",
    cell: ({ scopes }) => (
      <span title={listOf(scopes)}>{scopes.includes("*") ? words.all : words.count(scopes.length)}</span>
    ),
  },
  {
    key: "numbers",
    head: words.columns.numbers,
    cell: ({ phone_number_ids: numbers }) => (numbers === null ? words.allNumbers : words.numberCount(numbers.length)),
  },
  {
    key: "used",
    head: words.columns.used,
    isFigure: true,
    cell: ({ last_used_at: at }) => (at === null ? words.never : <Time at={at} />),
  },
  {
    key: "expires",
    head: words.columns.expires,
    isFigure: true,
    cell: (row) => {
      const { ends } = stateOf(row, current);
      return ends === null ? "" : <Time at={ends} />;
    },
  },
];
