import type { ChangeEvent } from "react";
import { zone } from "../preferences.ts";
import { useStore } from "../store.ts";
import controls from "./controls.module.css";
import { fieldOf, timeGiven, timeInput } from "./form-field.ts";
import type { Zone } from "./time-format.ts";

/** A filter of a list, by its name in the address and in the API. */
export type Filter = { name: string; label: string } & (
  | { kind: "choice"; values: readonly string[]; labelOf(value: string): string }
  | { kind: "text" }
  | { kind: "time" }
);

/** The element in which a filter is given; `onChange` is called with what is chosen, where it is a choice. */
export function FilterInput({
  filter,
  value,
  autoFocus = false,
  onChange,
}: {
  filter: Filter;
  value: string;
  autoFocus?: boolean;
  onChange?(event: ChangeEvent<HTMLSelectElement>): void;
}) {
  const shown = useStore(zone);
  const bound = { name: filter.name, dir: "auto", className: controls["input"], autoFocus };
  if (filter.kind !== "choice")
    return (
      <input
        key={shown}
        {...bound}
        type={filter.kind === "time" ? "datetime-local" : "text"}
        autoComplete="off"
        defaultValue={inputOf(filter, value, shown)}
      />
    );
  // What holds stands there also while the others are not read, or where it is none of them.
  const values = value === "" || filter.values.includes(value) ? filter.values : [value, ...filter.values];
  return (
    <select {...bound} defaultValue={value} onChange={onChange}>
      <option value="" />
      {values.map((one) => (
        <option key={one} value={one}>
          {filter.labelOf(one)}
        </option>
      ))}
    </select>
  );
}

/** What the element of a filter has of its value. */
const inputOf = ({ kind }: Filter, value: string, shown: Zone): string =>
  kind === "time" && value !== "" ? timeInput(value, shown) : value;

/**
 * What a form has in the element of the filter, as the address and the API take it. `held`: the value that it began with, which stays as it
 * was, to the last digit, where the element was not changed.
 */
export function filterIn(form: HTMLFormElement, filter: Filter, held: string | undefined): string | undefined {
  const given = fieldOf(form, filter.name);
  if (given === "") return undefined;
  const shown = zone.get();
  if (held !== undefined && given === inputOf(filter, held, shown)) return held;
  return filter.kind === "time" ? timeGiven(given, shown) : given;
}
