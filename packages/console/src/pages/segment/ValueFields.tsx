import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, useId } from "react";
import { tagsQuery } from "../../api/queries/contacts.ts";
import controls from "../../parts/controls.module.css";
import { timeGiven, timeInput } from "../../parts/form-field.ts";
import { zone } from "../../preferences.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { MOST_VALUES, NOTHING, type Scalar } from "./draft.ts";
import { amountOf, durationOf, UNIT_NAMES, type Unit } from "./duration.ts";
import { CONSENTS, type ValueKind } from "./fields.ts";
import { shownValue } from "./labels.ts";
import styles from "./segment.module.css";

const words = text.segment;

/** What an element has of a fault. */
export type Marked = Pick<ComponentProps<"input">, "aria-invalid" | "aria-describedby">;
type ValueProps = { kind: ValueKind; value: Scalar; label: string; onChange(value: Scalar): void; marked: Marked };

/** The field of one value, by what it is. A value that is not touched stays as it was, to the last digit. */
export function ValueField({ kind, value, label, onChange, marked }: ValueProps) {
  const shown = useStore(zone);
  const set = (given: string): void => onChange({ ...value, text: given });
  const common = { ...marked, "aria-label": label, className: controls["input"] };
  switch (kind) {
    case "scalar":
    case "ordered":
      return <ScalarField kind={kind} value={value} label={label} onChange={onChange} marked={marked} />;
    case "boolean":
      return <YesNo {...common} value={value.text} onChange={(event) => set(event.currentTarget.value)} />;
    case "consent":
      return (
        <select {...common} value={value.text} onChange={(event) => set(event.currentTarget.value)}>
          {value.text === "" && <option value="" />}
          {CONSENTS.map((one) => (
            <option key={one} value={one}>
              {text.contacts.consents[one]}
            </option>
          ))}
        </select>
      );
    case "time":
      return (
        <input
          {...common}
          type="datetime-local"
          value={Number.isNaN(Date.parse(value.text)) ? "" : timeInput(value.text, shown)}
          onChange={({ currentTarget: { value: given } }) => set(given === "" ? "" : timeGiven(given, shown))}
        />
      );
    case "duration":
      return <DurationField value={value.text} label={label} onChange={set} marked={marked} />;
    default:
      return <TextInput {...common} isTag={kind === "tag"} value={value.text} onGiven={set} />;
  }
}

const YesNo = (select: ComponentProps<"select">) => (
  <select {...select}>
    <option value="true">{words.yes}</option>
    <option value="false">{words.no}</option>
  </select>
);

type TextProps = Omit<ComponentProps<"input">, "value"> & {
  isTag: boolean;
  value: string;
  onGiven(value: string): void;
};

/** Of what people typed; a field without anything in it stays as the page is. */
export const directionOf = (value: string): "auto" | undefined => (value === "" ? undefined : "auto");

/** Tags that there are can be chosen. */
function TextInput({ isTag, onGiven, ...input }: TextProps) {
  const id = useId();
  const { data: tags = [] } = useQuery({ ...tagsQuery, enabled: isTag });
  return (
    <>
      <input
        {...input}
        type="text"
        dir={directionOf(input.value)}
        autoComplete="off"
        list={isTag ? id : undefined}
        onChange={(event) => onGiven(event.currentTarget.value)}
      />
      {isTag && (
        <datalist id={id}>
          {tags.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  );
}

const TYPES = ["text", "number", "boolean"] as const;

function ScalarField({ kind, value, label, onChange, marked }: ValueProps) {
  const { type, text: given } = value;
  const set = (next: string): void => onChange({ type, text: next });
  const common = { ...marked, "aria-label": label, className: controls["input"] };
  return (
    <span className={styles["pair"]}>
      <select
        aria-label={words.type}
        className={controls["input"]}
        value={type}
        onChange={(event) => onChange(asType(value, event.currentTarget.value as Scalar["type"]))} // one of TYPES
      >
        {TYPES.filter((one) => kind === "scalar" || one !== "boolean").map((one) => (
          <option key={one} value={one}>
            {words.types[one]}
          </option>
        ))}
      </select>
      {type === "boolean" ? (
        <YesNo {...common} value={given} onChange={(event) => set(event.currentTarget.value)} />
      ) : type === "number" ? (
        <input
          {...common}
          type="number"
          step="any"
          value={given}
          onChange={(event) => set(event.currentTarget.value)}
        />
      ) : (
        <TextInput {...common} isTag={false} value={given} onGiven={set} />
      )}
    </span>
  );
}

function asType({ text: given }: Scalar, type: Scalar["type"]): Scalar {
  if (type === "boolean") return { type, text: "true" };
  return { type, text: type === "number" && Number.isNaN(Number(given)) ? "" : given };
}

type DurationProps = { value: string; label: string; onChange(value: string): void; marked: Marked };

function DurationField({ value, label, onChange, marked }: DurationProps) {
  const found = amountOf(value);
  if (found === null)
    return (
      <input
        {...marked}
        aria-label={label}
        title={words.durationHelp}
        className={controls["input"]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
    );
  return (
    <span className={styles["pair"]}>
      <input
        {...marked}
        aria-label={words.amount}
        className={`${controls["input"]} ${styles["amount"]}`}
        type="number"
        min="1"
        max="999999"
        value={found.amount}
        onChange={(event) => onChange(durationOf(event.currentTarget.value.replaceAll(/\D/g, ""), found.unit))}
      />
      <select
        aria-label={words.unit}
        className={controls["input"]}
        value={found.unit}
        onChange={(event) => onChange(durationOf(found.amount, event.currentTarget.value as Unit))} // one of UNIT_NAMES
      >
        {UNIT_NAMES.map((unit) => (
          <option key={unit} value={unit}>
            {words.units[unit]}
          </option>
        ))}
      </select>
    </span>
  );
}

type ListProps = {
  kind: ValueKind;
  values: readonly Scalar[];
  next: Scalar;
  onChange(values: readonly Scalar[], next: Scalar): void;
  marked: Marked;
};

/** Some values: each that is there can be removed. The one that is being typed counts already, and *Add* makes room for another. */
export function ValuesField({ kind, values, next, onChange, marked }: ListProps) {
  const isFull = values.length >= MOST_VALUES;
  const add = (): void => {
    if (next.text === "" || isFull) return;
    onChange([...values, next], next.type === "boolean" ? NOTHING : { ...next, text: "" });
  };
  // Enter would save the whole form.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    add();
  };
  return (
    <div className={styles["values"]}>
      <ul className={styles["chips"]} aria-label={words.values}>
        {values.map((value, index) => (
          // The same value may be there twice.
          <li key={`${index}${value.text}`} className={styles["chip"]}>
            <span dir="auto">{shownValue(kind, value)}</span>
            <button
              type="button"
              aria-label={words.removeValue(shownValue(kind, value))}
              onClick={() =>
                onChange(
                  values.filter((_, at) => at !== index),
                  next,
                )
              }
            >
              <X size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <div className={styles["pair"]} onKeyDown={onKeyDown}>
        <ValueField
          kind={kind}
          value={next}
          label={words.value}
          onChange={(value) => onChange(values, value)}
          marked={marked}
        />
        <button type="button" className={controls["button"]} disabled={next.text === "" || isFull} onClick={add}>
          {words.addValue}
        </button>
      </div>
    </div>
  );
}
