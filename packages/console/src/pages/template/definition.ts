import type { NewTemplate, Template } from "@waypost/sdk";
import { type Fields, fieldsOf, listOf, textOf } from "../../parts/phone/bubble-shape.ts";
import { variablesOf } from "../compose/slots.ts";
import { CATEGORIES } from "./categories.ts";

export const HEADERS = ["none", "text", "image", "video", "document"] as const;
export const BUTTON_KINDS = ["QUICK_REPLY", "URL", "PHONE_NUMBER", "COPY_CODE"] as const;

/** Characters that the provider takes (Cloud API documentation, templates: components). */
export const MOST = { header: 60, body: 1_024, footer: 60, button: 25, buttons: 10 } as const;

export type ButtonDraft = { kind: (typeof BUTTON_KINDS)[number]; text: string; value: string; sample: string };

/** A template that is being written. `samples` by part and variable: `body.1`. */
export type TemplateDraft = {
  name: string;
  language: string;
  category: (typeof CATEGORIES)[number];
  /** Id; empty: that of the default number. */
  account: string;
  header: (typeof HEADERS)[number];
  headerText: string;
  headerSample: string;
  body: string;
  footer: string;
  samples: Readonly<Record<string, string>>;
  buttons: readonly ButtonDraft[];
  /** Of an authentication template. */
  isSecured: boolean;
  minutes: string;
  codeText: string;
};

/** What the fields of the form share. */
export type Editing = { draft: TemplateDraft; onChange(part: Partial<TemplateDraft>): void };

export const EMPTY_DRAFT: TemplateDraft = {
  name: "",
  language: "en_US",
  category: "utility",
  account: "",
  header: "none",
  headerText: "",
  headerSample: "",
  body: "",
  footer: "",
  samples: {},
  buttons: [],
  isSecured: true,
  minutes: "",
  codeText: "Copy code",
};

export const isNamed = ({ headerText, body }: Pick<TemplateDraft, "headerText" | "body">): boolean =>
  [...variablesOf(headerText), ...variablesOf(body)].some((one) => !/^\d+$/.test(one));

/** The components, with the samples of their variables, in the provider's format and order. */
export function componentsOf(draft: TemplateDraft): Fields[] {
  if (draft.category === "authentication") return codeComponents(draft);
  const { header, body, footer, buttons } = draft;
  return [
    ...(header === "none" ? [] : [headerOf(draft)]),
    { type: "BODY", text: body, ...exampleOf("body", body, draft) },
    ...(footer === "" ? [] : [{ type: "FOOTER", text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: "BUTTONS", buttons: buttons.map(buttonOf) }]),
  ];
}

const codeComponents = ({ isSecured, minutes, codeText }: TemplateDraft): Fields[] => [
  { type: "BODY", add_security_recommendation: isSecured },
  ...(minutes === "" ? [] : [{ type: "FOOTER", code_expiration_minutes: Number(minutes) }]),
  { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: codeText }] },
];

function headerOf(draft: TemplateDraft): Fields {
  const { header, headerText, headerSample } = draft;
  if (header === "text")
    return { type: "HEADER", format: "TEXT", text: headerText, ...exampleOf("header", headerText, draft) };
  return { type: "HEADER", format: header.toUpperCase(), example: { header_handle: [headerSample] } };
}

function exampleOf(part: "header" | "body", text: string, draft: TemplateDraft): Fields {
  const variables = variablesOf(text);
  if (variables.length === 0) return {};
  const of = (variable: string): string => draft.samples[`${part}.${variable}`] ?? "";
  if (isNamed(draft)) {
    const named = variables.map((variable) => ({ param_name: variable, example: of(variable) }));
    return { example: { [`${part}_text_named_params`]: named } };
  }
  const values = variables.toSorted((one, other) => Number(one) - Number(other)).map(of);
  return { example: part === "body" ? { body_text: [values] } : { header_text: values } };
}

function buttonOf({ kind, text, value, sample }: ButtonDraft): Fields {
  switch (kind) {
    case "QUICK_REPLY":
      return { type: kind, text };
    case "URL":
      return { type: kind, text, url: value, ...(variablesOf(value).length === 0 ? {} : { example: [sample] }) };
    case "PHONE_NUMBER":
      return { type: kind, text, phone_number: value };
    case "COPY_CODE":
      return { type: kind, example: value };
  }
}

/** What `POST /v1/templates` takes. */
export const newTemplateOf = (draft: TemplateDraft): NewTemplate => ({
  name: draft.name.trim(),
  language: { code: draft.language.trim() },
  category: draft.category,
  components: componentsOf(draft),
  ...(isNamed(draft) ? { parameter_format: "named" } : {}),
  ...(draft.account === "" ? {} : { business_account_id: draft.account }),
});

/** A template as the form edits it; null where it has parts that the form would lose. */
export function draftOfTemplate(template: Template): TemplateDraft | null {
  const category = CATEGORIES.find((one) => one === template.category);
  if (category === undefined) return null;
  let draft: TemplateDraft = {
    ...EMPTY_DRAFT,
    name: template.name,
    language: template.language.code,
    category,
    isSecured: false,
  };
  for (const component of template.components) {
    const next = withComponent(draft, component);
    if (next === null) return null;
    draft = next;
  }
  return draft;
}

function withComponent(draft: TemplateDraft, component: Fields): TemplateDraft | null {
  const text = textOf(component["text"]) ?? "";
  const example = fieldsOf(component["example"]);
  switch ((textOf(component["type"]) ?? "").toLowerCase()) {
    case "header": {
      const format = (textOf(component["format"]) ?? "text").toLowerCase();
      const header = HEADERS.find((one) => one === format && one !== "none");
      if (header === undefined) return null;
      const [handle] = Array.isArray(example["header_handle"]) ? example["header_handle"] : [];
      const samples = { ...draft.samples, ...samplesOf("header", text, example) };
      return { ...draft, header, headerText: text, headerSample: textOf(handle) ?? "", samples };
    }
    case "body": {
      const samples = { ...draft.samples, ...samplesOf("body", text, example) };
      return { ...draft, body: text, samples, isSecured: component["add_security_recommendation"] === true };
    }
    case "footer": {
      const minutes = component["code_expiration_minutes"];
      return { ...draft, footer: text, minutes: typeof minutes === "number" ? String(minutes) : "" };
    }
    case "buttons":
      return withButtons(draft, listOf(component["buttons"]));
    default:
      return null;
  }
}

function samplesOf(part: "header" | "body", text: string, example: Fields): Record<string, string> {
  const named = listOf(example[`${part}_text_named_params`]);
  const given: unknown = part === "body" ? example["body_text"] : [example["header_text"]];
  const values: unknown = Array.isArray(given) ? given[0] : null;
  const pairs = variablesOf(text).map((variable) => {
    const name = named.find((one) => one["param_name"] === variable);
    const value = name?.["example"] ?? (Array.isArray(values) ? values[Number(variable) - 1] : null);
    return [`${part}.${variable}`, textOf(value) ?? ""] as const;
  });
  return Object.fromEntries(pairs);
}

function withButtons(draft: TemplateDraft, given: readonly Fields[]): TemplateDraft | null {
  const [first] = given;
  if (draft.category === "authentication") {
    const isCopied = given.length === 1 && textOf(first?.["otp_type"])?.toUpperCase() === "COPY_CODE";
    return isCopied ? { ...draft, codeText: textOf(first?.["text"]) ?? "" } : null;
  }
  const buttons = given.map(buttonDraftOf);
  return buttons.includes(null) ? null : { ...draft, buttons: buttons.filter((one) => one !== null) };
}

function buttonDraftOf(button: Fields): ButtonDraft | null {
  const kind = BUTTON_KINDS.find((one) => one === textOf(button["type"])?.toUpperCase());
  if (kind === undefined) return null;
  const text = textOf(button["text"]) ?? "";
  const example: unknown = button["example"];
  const sample = textOf(Array.isArray(example) ? example[0] : example) ?? "";
  if (kind === "COPY_CODE") return { kind, text, value: sample, sample: "" };
  const value = textOf(button[kind === "URL" ? "url" : "phone_number"]) ?? "";
  return { kind, text, value, sample: kind === "URL" ? sample : "" };
}

/** The samples in the places that a message fills, for the preview; keys as those of `slotsOf`. */
export const previewValuesOf = ({ samples, header, headerSample, buttons, category }: TemplateDraft) => ({
  ...samples,
  ...(header === "none" || header === "text" ? {} : { header: headerSample }),
  ...(category === "authentication" ? { "body.1": "123456" } : {}),
  ...Object.fromEntries(buttons.map(({ sample }, index) => [`button.${index}`, sample])),
});
