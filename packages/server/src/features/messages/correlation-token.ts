import { formatId, parseId } from "../../lib/ids.ts";
import type { Secrets } from "../../lib/secrets.ts";

/**
 * Our correlation value in `biz_opaque_callback_data`: `w1.<message id>.<attempt>.<mac>`. Only by it can a status be matched to
 * a send whose answer was lost. The MAC keeps forged values, and those of other apps, from naming our messages.
 */
export const sealCorrelationToken = (secrets: Secrets, messageId: string, attempt: number): string => {
  const text = `w1.${formatId("msg", messageId)}.${attempt}`;
  return `${text}.${secrets.mac(text)}`;
};

/** Whether a value looks like one of a gateway, this one or another: also one that no key of ours opens any more. */
export const isCorrelationToken = (value: string): boolean => FORM.test(value);

const FORM = /^(w1\.(msg_[0-9a-z]{26})\.(\d{1,4}))\.([0-9a-f]{8})$/;

/** The message and attempt that a value names, or null when it is not ours. */
export function openCorrelationToken(
  secrets: Secrets,
  value: string | null,
): { messageId: string; attempt: number } | null {
  if (value === null) return null;
  const match = FORM.exec(value);
  const messageId = match?.[2] ? parseId("msg", match[2]) : null;
  if (!match?.[1] || !match[4] || messageId === null || !secrets.macFits(match[1], match[4])) return null;
  return { messageId, attempt: Number(match[3]) };
}
