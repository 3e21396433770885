import type { AccountAccess, ProviderError } from "./call-result.ts";

/** Calls that a client words itself, in the provider's own form: rebuilt here, never forwarded. */
export type PassedCalls = {
  /**
   * Makes one call with the account's token, under our version, with our headers. A redirect is not followed, and an answer that is not
   * JSON is not returned.
   */
  pass(request: PassedRequest): Promise<PassedResult>;
};

export type PassedRequest = AccountAccess & {
  method: "GET" | "POST" | "DELETE";
  /** The path below the version. Each is encoded; none may be empty, `.` or `..`, or have a slash. */
  segments: readonly string[];
  /** Without token and proof, which are added here. */
  query: Readonly<Record<string, string>>;
  body: PassedBody | null;
  /** From the call to the last byte of the answer. */
  withinMs: number;
};

export type PassedBody =
  | { kind: "json"; value: Readonly<Record<string, unknown>> }
  | { kind: "form"; parts: readonly PassedPart[] };

/** A field of a form, or a file of it. */
export type PassedPart = { name: string; value: string } | { name: string; file: PassedFile };
export type PassedFile = { name: string; type: string; bytes: Uint8Array };

/** What the provider said: the status and the JSON of its answer, which may be its error. Of an error it may have the secrets of the call. */
export type PassedAnswer = { status: number; body: unknown };

/**
 * `answer` of a failed call is null where there was none in JSON. `lost`: it may have been done all the same. Nothing was sent where
 * `error.bytesSent` is false. `secrets` are those that the call carried: an answer may repeat them.
 */
export type PassedResult = { secrets: readonly string[] } & (
  | { ok: true; answer: PassedAnswer }
  | { ok: false; error: ProviderError; lost: boolean; answer: PassedAnswer | null }
);
