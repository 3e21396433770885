import type { ChangeEvent } from "react";
import controls from "./controls.module.css";
import { fieldOf, localInput } from "./form-field.ts";

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
  const bound = { name: filter.name, dir: "auto", className: controls["input"], autoFocus };
  if (filter.kind !== "choice")
    return (
      <input
        {...bound}
        type={filter.kind === "time" ? "datetime-local" : "text"}
        autoComplete="off"
        defaultValue={filter.kind === "time" && value !== "" ? localInput(value) : value}
      />
    );
  return (
    <select {...bound} defaultValue={value} onChange={onChange}>
      <option value="" />
      {filter.values.map((one) => (
        <option key={one} value={one}>
          {filter.labelOf(one)}
        </option>
      ))}
    </select>
  );
}

/** What a form has in the element of the filter, as the address and the API take it. */
export function filterIn(form: HTMLFormElement, { name, kind }: Filter): string | undefined {
  const given = fieldOf(form, name);
  if (given === "") return undefined;
  return kind === "time" ? new Date(given).toISOString() : given;
}
