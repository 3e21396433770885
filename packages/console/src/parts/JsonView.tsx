import { useState } from "react";
import { text } from "../text/text.ts";
import { CopyButton } from "./Copy.tsx";
import { withoutCodes } from "./codes.ts";
import styles from "./json.module.css";

/** Objects and lists within each other that are open at first. */
const OPEN_DEPTH = 2;
/** Longer lists are folded, whatever their depth. */
const LONG = 50;

/** A value as JSON: objects and lists fold, each value and the whole can be copied. Texts stay texts, but codes that sign people in are dots.
 * `openDepth`: how many within each other are open at first. */
export function JsonView({
  value: given,
  label,
  openDepth = OPEN_DEPTH,
}: {
  value: unknown;
  label: string;
  openDepth?: number;
}) {
  const value = withoutCodes(given);
  return (
    <div className={styles["json"]} role="region" aria-label={label} tabIndex={0}>
      <div className={styles["tools"]}>
        <CopyButton value={JSON.stringify(value, null, 2)} label={text.copy.plain} />
      </div>
      <Node value={value} left={openDepth} />
    </div>
  );
}

function Node({
  name,
  value,
  left,
  isLast = true,
}: {
  name?: string;
  value: unknown;
  /** How many levels are open at first, with this one. */
  left: number;
  isLast?: boolean;
}) {
  const isList = Array.isArray(value);
  const entries: [string, unknown][] | null =
    typeof value === "object" && value !== null ? Object.entries(value) : null;
  const [isOpen, setOpen] = useState(left > 0 && (entries?.length ?? 0) <= LONG);
  const key = name === undefined ? null : <span className={styles["key"]}>{JSON.stringify(name)}: </span>;
  const comma = isLast ? "" : ",";
  if (entries === null || entries.length === 0)
    return (
      <div className={styles["line"]}>
        {key}
        <Leaf value={value} />
        {comma}
      </div>
    );
  const [first, last] = isList ? "[]" : "{}";
  return (
    <div>
      <div className={styles["line"]}>
        <button type="button" className={styles["fold"]} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span className="visually-hidden">
            {isOpen ? text.json.fold : text.json.unfold} {name}
          </span>
        </button>
        {key}
        {first}
        {!isOpen && `…${last}${comma}`}
      </div>
      {isOpen && (
        <>
          <div className={styles["inside"]}>
            {entries.map(([child, inner], index) => (
              <Node
                key={child}
                {...(isList ? {} : { name: child })}
                value={inner}
                left={left - 1}
                isLast={index === entries.length - 1}
              />
            ))}
          </div>
          <div className={styles["line"]}>
            {last}
            {comma}
          </div>
        </>
      )}
    </div>
  );
}

function Leaf({ value }: { value: unknown }) {
  const kind = value === null ? "null" : typeof value;
  return <span data-kind={kind}>{JSON.stringify(value)}</span>;
}
