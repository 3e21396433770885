import { Check, Copy as CopySign } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { text } from "../text/text.ts";
import styles from "./copy.module.css";
import { copyText, shortId } from "./copy-text.ts";

const SHOWN_MS = 1_600;

/** Copies `value`, and says so in place and to readers of screens. Null: there is nothing to copy yet. */
export function CopyButton({
  value,
  label,
  children,
  className,
}: {
  value: string | (() => string) | null;
  label: string;
  children?: ReactNode;
  className?: string;
}) {
  const [result, setResult] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async (): Promise<void> => {
    if (value === null) return;
    try {
      setResult((await copyText(typeof value === "string" ? value : value())) ? "copied" : "failed");
    } catch {
      setResult("failed"); // what is to be copied cannot be made
    }
  };
  const said = result === null ? "" : text.copy[result];
  return (
    <button
      type="button"
      className={className ?? styles["copy"]}
      title={label}
      disabled={value === null}
      onClick={() => void copy()}
    >
      {children}
      {result === "copied" ? <Check size={14} aria-hidden /> : <CopySign size={14} aria-hidden />}
      <span className="visually-hidden">{label}</span>
      <span role="status" className={said === "" ? "visually-hidden" : styles["said"]}>
        {said}
      </span>
    </button>
  );
}

/** An id, shortened; a click copies the whole. */
export function CopyId({ id }: { id: string }) {
  return (
    <CopyButton value={id} label={text.copy.copy(id)}>
      <span className="mono" aria-hidden>
        {shortId(id)}
      </span>
    </CopyButton>
  );
}
