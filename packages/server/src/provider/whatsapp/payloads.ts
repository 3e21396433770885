import type { MarkReadRequest, SendRequest } from "../provider.ts";

/** What of a send goes into the body. */
export type OutgoingMessage = Pick<
  SendRequest,
  "to" | "userId" | "type" | "content" | "replyToProviderId" | "correlationToken"
>;

/**
 * The body of POST /{phone-number-id}/messages (Cloud API documentation, sending: request). The content of every type is already in
 * the provider's own field names, so it passes through under the name of its type, but for what `contentOf` says.
 */
export function sendBody(message: OutgoingMessage): Record<string, unknown> {
  return {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    ...recipient(message),
    type: message.type,
    ...quote(message),
    [message.type]: contentOf(message),
    biz_opaque_callback_data: message.correlationToken,
  };
}

/** The body of the same path that marks a message as read (Cloud API documentation, sending: free-form types). */
export const readBody = ({ providerMessageId, typing }: Pick<MarkReadRequest, "providerMessageId" | "typing">) => ({
  messaging_product: "whatsapp",
  status: "read",
  message_id: providerMessageId,
  ...(typing ? { typing_indicator: { type: "text" } } : {}),
});

/** A reaction names its message by the provider's id, and one kind of template button is in capitals on the provider's pages. */
function contentOf({ type, content, replyToProviderId }: OutgoingMessage): unknown {
  if (type === "reaction" && replyToProviderId !== null)
    return { ...(content as object), message_id: replyToProviderId };
  if (type === "template") return withCapitals(content as TemplateContent);
  return content;
}

/** What of a template's content is read here; its schema has passed. */
type TemplateContent = { components?: readonly { sub_type?: unknown }[] };

function withCapitals(template: TemplateContent): TemplateContent {
  const { components } = template;
  if (!components?.some(isCatalogButton)) return template;
  return {
    ...template,
    components: components.map((one) => (isCatalogButton(one) ? { ...one, sub_type: "CATALOG" } : one)),
  };
}

const isCatalogButton = ({ sub_type }: { sub_type?: unknown }): boolean => sub_type === "catalog";

/** A number wins over the business-scoped id: the provider would take it that way too if both were given. */
function recipient(message: OutgoingMessage): { to: string } | { recipient: string } {
  if (message.to !== null) return { to: message.to };
  if (message.userId !== null) return { recipient: message.userId };
  throw new TypeError("a message needs `to` or `userId`");
}

/** A reaction quotes nothing: the provider refuses context with it. */
function quote(message: OutgoingMessage): { context: { message_id: string } } | undefined {
  if (message.replyToProviderId === null || message.type === "reaction") return undefined;
  return { context: { message_id: message.replyToProviderId } };
}
