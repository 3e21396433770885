import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { text } from "../text/text.ts";
import controls from "./controls.module.css";
import styles from "./data-table.module.css";

/** A column of a table. `narrow`: where it stands in the two lines of a row on a phone; without it it is not shown there. */
export type Column<Row> = {
  key: string;
  head: string;
  cell(row: Row): ReactNode;
  narrow?: "lead" | "end" | "second" | "second-end";
  /** Figures: on the end side. */
  isFigure?: boolean;
  /** The column that takes what is left of the width. */
  isWide?: boolean;
  /** The one whose text is the row's link. */
  isLink?: boolean;
};

export type DataTableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** Where a row leads; each row is a real link, which opens in a new tab as any. */
  linkOf?(row: Row): LinkProps;
  /** True: these are rows of before, while others come. */
  isStale?: boolean;
  /** The row whose detail is open beside the list. */
  openKey?: string | null;
};

/** A list of the API, in the order and of the size in which it answers: nothing is sorted, filtered or counted here. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  linkOf,
  isStale = false,
  openKey = null,
}: DataTableProps<Row>) {
  return (
    <div className={styles["frame"]} data-stale={isStale}>
      {/* The roles stand for themselves: a phone lays the rows out as blocks, and browsers drop the roles of what is no table. */}
      <table role="table" aria-label={label} aria-busy={isStale} className={styles["table"]}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ key, head, isFigure, isWide }) => (
              <th key={key} role="columnheader" scope="col" data-figure={isFigure} data-wide={isWide}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr
              role="row"
              key={keyOf(row)}
              data-key={keyOf(row)}
              data-open={keyOf(row) === openKey}
              className={linkOf && styles["linked"]}
            >
              {columns.map(({ key, cell, narrow, isFigure, isLink }) => (
                <td key={key} role="cell" data-narrow={narrow ?? "none"} data-figure={isFigure}>
                  {isLink && linkOf ? (
                    <Link
                      {...linkOf(row)}
                      className={styles["link"]}
                      aria-current={keyOf(row) === openKey ? "true" : undefined}
                    >
                      {cell(row)}
                    </Link>
                  ) : (
                    cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Links to the older page of a list and back to the newest. Null: there is none, and it says so by being disabled. */
export function Pages({ older, newest }: { older: LinkProps | null; newest: LinkProps | null }) {
  if (older === null && newest === null) return null;
  const link = (to: LinkProps | null, label: string): ReactNode =>
    to === null ? (
      <button type="button" className={controls["button"]} disabled>
        {label}
      </button>
    ) : (
      <Link {...to} className={controls["button"]}>
        {label}
      </Link>
    );
  return (
    <nav aria-label={text.table.pages} className={styles["pages"]}>
      {link(newest, text.table.newest)}
      {link(older, text.table.older)}
    </nav>
  );
}
