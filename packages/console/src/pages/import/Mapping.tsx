import controls from "../../parts/controls.module.css";
import { text } from "../../text/text.ts";
import { attributeOf, FIELDS } from "./columns.ts";
import type { CsvHead } from "./csv-head.ts";
import styles from "./import.module.css";

const words = text.imports;
const SHOWN_ROWS = 3;

type MappingProps = {
  head: CsvHead;
  /** What each column is, by its place; empty for one that is ignored. */
  chosen: readonly string[];
  onChoose(index: number, field: string): void;
};

/** What each column of the file is, with its first cells. */
export function Mapping({ head: { columns, rows }, chosen, onChoose }: MappingProps) {
  return (
    <div className={`${styles["mapping"]} ${styles["narrow"]}`} role="group" aria-label={words.mapping}>
      <p className={styles["title"]}>{words.mapping}</p>
      <ul>
        {columns.map(({ name, index }) => (
          <li key={index}>
            <label>
              <span dir="auto">{name === "" ? words.unnamed(index + 1) : name}</span>
              <select
                name={`column.${index}`}
                className={controls["input"]}
                value={chosen[index] ?? ""}
                onChange={({ currentTarget }) => onChoose(index, currentTarget.value)}
              >
                <option value="">{words.ignore}</option>
                {FIELDS.map((field) => (
                  <option key={field} value={field}>
                    {words.fields[field]}
                  </option>
                ))}
                {name !== "" && <Attribute name={name} />}
              </select>
            </label>
            <span className="muted" dir="auto">
              {rows
                .slice(0, SHOWN_ROWS)
                .map(({ cells }) => cells[index] ?? "")
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A column that is a fact of your own keeps its name. */
function Attribute({ name }: { name: string }) {
  const field = name === "attributes" || name.startsWith("attributes.") ? name : attributeOf(name);
  return <option value={field}>{words.attribute(field)}</option>;
}
