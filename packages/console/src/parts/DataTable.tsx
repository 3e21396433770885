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
  /** Where rows are chosen, for what is done to many. */
  choosing?: Choosing<Row>;
};

/** `chosen`: the keys of rows, as `keyOf` has them. */
export type Choosing<Row> = {
  head: string;
  labelOf(row: Row): string;
  chosen: ReadonlySet<string>;
  onChoose(chosen: ReadonlySet<string>): void;
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
  choosing,
}: DataTableProps<Row>) {
  return (
    <div className={styles["frame"]} data-stale={isStale}>
      {/* The roles stand for themselves: a phone lays the rows out as blocks, and browsers drop the roles of what is no table. */}
      <table
        role="table"
        aria-label={label}
        aria-busy={isStale}
        className={styles["table"]}
        data-choosing={choosing !== undefined}
      >
        <thead role="rowgroup">
          <tr role="row">
            {choosing && (
              <th role="columnheader" scope="col">
                <span className="visually-hidden">{choosing.head}</span>
              </th>
            )}
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
              {choosing && <ChooseCell row={row} rowKey={keyOf(row)} {...choosing} />}
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

function ChooseCell<Row>({ row, rowKey, labelOf, chosen, onChoose }: Choosing<Row> & { row: Row; rowKey: string }) {
  const toggle = (): void => {
    const next = new Set(chosen);
    if (!next.delete(rowKey)) next.add(rowKey);
    onChoose(next);
  };
  return (
    <td role="cell" data-narrow="choose">
      <label className={styles["choose"]}>
        <input type="checkbox" aria-label={labelOf(row)} checked={chosen.has(rowKey)} onChange={toggle} />
      </label>
    </td>
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
