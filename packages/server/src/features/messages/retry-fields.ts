import { errorOfStatus, type MessageError, withoutProvider } from "./message-error.ts";

/** Of the queue row of a message that was refused for now. */
export type Retrying = {
  /** Null while an attempt is under way, and for a message that was not refused. */
  next_attempt_at: Date | null;
  last_error: MessageError | null;
  is_erased?: boolean;
};

/** Why the last attempt was refused, and when the next one may begin: while there is another one to come or under way. */
export function retryFields({ next_attempt_at, last_error, is_erased }: Retrying): {
  next_attempt_at?: string;
  last_error?: MessageError;
} {
  const error = errorOfStatus(is_erased === true ? withoutProvider(last_error) : last_error, "queued");
  if (error === null) return {};
  return { ...(next_attempt_at === null ? {} : { next_attempt_at: next_attempt_at.toISOString() }), last_error: error };
}
