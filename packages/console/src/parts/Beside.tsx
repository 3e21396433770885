import { type KeyboardEvent, type ReactNode, useSyncExternalStore } from "react";
import { shortcuts } from "../preferences.ts";
import styles from "./beside.module.css";

const WIDE = "(min-width: 1280px)";

/** Whether there is room for a detail beside its list. */
export const useIsWide = (): boolean => useSyncExternalStore(watchWidth, () => matchMedia(WIDE).matches);

function watchWidth(onChange: () => void): () => void {
  const width = matchMedia(WIDE);
  width.addEventListener("change", onChange);
  return () => width.removeEventListener("change", onChange);
}

/** Gives the focus to the link of a row: back to where its detail was opened. */
export const focusRow = (key: string): void =>
  document.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(key)}"] a`)?.focus();

/**
 * A list with the detail of one of its rows beside it. While the focus is in either, `j` and `k` lead to the row below and above, and
 * Escape closes the detail. `keys`: those of the rows that are shown, as DataTable has them.
 */
export function Beside({
  open,
  keys,
  onOpen,
  onClose,
  detail,
  children,
}: {
  open: string | null;
  keys: readonly string[];
  onOpen(key: string): void;
  onClose(): void;
  detail: ReactNode;
  children: ReactNode;
}) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (open === null || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    // What a dialog within the detail is asked comes here too, although it is drawn elsewhere.
    if (!(event.target instanceof HTMLElement) || !event.currentTarget.contains(event.target)) return;
    if (event.target.matches("input, textarea, select, [contenteditable]")) return;
    if (event.key === "Escape") return onClose();
    const step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
    if (step === 0 || shortcuts.get() === "off") return;
    event.preventDefault(); // else the focus moves to another row
    const next = keys[keys.indexOf(open) + step];
    if (next !== undefined) onOpen(next);
  };
  return (
    <div className={styles["frame"]} data-open={open !== null} onKeyDown={onKeyDown}>
      <div className={styles["list"]}>{children}</div>
      {open !== null && <section className={styles["detail"]}>{detail}</section>}
    </div>
  );
}
