import type { MessageErrorCode } from "../../../provider/provider.ts";
import type { RefusedSend } from "../../templates/refused-sends.ts";
import type { IntentAnswer } from "./dispatch.store.ts";

/** Failures that the template's newest definition, status or category may explain. */
const OF_TEMPLATE: ReadonlySet<MessageErrorCode> = new Set([
  "template_changed",
  "template_paused",
  "template_rejected",
]);

export const isOfTemplate = (code: MessageErrorCode): boolean => OF_TEMPLATE.has(code);

type TemplateContent = { name: string; language: { code: string }; components?: unknown };

/** The template of an attempt that failed with `code`, where the failure may be the template's; else null. */
export function refusedTemplate(
  { type, content }: Pick<IntentAnswer, "type" | "content">,
  code: MessageErrorCode,
): Pick<RefusedSend, "name" | "language" | "components"> | null {
  if (type !== "template" || !isOfTemplate(code)) return null;
  const { name, language, components } = JSON.parse(content) as TemplateContent; // as the schema accepted it
  return { name, language: language.code, components };
}
