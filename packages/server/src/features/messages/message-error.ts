import { MESSAGE_ERRORS, REMEDY_ARRIVED, REMEDY_UNKNOWN, REMEDY_WAITING } from "../../provider/message-errors.ts";
import type { MessageErrorCode, ProviderError } from "../../provider/provider.ts";
import type { MessageStatus } from "../threads/status.ts";

/** `message.error` as stored and returned: a code of our closed list, what to do, and the provider's own error. */
export type MessageError = {
  code: MessageErrorCode;
  title: string;
  detail: string;
  retryable: boolean;
  remedy: string;
  provider?: {
    code: number;
    subcode: number | null;
    title: string;
    details: string | null;
    trace_id: string | null;
    href?: string;
  };
};

export function messageError(code: MessageErrorCode, detail: string): MessageError {
  const { title, retryable, remedy } = MESSAGE_ERRORS[code];
  return { code, title, detail, retryable, remedy };
}

export function errorOfProvider(error: ProviderError): MessageError {
  const { provider, remedy, mayPass } = error;
  return {
    ...messageError(error.code, error.detail),
    ...(mayPass === false ? { retryable: false } : {}),
    ...(remedy === undefined ? {} : { remedy }),
    ...(provider
      ? {
          provider: {
            code: provider.code,
            subcode: provider.subcode,
            title: provider.title,
            details: provider.details,
            trace_id: provider.traceId,
            ...(provider.href === undefined ? {} : { href: provider.href }),
          },
        }
      : {}),
  };
}

/** The error of a message whose person was erased: what the provider wrote about it, also as `detail`, may name them. */
export function withoutProvider(error: MessageError | null): MessageError | null {
  if (error === null) return null;
  const { provider, ...own } = error;
  if (provider !== undefined) return { ...own, detail: `provider code ${provider.code}` };
  return own.code === "provider_error" ? { ...own, detail: own.title } : own;
}

/**
 * The error as it is returned with its message's status. The catalogue's `retryable` and `remedy` apply to messages that ended
 * without arriving. While the provider may have the message, and once it has it, a client that follows them would send a
 * second copy.
 */
export function errorOfStatus(error: MessageError | null, status: MessageStatus): MessageError | null {
  if (error === null || status === "failed" || status === "expired" || status === "canceled") return error;
  const remedy = status === "unknown" ? REMEDY_UNKNOWN : status === "queued" ? REMEDY_WAITING : REMEDY_ARRIVED;
  return { ...error, retryable: false, remedy };
}
