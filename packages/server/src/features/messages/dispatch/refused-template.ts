import type { MessageErrorCode, ProviderError } from "../../../provider/provider.ts";
import type { LaneSender } from "../../accounts/numbers/senders.ts";
import type { Templates } from "../../templates/cache.ts";
import { completeComponents } from "../../templates/completed-components.ts";
import type { RefusedSend } from "../../templates/refused-sends.ts";
import type { IntentAnswer } from "./dispatch.store.ts";

/** Failures that the template's newest definition, status or category may explain. */
const OF_TEMPLATE: ReadonlySet<MessageErrorCode> = new Set([
  "template_changed",
  "template_paused",
  "template_rejected",
]);

/** Among others of a send that lacks the component of a button, as of one that came to the template since it was accepted. */
const PARAMETER_INVALID = 131009;

export const isOfTemplate = (code: MessageErrorCode): boolean => OF_TEMPLATE.has(code);

type TemplateContent = { name: string; language: { code: string }; components?: Components };
type Components = Parameters<typeof completeComponents>[1];

/** The template of an attempt that failed with `code`, where the failure may be the template's; else null. */
export function refusedTemplate(
  { type, content }: Pick<IntentAnswer, "type" | "content">,
  { code, provider }: Pick<ProviderError, "code" | "provider">,
): Pick<RefusedSend, "name" | "language" | "components"> | null {
  if (type !== "template" || !(isOfTemplate(code) || provider?.code === PARAMETER_INVALID)) return null;
  const { name, language, components } = JSON.parse(content) as TemplateContent; // as the schema accepted it
  return { name, language: language.code, components };
}

/** The attempt with the components that its template's buttons ask for by now; the same one where it has them all. */
export async function completedAttempt(
  templates: Templates,
  { workspaceId, businessAccountId }: Pick<LaneSender, "workspaceId" | "businessAccountId">,
  intent: IntentAnswer,
): Promise<IntentAnswer> {
  const content = JSON.parse(intent.content) as TemplateContent; // as the schema accepted it
  const { name, language, components = [] } = content;
  const found = await templates.find(workspaceId, businessAccountId, name, language.code);
  const completed = found ? completeComponents(found.definition, components) : components;
  return completed === components
    ? intent
    : { ...intent, content: JSON.stringify({ ...content, components: completed }) };
}
