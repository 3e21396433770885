import { useState } from "react";
import { text } from "../text/text.ts";
import { CopyButton } from "./Copy.tsx";
import { withoutCodes } from "./codes.ts";
import controls from "./controls.module.css";
import styles from "./json.module.css";
import { type Found, foundIn } from "./json-find.ts";

/** Objects and lists within each other that are open at first. */
const OPEN_DEPTH = 2;
/** Longer lists are folded, whatever their depth. */
const LONG = 50;
/** Lines up to which all is seen at once, and nothing need be looked for. */
const SHORT_LINES = 12;
const MOST_FOUND = 20;

/**
 * A value as JSON: objects and lists fold, the whole can be copied, and of what is found in it the path and the value. Texts stay texts, but
 * codes that sign people in are dots. `openDepth`: how many within each other are open at first.
 */
export function JsonView({
  value: given,
  label,
  openDepth = OPEN_DEPTH,
}: {
  value: unknown;
  label: string;
  openDepth?: number;
}) {
  const [sought, setSought] = useState("");
  const value = withoutCodes(given);
  const written = plainOf(value);
  const isLong = written.split("\n", SHORT_LINES + 1).length > SHORT_LINES;
  return (
    <div className={styles["json"]} role="region" aria-label={label} tabIndex={0}>
      <div className={styles["tools"]} data-long={isLong}>
        {isLong && (
          <input
            type="search"
            dir="auto"
            autoComplete="off"
            spellCheck={false}
            className={controls["input"]}
            aria-label={text.json.find}
            placeholder={text.json.find}
            value={sought}
            onChange={({ currentTarget }) => setSought(currentTarget.value)}
          />
        )}
        <CopyButton value={written} label={text.copy.plain} />
      </div>
      {isLong && sought !== "" && <AllFound found={foundIn(value, sought, MOST_FOUND)} />}
      <Node value={value} left={openDepth} />
    </div>
  );
}

const plainOf = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";

/** A line for each: its path and its value, which a click copies. */
function AllFound({ found }: { found: readonly Found[] }) {
  if (found.length === 0) return <p role="status">{text.json.none}</p>;
  return (
    <ul className={styles["found"]}>
      {found.map(({ path, value }) => (
        <li key={path}>
          <CopyButton value={path} label={text.copy.plain}>
            <span className={styles["key"]}>{path}</span>
          </CopyButton>
          <CopyButton value={typeof value === "string" ? value : plainOf(value)} label={text.copy.plain}>
            <span className={styles["part"]}>{JSON.stringify(value)}</span>
          </CopyButton>
        </li>
      ))}
    </ul>
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
