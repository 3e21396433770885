import { useBlocker } from "@tanstack/react-router";
import type { SubmitEvent } from "react";
import { text } from "../text/text.ts";
import controls from "./controls.module.css";
import { type Filter, FilterInput, filterIn } from "./FilterInput.tsx";
import styles from "./filter-bar.module.css";
import { Sheet } from "./Sheet.tsx";

/** All filters of a list at once, where there is no room for them beside each other. They hold once they are to be shown. */
export function FilterSheet({
  filters,
  values,
  onShow,
  onClear,
  onClose,
}: {
  filters: readonly Filter[];
  values: Readonly<Record<string, string | undefined>>;
  /** Called with every filter; undefined for one that was taken away. */
  onShow(given: Readonly<Record<string, string | undefined>>): void;
  onClear(): void;
  onClose(): void;
}) {
  // As on a phone: back leads to the list beneath, and not to the page before it.
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action === "BACK") onClose();
      return action === "BACK";
    },
    enableBeforeUnload: false,
  });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    onShow(Object.fromEntries(filters.map((filter) => [filter.name, filterIn(form, filter, values[filter.name])])));
  };
  return (
    <Sheet title={text.filter.label} onClose={onClose}>
      <form className={styles["sheet"]} aria-label={text.filter.label} onSubmit={submit}>
        {filters.map((filter) => (
          <label key={filter.name} className={styles["field"]}>
            {filter.label}
            <FilterInput filter={filter} value={values[filter.name] ?? ""} />
          </label>
        ))}
        <div className={styles["ends"]}>
          <button type="button" className={controls["button"]} onClick={onClear}>
            {text.filter.clear}
          </button>
          <button type="submit" className={controls["primary"]}>
            {text.filter.show}
          </button>
        </div>
      </form>
    </Sheet>
  );
}
