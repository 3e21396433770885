import type { Template } from "@waypost/sdk";
import type { Held, Version } from "../../parts/version.ts";
import { text } from "../../text/text.ts";
import { draftOfTemplate, type TemplateDraft } from "./definition.ts";

const words = text.builder;

const LABELS = {
  category: words.category,
  header: words.header,
  body: words.body,
  footer: words.footer,
  buttons: words.buttons,
  samples: words.samples,
  code: words.codeButton,
  minutes: words.minutes,
} as const;

/** What the form has of a template, part by part. */
export function heldOf(template: Template): Held {
  const draft = draftOfTemplate(template);
  return draft === null ? { category: template.category, body: words.byApi } : heldByDraft(draft);
}

function heldByDraft(draft: TemplateDraft): Held {
  const { category, header, headerText, headerSample, body, footer, buttons, samples } = draft;
  if (category === "authentication") return { category, code: draft.codeText, minutes: draft.minutes };
  return {
    category,
    header: header === "none" ? "" : `${words.headers[header]}: ${header === "text" ? headerText : headerSample}`,
    body,
    footer,
    buttons: buttons
      .map(({ kind, text: shown, value }) => [words.buttonKinds[kind], shown, value].join(" "))
      .join("\n"),
    samples: Object.entries(samples)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, sample]) => `${name}: ${sample}`)
      .join("\n"),
  };
}

/** A definition is saved whole, so that parts of it that were not touched here take the place of the other's too. */
export const versionWith = (version: Version, draft: TemplateDraft): Version => ({
  ...version,
  isWhole: true,
  own: { held: heldByDraft(draft), labels: LABELS },
});
