import { Plus, Search, SlidersHorizontal, X } from "lucide-react";
import { lazy, type SubmitEvent, Suspense, useState } from "react";
import { text } from "../text/text.ts";
import { ButtonMenu } from "./ButtonMenu.tsx";
import controls from "./controls.module.css";
import { type Filter, FilterInput, filterIn } from "./FilterInput.tsx";
import styles from "./filter-bar.module.css";
import { fieldOf } from "./form-field.ts";
import { PHONE, useMedia } from "./use-media.ts";

export type { Filter } from "./FilterInput.tsx";

const FilterSheet = lazy(async () => ({ default: (await import("./FilterSheet.tsx")).FilterSheet }));

export type FilterBarProps = {
  filters: readonly Filter[];
  /** What the address has of them. */
  values: Readonly<Record<string, string | undefined>>;
  /** Sets filters, by their names, and takes those away that are undefined. */
  onChange(changed: Readonly<Record<string, string | undefined>>): void;
  onClear(): void;
  /** The box that understands ids and numbers; returns what to say of a text that it does not. */
  find: { label: string; onFind(given: string): string | null };
};

/** Filters of a list, and a box that leads to an id. All of them are in the address. */
export function FilterBar({ find, ...filters }: FilterBarProps) {
  const isPhone = useMedia(PHONE);
  return (
    <div className={styles["bar"]} role="group" aria-label={text.filter.label}>
      <FindBox {...find} />
      {isPhone ? <InSheet {...filters} /> : <InLine {...filters} />}
    </div>
  );
}

type FiltersProps = Omit<FilterBarProps, "find">;

/** A button that says how many hold, and opens all of them. */
function InSheet({ filters, values, onChange, onClear }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const held = filters.filter(({ name }) => values[name] !== undefined).length;
  const closing =
    <Given extends unknown[]>(act: (...given: Given) => void) =>
    (...given: Given): void => {
      setOpen(false);
      act(...given);
    };
  return (
    <>
      <button type="button" className={controls["button"]} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <SlidersHorizontal size={16} aria-hidden />
        {held === 0 ? text.filter.label : text.filter.count(held)}
      </button>
      {isOpen && (
        <Suspense>
          <FilterSheet
            filters={filters}
            values={values}
            onShow={closing(onChange)}
            onClear={closing(onClear)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Those that hold as chips, and a menu of the others. */
function InLine({ filters, values, onChange, onClear }: FiltersProps) {
  const [editing, setEditing] = useState<string | null>(null);
  const held = filters.filter(({ name }) => values[name] !== undefined);
  const others = filters.filter(({ name }) => values[name] === undefined);
  const edited = filters.find(({ name }) => name === editing);
  const apply = (name: string, value: string | undefined): void => {
    setEditing(null);
    onChange({ [name]: value });
  };
  return (
    <>
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
        others.length > 0 && (
          <ButtonMenu items={others.map(({ name, label }) => ({ key: name, label, onChoose: () => setEditing(name) }))}>
            <Plus size={14} aria-hidden />
            {text.filter.add}
          </ButtonMenu>
        )
      )}
      {held.length > 1 && (
        <button type="button" className={controls["quiet"]} onClick={onClear}>
          {text.filter.clear}
        </button>
      )}
    </>
  );
}

function labelOf(filter: Filter, value: string): string {
  if (filter.kind === "choice") return filter.labelOf(value);
  return filter.kind === "time" ? value.replace(/:\d\d(?:\.\d+)?Z$/, "Z").replace("T", " ") : value;
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
    onApply(filterIn(event.currentTarget, filter, value || undefined));
  };
  return (
    <form className={styles["editor"]} onSubmit={submit} onKeyDown={(event) => event.key === "Escape" && onLeave()}>
      <label>
        <span className="muted">{filter.label}</span>{" "}
        <FilterInput
          filter={filter}
          value={value}
          autoFocus
          onChange={(event) => onApply(event.currentTarget.value || undefined)}
        />
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
