import { type ComponentProps, type ReactNode, useEffect, useId } from "react";
import { text } from "../text/text.ts";
import controls from "./controls.module.css";
import { useForm } from "./Form.tsx";
import styles from "./form.module.css";

/** `path`: where the value stands in the body, with dots: `template.language`. A refusal's pointer finds its field by it. */
type About = { path: string; label: string; help?: ReactNode; required?: boolean };

/** What every element of a form has of its field. */
type Bound = {
  id: string;
  name: string;
  required: boolean;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
};

/** The frame of a field: its name, help and fault; `children` draws the element. */
export function Field({
  path,
  label,
  help,
  required = false,
  children,
}: About & { children(bound: Bound): ReactNode }) {
  const id = useId();
  const fault = useFault(path, label, required);
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>
        {label}
        {!required && <span className="muted"> {text.form.optional}</span>}
      </label>
      {children({
        id,
        name: path,
        required,
        "aria-invalid": fault !== undefined,
        "aria-describedby": described(id, fault, help),
      })}
      <Notes id={id} fault={fault} help={help} />
    </div>
  );
}

function useFault(path: string, label: string, isRequired: boolean): string | undefined {
  const { add, faults } = useForm();
  useEffect(() => add(path, { label, isRequired }), [add, path, label, isRequired]);
  return faults.get(path);
}

const described = (id: string, fault: string | undefined, help: ReactNode): string | undefined =>
  [fault !== undefined && `${id}-fault`, help !== undefined && `${id}-help`].filter(Boolean).join(" ") || undefined;

function Notes({ id, fault, help }: { id: string; fault: string | undefined; help: ReactNode }) {
  return (
    <>
      {fault !== undefined && (
        <p id={`${id}-fault`} className={styles["fault"]}>
          <bdi>{fault}</bdi>
        </p>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className={styles["help"]}>
          {help}
        </p>
      )}
    </>
  );
}

type Input = Omit<ComponentProps<"input">, "id" | "name" | "className" | "required">;

/** What is written in it decides which way it goes, as in `AreaField`: an address or a phone number goes to the right in every language. */
export function TextField({ path, label, help, required, ...input }: About & Input) {
  return (
    <Field path={path} label={label} help={help} required={required ?? false}>
      {(bound) => (
        <input type="text" dir="auto" autoComplete="off" {...input} {...bound} className={controls["input"]} />
      )}
    </Field>
  );
}

type Area = Omit<ComponentProps<"textarea">, "id" | "name" | "className" | "required">;

export function AreaField({ path, label, help, required, ...area }: About & Area) {
  return (
    <Field path={path} label={label} help={help} required={required ?? false}>
      {(bound) => <textarea rows={4} dir="auto" {...area} {...bound} className={controls["input"]} />}
    </Field>
  );
}

/** `code`: what it is called in the API, where that is shown beside what people call it. */
export type Option = { value: string; label: string; code?: string };
type Select = Omit<ComponentProps<"select">, "id" | "name" | "className" | "required"> & { options: readonly Option[] };

export function SelectField({ path, label, help, required, options, ...select }: About & Select) {
  return (
    <Field path={path} label={label} help={help} required={required ?? false}>
      {(bound) => (
        <select {...select} {...bound} className={controls["input"]}>
          {options.map(({ value, label: shown }) => (
            <option key={value} value={value}>
              {shown}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A yes or no. */
export function CheckField({ path, label, help, ...input }: Omit<About, "required"> & Input) {
  const id = useId();
  const fault = useFault(path, label, false);
  return (
    <div className={styles["field"]}>
      <label className={styles["check"]}>
        <input
          {...input}
          type="checkbox"
          name={path}
          aria-invalid={fault !== undefined}
          aria-describedby={described(id, fault, help)}
        />
        {label}
      </label>
      <Notes id={id} fault={fault} help={help} />
    </div>
  );
}

type Checks = {
  groups: readonly { label?: string; options: readonly Option[] }[];
  /** What is chosen at first. */
  chosen?: readonly string[];
  /** One that stands for all of them: while it is chosen, `groups` is empty. */
  all?: Option & { isChosen: boolean; onChoose(isChosen: boolean): void };
};

/** Any of some. */
export function ChecksField({ path, label, help, required = false, groups, chosen = [], all }: About & Checks) {
  const id = useId();
  const fault = useFault(path, label, required);
  const check = ({ value, label: shown, code }: Option, rest: ComponentProps<"input">) => (
    <label key={value} className={styles["check"]}>
      <input {...rest} type="checkbox" name={path} value={value} aria-invalid={fault !== undefined} />
      {code === undefined ? (
        shown
      ) : (
        <span className={styles["coded"]}>
          <span data-name>{shown}</span> <code>{code}</code>
        </span>
      )}
    </label>
  );
  return (
    <fieldset className={styles["field"]} aria-describedby={described(id, fault, help)}>
      <legend>
        {label}
        {!required && <span className="muted"> {text.form.optional}</span>}
      </legend>
      {all !== undefined &&
        check(all, { checked: all.isChosen, onChange: ({ currentTarget }) => all.onChoose(currentTarget.checked) })}
      {groups.map(({ label: group, options }) => (
        <div key={group ?? ""} role="group" aria-label={group} className={styles["group"]}>
          {group !== undefined && <p className="muted">{group}</p>}
          <div className={styles["checks"]}>
            {options.map((option) => check(option, { defaultChecked: chosen.includes(option.value) }))}
          </div>
        </div>
      ))}
      <Notes id={id} fault={fault} help={help} />
    </fieldset>
  );
}
