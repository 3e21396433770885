import { randomBytes } from "node:crypto";

/** Unless it is given another time, a code lives as long as the provider's (provider reference 8.3). */
const CODE_LIVES_MS = 30_000;
export const SIGNUP_SCOPES = ["whatsapp_business_management", "whatsapp_business_messaging"] as const;
/** Codes and tokens kept; beyond it the oldest are forgotten. */
const KEPT = 10_000;

/**
 * A code as the dialog gives it out when a customer has granted accounts. `code`: this one instead of a new one, also in place of a
 * `code-…` that always works. `scopes`: what was granted (both). `targets`: whether the granular scopes name the accounts or
 * hold for `all`. `redirect_uri`: where the dialog sent it, which must be named again at its exchange. `app_id`: of another app. `used`: it was exchanged before. `token_expires_in_ms`: null, never. `report: false`:
 * without the callbacks of a completed dialog.
 */
export type SignupCodeInput = {
  waba_ids: readonly string[];
  code?: string;
  redirect_uri?: string;
  scopes?: readonly string[];
  targets?: "named" | "all";
  expires_in_ms?: number;
  used?: boolean;
  app_id?: string;
  token_expires_in_ms?: number | null;
  report?: boolean;
};

/** Times in milliseconds of the simulator's clock. */
type SignupCode = { token: string; expiresAt: number; used: boolean; redirectUri: string | null };

/** What a customer's token may do. */
export type Grant = {
  wabaIds: readonly string[];
  scopes: readonly string[];
  targets: "named" | "all";
  appId: string;
  issuedAt: number;
  expiresAt: number | null;
};

/** The codes and customers' tokens of signup dialogs. */
export class Signups {
  readonly #codes = new Map<string, SignupCode>();
  readonly #grants = new Map<string, Grant>();

  /** `appId`: of the app that the code is for, unless the input says another. */
  issue(input: SignupCodeInput, { appId, now }: { appId: string; now: number }): string {
    const token = `EAASIG${randomBytes(20).toString("hex")}`;
    const code = input.code ?? `AQ${randomBytes(24).toString("base64url")}`;
    const lives = input.token_expires_in_ms ?? null;
    keep(this.#grants, token, {
      wabaIds: input.waba_ids,
      scopes: input.scopes ?? SIGNUP_SCOPES,
      targets: input.targets ?? "named",
      appId: input.app_id ?? appId,
      issuedAt: now,
      expiresAt: lives === null ? null : now + lives,
    });
    keep(this.#codes, code, {
      token,
      expiresAt: now + (input.expires_in_ms ?? CODE_LIVES_MS),
      used: input.used ?? false,
      redirectUri: input.redirect_uri ?? null,
    });
    return code;
  }

  /** Where the dialog sent a code: null for nowhere, undefined for one that was never issued. */
  redirectOf(code: string): string | null | undefined {
    return this.#codes.get(code)?.redirectUri;
  }

  /** The token for a code: null for one that is spent, undefined for one that was never issued. */
  exchange(code: string, now: number): { token: string; expiresInSeconds: number | null } | null | undefined {
    const issued = this.#codes.get(code);
    if (issued === undefined) return undefined;
    if (issued.used || now >= issued.expiresAt) return null;
    issued.used = true;
    const expiresAt = this.#grants.get(issued.token)?.expiresAt ?? null;
    return { token: issued.token, expiresInSeconds: expiresAt === null ? null : Math.floor((expiresAt - now) / 1000) };
  }

  grantOf(token: string): Grant | undefined {
    return this.#grants.get(token);
  }

  clear(): void {
    this.#codes.clear();
    this.#grants.clear();
  }
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  const oldest = map.size >= KEPT ? map.keys().next() : undefined;
  if (oldest?.done === false) map.delete(oldest.value);
  map.set(key, value);
}
