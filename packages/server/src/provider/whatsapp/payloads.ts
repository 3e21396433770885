import type { MarkReadRequest, SendRequest } from "../provider.ts";

/** What of a send goes into the body. */
export type OutgoingMessage = Pick<
  SendRequest,
  "to" | "userId" | "type" | "messagingAccountId" | "content" | "replyToProviderId" | "correlationToken"
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
    [message.type]: withPlainSchemes(contentOf(message)),
    biz_opaque_callback_data: message.correlationToken,
    ...(message.messagingAccountId == null ? {} : { messaging_account_id: message.messagingAccountId }),
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

/** `HTTPS://` is the same as `https://` (RFC 3986, 3.1), and nothing says that the provider knows. The same value where nothing changes. */
function withPlainSchemes(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  let changed: unknown[] | Record<string, unknown> | null = null;
  for (const [name, inner] of Object.entries(value)) {
    const isAddress = typeof inner === "string" && (name === "link" || name === "url") && CAPITAL_SCHEME.test(inner);
    const plain = isAddress ? inner.replace(/^[a-z]+/i, (scheme) => scheme.toLowerCase()) : withPlainSchemes(inner);
    if (plain !== inner) {
      changed ??= Array.isArray(value) ? [...value] : { ...value };
      (changed as Record<string, unknown>)[name] = plain; // indices are names too
    }
  }
  return changed ?? value;
}
const CAPITAL_SCHEME = /^(?!https?:)[hH][tT][tT][pP][sS]?:/;

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
