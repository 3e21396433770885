import { type Column, DataTable } from "../../parts/DataTable.tsx";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { listOf } from "../../parts/list-of.ts";
import { StateSign } from "../../parts/Status.tsx";
import { text } from "../../text/text.ts";
import { type ColumnsFault, columnsFaultOf, type Target, targetOf } from "./columns.ts";
import type { CsvColumn, CsvHead, CsvRow } from "./csv-head.ts";
import { faultText } from "./fault-text.ts";
import styles from "./import.module.css";
import { faultsOfRow, type RowFault } from "./row-faults.ts";

const words = text.importPreview;
const { fields } = text.imports;

type Seen = CsvRow & { faults: readonly RowFault[] };
/** A column that is taken, and what it becomes. */
type Taken = CsvColumn & { target: NonNullable<Target> };

type PreviewProps = {
  head: CsvHead;
  /** What each column is, by its place. */
  chosen: readonly string[];
  /** The file has no rows beside these. */
  isAll: boolean;
};

/** The first rows as they would be imported, with what is wrong beside them, and what sending the file does. */
export function Preview({ head: { columns, rows }, chosen, isAll }: PreviewProps) {
  const targets = columns.map(({ index }) => targetOf(chosen[index] ?? ""));
  const taken = columns.flatMap((column): Taken[] => {
    const target = targets[column.index] ?? null;
    return target === null ? [] : [{ ...column, target }];
  });
  const fault = columnsFaultOf(columns, targets);
  // Of a file that is refused whole no row is read.
  const seen = rows.map((row): Seen => ({ ...row, faults: fault === null ? faultsOfRow(row.cells, targets) : [] }));
  const left = columns.filter(({ index }) => targets[index] === null);
  const faulty = seen.filter(({ faults }) => faults.length > 0).length;
  return (
    <>
      {rows.length > 0 && (
        <section aria-labelledby="rows-title" className={styles["preview"]}>
          <h2 id="rows-title">{words.rows}</h2>
          <p className="muted">{words.rowsHelp}</p>
          <DataTable
            label={words.rows}
            columns={tableOf(columns, taken, fault === null)}
            rows={seen}
            keyOf={({ line }) => String(line)}
          />
        </section>
      )}
      <section aria-labelledby="summary-title" className={`${styles["preview"]} ${styles["narrow"]}`}>
        <h2 id="summary-title">{words.summary}</h2>
        {fault !== null && <FileFault>{fileFaultText(fault)}</FileFault>}
        <Facts>
          {fault === null && <Fact name={words.facts.seen}>{words.seen(rows.length, isAll)}</Fact>}
          {fault === null && <Fact name={words.facts.faulty}>{words.faulty(faulty)}</Fact>}
          <Fact name={words.facts.taken}>
            {listOf(taken.map((one) => words.column(nameOf(one), labelOf(one.target)))) || words.noColumn}
          </Fact>
          <Fact name={words.facts.left}>{listOf(left.map(nameOf)) || words.noColumn}</Fact>
          {fault === null && (
            <Fact name={words.facts.consent}>
              {taken.some(({ target }) => target.field === "marketing_consent") ? words.consent : words.noConsent}
            </Fact>
          )}
        </Facts>
      </section>
    </>
  );
}

/** Why the file would be refused whole. */
export const FileFault = ({ children }: { children: string }) => (
  <p role="alert" className={styles["fault"]}>
    <StateSign state="failed" /> {children}
  </p>
);

const fileFaultText = (fault: ColumnsFault): string =>
  fault.kind === "noPhone" ? words.noPhone : words.twice(...fault.names);

const nameOf = ({ name, index }: CsvColumn): string => (name === "" ? text.imports.unnamed(index + 1) : name);

const labelOf = (target: NonNullable<Target>): string => {
  if (target.field === "attribute") return target.name;
  return target.field === "attributes" ? text.contact.attributes : fields[target.field];
};

/** A phone shows the number, the line and what is wrong. `isRead`: the file is not refused whole. */
function tableOf(columns: readonly CsvColumn[], taken: readonly Taken[], isRead: boolean): readonly Column<Seen>[] {
  const lead = taken.find(({ target }) => target.field === "phone") ?? taken[0];
  return [
    { key: "line", head: words.line, narrow: "end", cell: ({ line }) => text.imports.errors.lineOf(line) },
    ...(isRead ? [faultColumnOf(columns)] : []),
    ...taken.map((one): Column<Seen> => {
      const { index, target } = one;
      return {
        key: String(index),
        head: labelOf(target),
        ...(one === lead ? { narrow: "lead" } : {}),
        isWide: one === taken.at(-1),
        cell: ({ cells, faults }) => (
          <span dir="auto" data-fault={faults.some(({ column }) => column === index)} className={styles["cell"]}>
            {cells[index]}
          </span>
        ),
      };
    }),
  ];
}

const faultColumnOf = (columns: readonly CsvColumn[]): Column<Seen> => ({
  key: "faults",
  head: words.fault,
  narrow: "second",
  cell: ({ faults }) => faults.length > 0 && <RowFaults faults={faults} columns={columns} />,
});

const RowFaults = ({ faults, columns }: { faults: readonly RowFault[]; columns: readonly CsvColumn[] }) => (
  <ul className={styles["faults"]}>
    {faults.map((fault) => {
      const column = fault.column === null ? undefined : columns[fault.column];
      return (
        <li key={`${fault.kind} ${fault.column}`}>
          <StateSign state="failed" />
          <span>{column === undefined ? faultText(fault) : words.ofColumn(nameOf(column), faultText(fault))}</span>
        </li>
      );
    })}
  </ul>
);
