import { createHash } from "node:crypto";
import { canonicalJson } from "../../http/idempotency-key.ts";

/** What distinguishes a repetition of the provider from something new: `said` is all that it said, with the account and the provider's time. */
export const noticeDigest = (said: readonly unknown[]): Buffer =>
  createHash("sha256").update(canonicalJson(said)).digest();
