import { hash, randomBytes } from "node:crypto";
import type { Caller } from "../../http/caller.ts";

const VALID_MS = 10 * 60_000;
/** Codes that wait; the oldest is forgotten past it. */
const MOST = 100;

/** Codes that sign in once, for a link on the terminal of this machine. Kept in memory, hashed. */
export class OneTimeCodes {
  readonly #now: () => number;
  readonly #codes = new Map<string, { caller: Caller; endsAt: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A code for the caller, ten minutes long. */
  create(caller: Caller): { code: string; endsAt: number } {
    const code = randomBytes(24).toString("base64url");
    const endsAt = this.#now() + VALID_MS;
    this.#codes.set(digestOf(code), { caller, endsAt });
    for (const [digest] of this.#codes) {
      if (this.#codes.size <= MOST) break;
      this.#codes.delete(digest);
    }
    return { code, endsAt };
  }

  /** The caller of a code that was not taken before. */
  take(code: string): Caller | null {
    const digest = digestOf(code);
    const known = this.#codes.get(digest);
    this.#codes.delete(digest);
    return known !== undefined && this.#now() < known.endsAt ? known.caller : null;
  }
}

const digestOf = (code: string): string => hash("sha256", code, "hex");
