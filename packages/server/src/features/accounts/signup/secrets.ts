import type { Secrets } from "../../../lib/secrets.ts";

/** What of a signup is sealed. Each kind has a context of its own, and each row: a copy elsewhere does not open. */
export type SignupSecret = "code" | "token" | "pin";

type Place = { workspaceId: string; signupId: string };

export const sealOf = (secrets: Secrets, { workspaceId, signupId }: Place, kind: SignupSecret, text: string): Buffer =>
  secrets.seal(text, `signup-${kind}:${workspaceId}:${signupId}`);

/** Null when there is none, or when no key of WAYPOST_ENCRYPTION_KEY opens it. */
export const openOf = (
  secrets: Secrets,
  { workspaceId, signupId }: Place,
  kind: SignupSecret,
  sealed: Buffer | null,
): string | null => opened(secrets, sealed, `signup-${kind}:${workspaceId}:${signupId}`);

const pinContext = (workspaceId: string, providerPhoneNumberId: string): string =>
  `phone-number-pin:${workspaceId}:${providerPhoneNumberId}`;

export const sealPin = (secrets: Secrets, workspaceId: string, providerPhoneNumberId: string, pin: string): Buffer =>
  secrets.seal(pin, pinContext(workspaceId, providerPhoneNumberId));

export const openPin = (
  secrets: Secrets,
  workspaceId: string,
  providerPhoneNumberId: string,
  sealed: Buffer | null,
): string | null => opened(secrets, sealed, pinContext(workspaceId, providerPhoneNumberId));

function opened(secrets: Secrets, sealed: Buffer | null, context: string): string | null {
  if (sealed === null) return null;
  try {
    return secrets.open(sealed, context).toString();
  } catch {
    return null;
  }
}
