import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Template } from "@waypost/sdk";
import { numbersQuery } from "../../api/queries/numbers.ts";
import { can } from "../../api/session.ts";
import { AreaField, SelectField, TextField } from "../../parts/Field.tsx";
import { grouped } from "../../parts/phone-number.ts";
import { text } from "../../text/text.ts";
import styles from "./compose.module.css";
import type { Draft } from "./draft.ts";
import { KINDS } from "./search.ts";
import { filledOf, pathOf, slotsOf } from "./slots.ts";

const words = text.compose;
const app = getRouteApi("/app");
const LONGEST_TEXT = 4_096;

type Editing = { draft: Draft; onChange(draft: Draft): void; template: Template | null };

/** To whom, from which number, and what. */
export function DraftFields({ draft, onChange, templates, template }: Editing & { templates: readonly Template[] }) {
  const change = (part: Partial<Draft>): void => onChange({ ...draft, ...part });
  return (
    <div className={styles["fields"]}>
      <TextField
        path="to"
        label={words.to}
        help={words.toHelp}
        required
        dir="ltr"
        value={draft.to}
        onChange={({ currentTarget }) => change({ to: currentTarget.value })}
      />
      <FromField from={draft.from} onChange={(from) => change({ from })} />
      <fieldset className={styles["kinds"]}>
        <legend>{words.kind}</legend>
        {KINDS.map((kind) => (
          <label key={kind}>
            <input
              type="radio"
              name="kind"
              value={kind}
              checked={draft.kind === kind}
              onChange={() => change({ kind })}
            />
            {words.kinds[kind]}
          </label>
        ))}
      </fieldset>
      {draft.kind === "text" ? (
        <AreaField
          path="text.body"
          label={words.text}
          help={words.textHelp}
          required
          maxLength={LONGEST_TEXT}
          value={draft.text}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        />
      ) : (
        <>
          <SelectField
            path="template"
            label={words.template}
            required
            help={templates.length === 0 ? words.noTemplates : undefined}
            value={draft.template}
            onChange={({ currentTarget }) => change({ template: currentTarget.value, values: {} })}
            options={[
              { value: "", label: words.templateNone },
              ...templates.map(({ id, name, language }) => ({ value: id, label: `${name} (${language.code})` })),
            ]}
          />
          <SlotFields draft={draft} onChange={onChange} template={template} />
        </>
      )}
    </div>
  );
}

/** Which number sends; nothing to choose where there is one, or where the key may not see them. */
function FromField({ from, onChange }: { from: string; onChange(from: string): void }) {
  const { session } = app.useRouteContext();
  const { data: numbers = [] } = useQuery({ ...numbersQuery, enabled: can(session, "accounts:read") });
  if (numbers.length < 2) return null;
  return (
    <SelectField
      path="from"
      label={words.from}
      value={from}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      options={[
        { value: "", label: words.fromAuto },
        ...numbers.map(({ id, phone, verified_name: name }) => ({
          value: id,
          label: [grouped(phone), name].filter(Boolean).join(" · "),
        })),
      ]}
    />
  );
}

function SlotFields({ draft, onChange, template }: Editing) {
  if (template === null) return null;
  const slots = slotsOf(template.components);
  if (slots === null) return <p className="muted">{words.byApi}</p>;
  const isNamed = template.parameter_format === "named";
  const filled = filledOf(template.components, isNamed, draft.values);
  return slots.map((slot) => (
    <TextField
      key={slot.key}
      path={pathOf(slot, filled, isNamed)}
      label={words.slot[slot.part](slot.name)}
      help={words.kindHelp[slot.kind] || undefined}
      required
      value={draft.values[slot.key] ?? ""}
      onChange={({ currentTarget: { value } }) =>
        onChange({ ...draft, values: { ...draft.values, [slot.key]: value } })
      }
    />
  ));
}
