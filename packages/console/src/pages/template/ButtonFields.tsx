import { X } from "lucide-react";
import controls from "../../parts/controls.module.css";
import { SelectField, TextField } from "../../parts/Field.tsx";
import { text } from "../../text/text.ts";
import { variablesOf } from "../compose/slots.ts";
import { placeOf } from "./BuilderFields.tsx";
import { BUTTON_KINDS, type ButtonDraft, type Editing, MOST } from "./definition.ts";
import styles from "./template.module.css";

const words = text.builder;

/** What a button does, by its kind. */
const VALUES = { URL: words.buttonUrl, PHONE_NUMBER: words.buttonPhone, COPY_CODE: words.buttonCode } as const;
const NAMES = { URL: "url", PHONE_NUMBER: "phone_number", COPY_CODE: "example" } as const;

/** Buttons below the text, in the order in which they stand. */
export function ButtonFields({ draft, onChange }: Editing) {
  const { buttons } = draft;
  const place = placeOf(draft, "BUTTONS");
  const change = (index: number, part: Partial<ButtonDraft>): void =>
    onChange({ buttons: buttons.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  const add = (): void => onChange({ buttons: [...buttons, { kind: "QUICK_REPLY", text: "", value: "", sample: "" }] });
  return (
    <>
      {buttons.map((button, index) => (
        <div key={index} role="group" aria-label={words.button(index + 1)} className={styles["button"]}>
          <ButtonField button={button} place={`${place}.buttons.${index}`} onChange={(part) => change(index, part)} />
          <div className={styles["tools"]}>
            <button
              type="button"
              className={controls["quiet"]}
              onClick={() => onChange({ buttons: buttons.filter((_, at) => at !== index) })}
            >
              <X size={14} aria-hidden />
              {words.removeButton(index + 1)}
            </button>
          </div>
        </div>
      ))}
      {buttons.length < MOST.buttons && (
        <div className={styles["tools"]}>
          <button type="button" className={controls["button"]} onClick={add}>
            {words.addButton}
          </button>
        </div>
      )}
    </>
  );
}

function ButtonField({
  button: { kind, text: shown, value, sample },
  place,
  onChange,
}: {
  button: ButtonDraft;
  place: string;
  onChange(part: Partial<ButtonDraft>): void;
}) {
  return (
    <>
      <SelectField
        path={`${place}.type`}
        label={words.buttonKind}
        required
        value={kind}
        onChange={({ currentTarget }) =>
          onChange({ kind: BUTTON_KINDS.find((one) => one === currentTarget.value) ?? kind, value: "", sample: "" })
        }
        options={BUTTON_KINDS.map((one) => ({ value: one, label: words.buttonKinds[one] }))}
      />
      {kind !== "COPY_CODE" && (
        <TextField
          path={`${place}.text`}
          label={words.buttonText}
          help={words.count(shown.length, MOST.button)}
          required
          maxLength={MOST.button}
          value={shown}
          onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
        />
      )}
      {kind !== "QUICK_REPLY" && (
        <TextField
          path={`${place}.${NAMES[kind]}`}
          label={VALUES[kind]}
          help={kind === "URL" ? words.buttonUrlHelp : undefined}
          required
          dir="ltr"
          value={value}
          onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
        />
      )}
      {kind === "URL" && variablesOf(value).length > 0 && (
        <TextField
          path={`${place}.example`}
          label={words.buttonUrlSample}
          required
          dir="ltr"
          value={sample}
          onChange={({ currentTarget }) => onChange({ sample: currentTarget.value })}
        />
      )}
    </>
  );
}
