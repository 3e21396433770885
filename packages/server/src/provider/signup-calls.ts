import type { AccountAccess, CallResult } from "./call-result.ts";

/** The calls of an embedded signup, by which an account that a customer has granted in the provider's dialog becomes ours. */
export type SignupCalls = {
  /** The address of the dialog, to which the caller adds its `state`; null without an app. */
  signupDialog(dialog: { configId: string; redirectUri: string }): string | null;
  /** Exchanges the code of the dialog for the customer's token. A code works once and lives for seconds: no call for a second try. */
  exchangeCode(request: CodeExchange): Promise<CallResult<ExchangedToken>>;
  /** What a token may do, by the provider's own account of it. A token that is not valid is an error of class `token`. */
  inspectToken(request: { accessToken: string }): Promise<CallResult<InspectedToken>>;
  /** The account's numbers, with what decides whether each can and need be registered. */
  listRegistrations(account: AccountAccess): Promise<CallResult<NumberRegistration[]>>;
  /** Registers a number for sending; safe to repeat with the same PIN. The first PIN of a number becomes its two-step PIN. */
  registerNumber(request: RegisterRequest): Promise<CallResult<null>>;
};

/** `redirectUri`: what the dialog returned the code to, which the provider compares; null for a code that came without one. */
export type CodeExchange = { code: string; redirectUri: string | null; signal?: AbortSignal };

/** `expiresInSeconds`: null for a token that does not expire. */
export type ExchangedToken = { accessToken: string; expiresInSeconds: number | null };

export type InspectedToken = {
  /** It was issued to our app. */
  isOurs: boolean;
  /** Permissions that it needs and was not granted, by the provider's names. */
  missingScopes: string[];
  /** The accounts that all of its permissions were granted for, by the provider's ids; null: every one that it can read. */
  accountIds: string[] | null;
  /** Milliseconds; null: it does not expire. */
  expiresAt: number | null;
};

export type NumberRegistration = {
  providerPhoneNumberId: string;
  /** E.164 with `+`. */
  phone: string;
  /** As of `ProviderPhoneNumber`: a `connected` number is registered. */
  status: string;
  /** The customer has proved that the number is theirs, which the provider asks for before it is registered. */
  verified: boolean;
  /** It stays in use in the WhatsApp Business app, and is connected without a registration. */
  withApp: boolean;
};

/** `pin`: six digits. */
export type RegisterRequest = AccountAccess & { providerPhoneNumberId: string; pin: string };
