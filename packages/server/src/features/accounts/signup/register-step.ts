import { randomInt } from "node:crypto";
import { HOUR_MS } from "../../../lib/duration.ts";
import type { AccountAccess, ProviderError } from "../../../provider/provider.ts";
import type { NumberRegistration } from "../../../provider/signup-calls.ts";
import { reasonOf } from "../account-failures.ts";
import { insertOrSelectPinRow, upsertPinRow } from "./pin.store.ts";
import { accessOf, type Run, renewClaim, type StepResult, UNREADABLE_TOKEN } from "./run.ts";
import { openOf, openPin, sealPin } from "./secrets.ts";
import { failed, ofProvider, type StepFailure } from "./step.ts";

const MINUTE_MS = 60_000;

/**
 * Registers the numbers that need it. The state of each is read first, so a run that follows a killed one does not spend the
 * provider's ten registrations in 72 hours on what is done.
 */
export async function register(run: Run): Promise<StepResult> {
  const access = accessOf(run);
  if (access === null) return UNREADABLE_TOKEN;
  const listed = await run.app.provider.listRegistrations(access);
  if (!listed.ok) return ofProvider(listed.error, "Resume the signup when that is settled.");
  const named = run.row.provider_phone_number_id;
  const { wanted, skipped } = registrationsOf(listed.value, named);
  for (const number of wanted) {
    if (!(await renewClaim(run))) return { kind: "overtaken" };
    const failure = await registerOne(run, access, number);
    if (failure !== null) return failure;
  }
  const registered = wanted.map(({ phone }) => `${phone} is registered`);
  return { kind: "done", detail: sentenceOf([...registered, ...skipped]) };
}

/** Which numbers to register, and a text for each of the others. `named`: the only one, or null for every one that can be. */
export function registrationsOf(
  numbers: readonly NumberRegistration[],
  named: string | null,
): { wanted: NumberRegistration[]; skipped: string[] } {
  const wanted: NumberRegistration[] = [];
  const skipped: string[] = [];
  for (const number of numbers) {
    const { phone, status, verified, withApp, providerPhoneNumberId } = number;
    const isNamed = providerPhoneNumberId === named;
    if (named !== null && !isNamed) continue;
    if (withApp) skipped.push(`${phone} stays in the WhatsApp Business app and needs no registration`);
    else if (status === "connected") skipped.push(`${phone} is registered already`);
    // Of a number that was named the provider itself shall say why not.
    else if (!isNamed && (!verified || status === "unverified")) skipped.push(`${phone} is not verified`);
    else if (!isNamed && LOST.has(status)) skipped.push(`${phone} is ${status} and cannot be registered`);
    else wanted.push(number);
  }
  return { wanted, skipped };
}

/** Statuses that no registration changes (Cloud API documentation, phone numbers: status). */
const LOST: ReadonlySet<string> = new Set(["banned", "deleted", "migrated", "restricted"]);

const sentenceOf = (parts: readonly string[]): string =>
  parts.length === 0 ? "There is no phone number to register." : `${parts.join("; ")}.`;

async function registerOne(run: Run, access: AccountAccess, number: NumberRegistration): Promise<StepFailure | null> {
  const { app, workspaceId } = run;
  const { providerPhoneNumberId } = number;
  const pin = await pinOf(run, providerPhoneNumberId);
  if (pin === null)
    return failed("secrets_unreadable", `The stored PIN of ${number.phone} cannot be opened. ${GIVE_PIN}`);
  const answer = await app.provider.registerNumber({ ...access, providerPhoneNumberId, pin });
  if (!answer.ok) return refusalOf(answer.error, number);
  const sealed = sealPin(app.secrets, workspaceId, providerPhoneNumberId, pin);
  const kept = { providerPhoneNumberId, pin: sealed, now: new Date(app.clock.now()) };
  await app.db.transaction(workspaceId, (sql) => upsertPinRow(sql, workspaceId, kept));
  return null;
}

/** The PIN that was given; else the number's own, or a new one, which is stored before it is used: a repetition must have the same. */
async function pinOf({ app, workspaceId, row }: Run, providerPhoneNumberId: string): Promise<string | null> {
  if (row.pin !== null) return openOf(app.secrets, { workspaceId, signupId: row.id }, "pin", row.pin);
  const fresh = String(randomInt(1_000_000)).padStart(6, "0");
  const sealed = sealPin(app.secrets, workspaceId, providerPhoneNumberId, fresh);
  const kept = await app.db.transaction(workspaceId, (sql) =>
    insertOrSelectPinRow(sql, workspaceId, { providerPhoneNumberId, pin: sealed, now: new Date(app.clock.now()) }),
  );
  return openPin(app.secrets, workspaceId, providerPhoneNumberId, kept);
}

const GIVE_PIN = "Resume with the number's two-step PIN as pin.";

/** When a refused registration is tried again, by the provider's code (Cloud API documentation, error codes 133008 to 133016). */
const PAUSES_MS: ReadonlyMap<number, number> = new Map([
  // Too many wrong PINs: the provider names the time in its text alone.
  [133008, HOUR_MS],
  [133009, MINUTE_MS],
  // Deleted a moment ago: five minutes.
  [133015, 5 * MINUTE_MS],
  // Ten registrations in 72 hours: it may last longer than a signup is tried.
  [133016, 6 * HOUR_MS],
]);

function refusalOf(error: ProviderError, { phone }: NumberRegistration): StepFailure {
  const { provider } = error;
  const afterMs = PAUSES_MS.get(provider?.code ?? 0);
  if (afterMs !== undefined) {
    const detail = `The provider does not register ${phone} now: ${reasonOf(error)}. It is tried again.`;
    return {
      kind: "retry",
      error: { code: "provider_unavailable", detail, retryable: true, provider },
      afterMs,
    };
  }
  if (provider?.code === 133005)
    return failed(
      "pin_wrong",
      `${phone} has a two-step PIN that is another one: it was registered elsewhere before. ${GIVE_PIN} The customer can reset it in WhatsApp Manager.`,
      provider,
    );
  if (provider?.code === 133006)
    return failed(
      "phone_number_not_verified",
      `${phone} must be verified before it can be registered: verify it in the signup dialog or in WhatsApp Manager, then resume.`,
      provider,
    );
  return ofProvider(error, `${phone} is not registered: settle that at the provider, then resume.`);
}
