import { X } from "lucide-react";
import { useEffect, useId } from "react";
import controls from "../../parts/controls.module.css";
import { useForm } from "../../parts/Form.tsx";
import form from "../../parts/form.module.css";
import { text } from "../../text/text.ts";
import { type Condition, kindOfCondition, missingOf, type Scalar, withField, withOp } from "./draft.ts";
import { ATTRIBUTE, FIELD_NAMES, fieldNameOf, type Op, opsOf } from "./fields.ts";
import { labelOfOp } from "./labels.ts";
import styles from "./segment.module.css";
import { directionOf, type Marked, ValueField, ValuesField } from "./ValueFields.tsx";

const words = text.segment;

export type ConditionProps = {
  condition: Condition;
  /** Where it stands in the body, with dots: `filter.all.0`. */
  path: string;
  /** Where it stands for people: `1.2`. */
  place: string;
  onChange(condition: Condition): void;
  /** Null: it is all that the filter has. */
  onRemove: (() => void) | null;
};

/** One condition: field, operator and what these take; what is refused stands below it. */
export function ConditionFields({ condition, path, place, onChange, onRemove }: ConditionProps) {
  const { field, op, values, next } = condition;
  const id = useId();
  const missing = missingOf(condition);
  const faults = {
    field: useFault(`${path}.field`, missing === "field"),
    value: useFault(`${path}.value`, missing === "value"),
    rest: useFault(path, false),
  };
  const fault = faults.field ?? faults.value ?? faults.rest;
  const { change } = useForm();
  const set = (next: Condition): void => {
    for (const part of ["", ".field", ".value"]) change(path + part);
    onChange(next);
  };
  const mark = (given: string | undefined): Marked => ({
    "aria-invalid": given !== undefined,
    "aria-describedby": given === undefined ? undefined : `${id}-fault`,
  });
  const name = fieldNameOf(field);
  const kind = kindOfCondition(condition);
  const setValues = (given: readonly Scalar[], typed = next): void => set({ ...condition, values: given, next: typed });
  const [first] = values;
  return (
    <div role="group" aria-label={words.condition(place)} className={styles["condition"]}>
      <FieldChoice condition={condition} onChange={set} marked={mark(faults.field)} />
      <select
        aria-label={words.op}
        className={controls["input"]}
        value={op}
        onChange={({ currentTarget: { value } }) => set(withOp(condition, value as Op))} // one of the field's
      >
        {(name === null ? [op] : opsOf(name)).map((one) => (
          <option key={one} value={one}>
            {labelOfOp(name, one)}
          </option>
        ))}
      </select>
      {op === "in" ? (
        <ValuesField kind={kind} values={values} next={next} onChange={setValues} marked={mark(faults.value)} />
      ) : (
        first !== undefined && (
          <ValueField
            kind={kind}
            value={first}
            label={words.value}
            onChange={(value) => setValues([value])}
            marked={mark(faults.value)}
          />
        )
      )}
      {onRemove !== null && (
        <button
          type="button"
          className={styles["remove"]}
          aria-label={words.removeAt(words.condition(place))}
          onClick={onRemove}
        >
          <X size={16} aria-hidden />
        </button>
      )}
      {fault !== undefined && (
        <p id={`${id}-fault`} className={form["fault"]}>
          {fault}
        </p>
      )}
    </div>
  );
}

type FieldProps = Pick<ConditionProps, "condition" | "onChange"> & { marked: Marked };

/** What is compared; a fact of your own by its name. */
function FieldChoice({ condition, onChange, marked }: FieldProps) {
  const name = fieldNameOf(condition.field);
  return (
    <div className={styles["pair"]}>
      <select
        aria-label={words.field}
        className={controls["input"]}
        value={name ?? ""}
        onChange={({ currentTarget: { value } }) =>
          onChange(withField(condition, value === "attributes" ? ATTRIBUTE : value))
        }
      >
        {FIELD_NAMES.map((one) => (
          <option key={one} value={one}>
            {words.fields[one]}
          </option>
        ))}
      </select>
      {name === "attributes" && (
        <input
          {...marked}
          aria-label={words.attributeName}
          placeholder={words.attributeName}
          className={controls["input"]}
          autoComplete="off"
          dir={directionOf(condition.field.slice(ATTRIBUTE.length))}
          value={condition.field.slice(ATTRIBUTE.length)}
          onChange={({ currentTarget: { value } }) => onChange({ ...condition, field: ATTRIBUTE + value.trim() })}
        />
      )}
    </div>
  );
}

/** What is wrong at the path. These fields have no names in the form: `isMissing` says whether there is nothing. */
export function useFault(path: string, isMissing: boolean): string | undefined {
  const { add, faults } = useForm();
  useEffect(() => add(path, { label: "", isRequired: isMissing }), [add, path, isMissing]);
  return faults.get(path);
}
