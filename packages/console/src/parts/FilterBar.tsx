import { Menu } from "@base-ui/react/menu";
import { Plus, Search, X } from "lucide-react";
import { type RefObject, type SubmitEvent, useRef, useState } from "react";
import { text } from "../text/text.ts";
import controls from "./controls.module.css";
import styles from "./filter-bar.module.css";
import { fieldOf, localInput } from "./form-field.ts";

/** A filter of a list, by its name in the address and in the API. */
export type Filter = { name: string; label: string } & (
  | { kind: "choice"; values: readonly string[]; labelOf(value: string): string }
  | { kind: "text" }
  | { kind: "time" }
);

export type FilterBarProps = {
  filters: readonly Filter[];
  /** What the address has of them. */
  values: Readonly<Record<string, string | undefined>>;
  /** Sets a filter, or takes it away. */
  onChange(name: string, value: string | undefined): void;
  onClear(): void;
  /** The box that understands ids and numbers; returns what to say of a text that it does not. */
  find: { label: string; onFind(given: string): string | null };
};

/** Filters of a list: those that hold as chips, a menu of the others, and a box that leads to an id. All of them are in the address. */
export function FilterBar({ filters, values, onChange, onClear, find }: FilterBarProps) {
  const [editing, setEditing] = useState<string | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const held = filters.filter(({ name }) => values[name] !== undefined);
  const others = filters.filter(({ name }) => values[name] === undefined);
  const edited = filters.find(({ name }) => name === editing);
  const apply = (name: string, value: string | undefined): void => {
    setEditing(null);
    onChange(name, value);
  };
  return (
    <div ref={bar} className={styles["bar"]} role="group" aria-label={text.filter.label}>
      <FindBox {...find} />
      {held.map((filter) => (
        <span key={filter.name} className={styles["chip"]}>
          <button type="button" className={styles["value"]} onClick={() => setEditing(filter.name)}>
            <span className="muted">{filter.label}</span> <bdi>{labelOf(filter, values[filter.name] ?? "")}</bdi>
          </button>
          <button
            type="button"
            className={styles["remove"]}
            aria-label={text.filter.remove(filter.label)}
            onClick={() => apply(filter.name, undefined)}
          >
            <X size={14} aria-hidden />
          </button>
        </span>
      ))}
      {edited !== undefined ? (
        <Editor
          key={edited.name}
          filter={edited}
          value={values[edited.name] ?? ""}
          onApply={(value) => apply(edited.name, value)}
          onLeave={() => setEditing(null)}
        />
      ) : (
        <OthersMenu filters={others} onChoose={setEditing} container={bar} />
      )}
      {held.length > 1 && (
        <button type="button" className={controls["quiet"]} onClick={onClear}>
          {text.filter.clear}
        </button>
      )}
    </div>
  );
}

function labelOf(filter: Filter, value: string): string {
  if (filter.kind === "choice") return filter.labelOf(value);
  return filter.kind === "time" ? value.replace(/:\d\d(?:\.\d+)?Z$/, "Z").replace("T", " ") : value;
}

/** `container`: where the menu is put, so that it is within a landmark of the page. */
function OthersMenu({
  filters,
  onChoose,
  container,
}: {
  filters: readonly Filter[];
  onChoose(name: string): void;
  container: RefObject<HTMLElement | null>;
}) {
  if (filters.length === 0) return null;
  return (
    <Menu.Root>
      <Menu.Trigger className={controls["button"]}>
        <Plus size={14} aria-hidden />
        {text.filter.add}
      </Menu.Trigger>
      <Menu.Portal container={container}>
        <Menu.Positioner className={styles["positioner"]} sideOffset={4} align="start">
          <Menu.Popup className={styles["menu"]}>
            {filters.map(({ name, label }) => (
              <Menu.Item key={name} className={styles["item"]} onClick={() => onChoose(name)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Editor({
  filter,
  value,
  onApply,
  onLeave,
}: {
  filter: Filter;
  value: string;
  onApply(value: string | undefined): void;
  onLeave(): void;
}) {
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = fieldOf(event.currentTarget, "value");
    if (given === "") return onApply(undefined);
    onApply(filter.kind === "time" ? new Date(given).toISOString() : given);
  };
  return (
    <form className={styles["editor"]} onSubmit={submit} onKeyDown={(event) => event.key === "Escape" && onLeave()}>
      <label>
        <span className="muted">{filter.label}</span>{" "}
        {filter.kind === "choice" ? (
          <select
            name="value"
            dir="auto"
            className={controls["input"]}
            defaultValue={value}
            autoFocus
            onChange={(event) => onApply(event.currentTarget.value || undefined)}
          >
            <option value="" />
            {filter.values.map((one) => (
              <option key={one} value={one}>
                {filter.labelOf(one)}
              </option>
            ))}
          </select>
        ) : (
          <input
            name="value"
            dir="auto"
            className={controls["input"]}
            type={filter.kind === "time" ? "datetime-local" : "text"}
            defaultValue={filter.kind === "time" && value !== "" ? localInput(value) : value}
            autoFocus
          />
        )}
      </label>
      {filter.kind !== "choice" && (
        <button type="submit" className={controls["button"]}>
          {text.filter.apply}
        </button>
      )}
    </form>
  );
}

function FindBox({ label, onFind }: FilterBarProps["find"]) {
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = fieldOf(form, "find");
    if (given === "") return;
    const refusal = onFind(given);
    setFault(refusal);
    if (refusal === null) form.reset();
  };
  return (
    <form role="search" className={styles["find"]} onSubmit={submit}>
      <Search size={16} aria-hidden />
      <input
        name="find"
        type="search"
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        className={controls["input"]}
        aria-label={label}
        placeholder={label}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : "find-fault"}
        onChange={() => setFault(null)}
      />
      {fault !== null && (
        <span id="find-fault" role="alert" className={styles["fault"]}>
          {fault}
        </span>
      )}
    </form>
  );
}
