import { graphRefusal } from "../protocol/error.ts";
import { accountBy } from "../simulation/objects.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { SIGNUP_SCOPES, type SignupCodeInput } from "../world/signup-grants.ts";
import type { Account } from "../world/world.ts";
import { emitAccountEvent } from "./events.ts";

/** The code of each account that always works is this prefix and the account's id. */
const MAGIC_PREFIX = "code-";
/** The provider's own words. */
const otherRedirect = () =>
  graphRefusal(
    100,
    "Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request",
    { subcode: 36008 },
  );
const spentCode = () => graphRefusal(100, "This authorization code has been used or has expired.", { subcode: 36009 });

/** The token for a code: one that was issued, once and in its seconds, or one of those that always work. */
export function exchangeCode(
  sim: Simulation,
  code: string,
  redirectUri: string | null,
): { token: string; expiresInSeconds: number | null } {
  const redirected = sim.signups.redirectOf(code);
  if (redirected !== undefined && redirected !== redirectUri) throw otherRedirect();
  const exchanged = sim.signups.exchange(code, sim.clock.nowMs());
  if (exchanged === null) throw spentCode();
  if (exchanged !== undefined) return exchanged;
  const account = code.startsWith(MAGIC_PREFIX) ? sim.world.accounts.get(code.slice(MAGIC_PREFIX.length)) : undefined;
  if (account === undefined) throw spentCode();
  return { token: account.token, expiresInSeconds: null };
}

/** Ends a dialog: the code, and the two callbacks of a completed one unless they are switched off. */
export function issueSignupCode(sim: Simulation, input: SignupCodeInput): { code: string } {
  const accounts = input.waba_ids.map((id) => accountBy(sim, id));
  const code = sim.signups.issue(input, { appId: sim.app.id, now: sim.clock.nowMs() });
  if (input.report !== false && sim.settings.signupCallbacks)
    for (const account of accounts) reportGranted(sim, account);
  return { code };
}

function reportGranted(sim: Simulation, account: Account): void {
  for (const event of ["PARTNER_ADDED", "PARTNER_APP_INSTALLED"])
    emitAccountEvent(sim, account, { waba_id: account.id, event });
}

/**
 * The accounts that a customer's token reaches, undefined for another kind of token. Throws 190 for one that has expired, 200 and
 * 10 for a call that its scopes do not allow: messages need one of them, everything else the other.
 */
export function grantedAccounts(sim: Simulation, token: string, isMessage: boolean): Account[] | undefined {
  const grant = sim.signups.grantOf(token);
  if (grant === undefined) return undefined;
  if (grant.expiresAt !== null && sim.clock.nowMs() >= grant.expiresAt)
    throw graphRefusal(190, "Error validating access token: Session has expired.", { subcode: 463 });
  const [management, messaging] = SIGNUP_SCOPES;
  if (isMessage && !grant.scopes.includes(messaging))
    throw graphRefusal(10, "(#10) Application does not have permission for this action");
  if (!isMessage && !grant.scopes.includes(management))
    throw graphRefusal(
      200,
      "(#200) You do not have the necessary permissions required to manage this WhatsApp Business Account",
    );
  return grant.wabaIds.flatMap((id) => sim.world.accounts.get(id) ?? []);
}
