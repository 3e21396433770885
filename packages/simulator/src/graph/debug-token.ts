import type { GraphErrorBody } from "../protocol/error.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { SIGNUP_SCOPES } from "../world/signup-grants.ts";
import type { Account } from "../world/world.ts";

type Inspected = Record<string, unknown>;
/** As the answer has it: with another name for the subcode than in an error body. */
type TokenError = Pick<GraphErrorBody["error"], "code" | "message"> & { subcode?: number };

/** When the tokens of seeded accounts were issued, in Unix seconds. */
const SEEDED_AT = 1_790_000_000;
const seconds = (ms: number | null): number => (ms === null ? 0 : Math.floor(ms / 1000));

/** The `data` of a token inspection (provider reference 8.5). */
export function inspectToken(sim: Simulation, token: string): Inspected {
  const grant = sim.signups.grantOf(token);
  const accounts =
    grant === undefined
      ? (sim.world.accountsByToken.get(token) ?? [])
      : grant.wabaIds.flatMap((id) => sim.world.accounts.get(id) ?? []);
  if (accounts.length === 0) return invalid({ code: 190, message: "Invalid OAuth access token." });
  const expiresAt = grant?.expiresAt ?? null;
  const facts = {
    app_id: grant?.appId ?? sim.app.id,
    type: "SYSTEM_USER",
    application: sim.app.name,
    data_access_expires_at: 0,
    expires_at: seconds(expiresAt),
    issued_at: grant === undefined ? SEEDED_AT : seconds(grant.issuedAt),
    user_id: "8123",
  };
  const death = deathOf(accounts) ?? (expiresAt !== null && sim.clock.nowMs() >= expiresAt ? 463 : null);
  if (death !== null)
    return { ...facts, ...invalid({ code: 190, message: "Error validating access token.", subcode: death }) };
  const scopes = grant?.scopes ?? SIGNUP_SCOPES;
  const target_ids = accounts.map((account) => account.id);
  const granular = (scope: string) => (grant?.targets === "all" ? { scope } : { scope, target_ids });
  return { ...facts, is_valid: true, scopes, granular_scopes: scopes.map(granular) };
}

const invalid = (error: TokenError): Inspected => ({ error, is_valid: false, scopes: [] });

const deathOf = (accounts: readonly Account[]): number | null =>
  accounts.find((account) => account.tokenDeath !== null)?.tokenDeath ?? null;
