import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { accountsQuery } from "../../api/queries/numbers.ts";
import { can } from "../../api/session.ts";
import controls from "../../parts/controls.module.css";
import { AreaField, CheckField, SelectField, TextField } from "../../parts/Field.tsx";
import { textOf } from "../../parts/phone/bubble-shape.ts";
import { text } from "../../text/text.ts";
import { variablesOf } from "../compose/slots.ts";
import { CATEGORIES } from "./categories.ts";
import { componentsOf, type Editing, HEADERS, isNamed, MOST, type TemplateDraft } from "./definition.ts";
import styles from "./template.module.css";

const words = text.builder;
const app = getRouteApi("/app");

/** Where a component stands in the body: its faults point there. */
export function placeOf(draft: TemplateDraft, type: string): string {
  return `components.${componentsOf(draft).findIndex((one) => textOf(one["type"]) === type)}`;
}

/** What it is called, in which language and category; of one that is there the category alone can be changed. */
export function HeadFields({ draft, onChange, isNew }: Editing & { isNew: boolean }) {
  return (
    <>
      {isNew && (
        <>
          <TextField
            path="name"
            label={words.name}
            help={words.nameHelp}
            required
            dir="ltr"
            spellCheck={false}
            value={draft.name}
            onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
          />
          <TextField
            path="language.code"
            label={words.language}
            help={words.languageHelp}
            required
            dir="ltr"
            spellCheck={false}
            value={draft.language}
            onChange={({ currentTarget }) => onChange({ language: currentTarget.value })}
          />
          <AccountField draft={draft} onChange={onChange} />
        </>
      )}
      <SelectField
        path="category"
        label={words.category}
        required
        value={draft.category}
        onChange={({ currentTarget: { value } }) =>
          onChange({ category: CATEGORIES.find((one) => one === value) ?? "utility" })
        }
        options={CATEGORIES.map((one) => ({ value: one, label: text.templates.categories[one] ?? one }))}
      />
    </>
  );
}

/** One of several accounts, for keys that may see them. */
function AccountField({ draft, onChange }: Editing) {
  const { session } = app.useRouteContext();
  const { data: accounts = [] } = useQuery({ ...accountsQuery, enabled: can(session, "accounts:read") });
  if (accounts.length < 2) return null;
  return (
    <SelectField
      path="business_account_id"
      label={words.account}
      value={draft.account}
      onChange={({ currentTarget }) => onChange({ account: currentTarget.value })}
      options={[
        { value: "", label: text.compose.fromAuto },
        ...accounts.map(({ id, name }) => ({ value: id, label: name ?? id })),
      ]}
    />
  );
}

/** Header, body and footer, each with a counter, and a sample for each variable. */
export function TextFields({ draft, onChange }: Editing) {
  const header = placeOf(draft, "HEADER");
  const body = placeOf(draft, "BODY");
  const addVariable = (): void => {
    const next = isNamed(draft) ? `name_${variablesOf(draft.body).length + 1}` : variablesOf(draft.body).length + 1;
    onChange({ body: `${draft.body}${draft.body === "" || draft.body.endsWith(" ") ? "" : " "}{{${next}}} ` });
  };
  return (
    <>
      <SelectField
        path="header"
        label={words.header}
        value={draft.header}
        onChange={({ currentTarget: { value } }) =>
          onChange({ header: HEADERS.find((one) => one === value) ?? "none" })
        }
        options={HEADERS.map((one) => ({ value: one, label: words.headers[one] }))}
      />
      {draft.header === "text" && (
        <TextField
          path={`${header}.text`}
          label={words.headerText}
          help={words.count(draft.headerText.length, MOST.header)}
          required
          maxLength={MOST.header}
          value={draft.headerText}
          onChange={({ currentTarget }) => onChange({ headerText: currentTarget.value })}
        />
      )}
      {draft.header !== "text" && draft.header !== "none" && (
        <TextField
          path={`${header}.example.header_handle`}
          label={words.headerSample}
          help={words.headerSampleHelp}
          required
          dir="ltr"
          value={draft.headerSample}
          onChange={({ currentTarget }) => onChange({ headerSample: currentTarget.value })}
        />
      )}
      {draft.header === "text" && (
        <Samples part="header" source={draft.headerText} place={header} draft={draft} onChange={onChange} />
      )}
      <AreaField
        path={`${body}.text`}
        label={words.body}
        help={`${words.count(draft.body.length, MOST.body)}. ${words.bodyHelp}`}
        required
        rows={5}
        maxLength={MOST.body}
        value={draft.body}
        onChange={({ currentTarget }) => onChange({ body: currentTarget.value })}
      />
      <div className={styles["tools"]}>
        <button type="button" className={controls["button"]} onClick={addVariable}>
          {words.addVariable}
        </button>
      </div>
      <Samples part="body" source={draft.body} place={body} draft={draft} onChange={onChange} />
      <TextField
        path={`${placeOf(draft, "FOOTER")}.text`}
        label={words.footer}
        help={words.count(draft.footer.length, MOST.footer)}
        maxLength={MOST.footer}
        value={draft.footer}
        onChange={({ currentTarget }) => onChange({ footer: currentTarget.value })}
      />
    </>
  );
}

/** A sample for each variable of a text. */
function Samples({
  part,
  source,
  place,
  draft,
  onChange,
}: Editing & { part: "header" | "body"; source: string; place: string }) {
  const pathOf = (variable: string, index: number): string => {
    if (isNamed(draft)) return `${place}.example.${part}_text_named_params.${index}.example`;
    const at = Number(variable) - 1;
    return part === "body" ? `${place}.example.body_text.0.${at}` : `${place}.example.header_text.${at}`;
  };
  return variablesOf(source).map((variable, index) => {
    const key = `${part}.${variable}`;
    return (
      <TextField
        key={key}
        path={pathOf(variable, index)}
        label={words.sample(variable)}
        help={index === 0 ? words.samplesHelp : undefined}
        required
        value={draft.samples[key] ?? ""}
        onChange={({ currentTarget }) => onChange({ samples: { ...draft.samples, [key]: currentTarget.value } })}
      />
    );
  });
}

/** Of an authentication template the text is the provider's. */
export function CodeFields({ draft, onChange }: Editing) {
  return (
    <>
      <CheckField
        path={`${placeOf(draft, "BODY")}.add_security_recommendation`}
        label={words.security}
        checked={draft.isSecured}
        onChange={({ currentTarget }) => onChange({ isSecured: currentTarget.checked })}
      />
      <TextField
        path={`${placeOf(draft, "FOOTER")}.code_expiration_minutes`}
        label={words.minutes}
        type="number"
        min={1}
        max={90}
        value={draft.minutes}
        onChange={({ currentTarget }) => onChange({ minutes: currentTarget.value })}
      />
      <TextField
        path={`${placeOf(draft, "BUTTONS")}.buttons.0.text`}
        label={words.codeButton}
        required
        maxLength={MOST.button}
        value={draft.codeText}
        onChange={({ currentTarget }) => onChange({ codeText: currentTarget.value })}
      />
    </>
  );
}
