import { V7Generator } from "uuidv7";

/** What an id names; the prefix of its public form (api.md 1). */
export type IdPrefix =
  | "ws"
  | "key"
  | "msg"
  | "tpl"
  | "con"
  | "seg"
  | "whe"
  | "evt"
  | "dlv"
  | "rpl"
  | "acc"
  | "num"
  | "med"
  | "sgn"
  | "imp"
  | "aud"
  | "qrn";

/** Scope of operator calls, which belong to no workspace. */
export const NIL_WORKSPACE = "00000000-0000-0000-0000-000000000000";

const generator = new V7Generator();
/** A clock that steps back less than this still yields growing ids; a larger step starts anew (RFC 9562, 6.2). */
const ROLLBACK_ALLOWANCE_MS = 10_000;

/** A new UUIDv7 (RFC 9562) at `nowMs`, as PostgreSQL writes it. Growing within a process. */
export function newUuid(nowMs: number): string {
  return generator.generateOrResetCore(Math.floor(nowMs), ROLLBACK_ALLOWANCE_MS).toString();
}

/** The smallest UUIDv7 of a millisecond: the bound of partitions and time filters. */
export function uuidFloor(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

// Crockford base32, lower case: 26 characters for 128 bits, sorted like the bytes (the TypeID text form).
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const VALUE = new Map(Array.from(ALPHABET, (character, index) => [character, BigInt(index)] as const));

/** `msg` + uuid → `msg_01jd…`. */
export function formatId(prefix: IdPrefix, uuid: string): string {
  // Two halves of plain numbers would need 13-digit care; five-bit steps over the hex text stay exact and fast.
  const hex = uuid.replaceAll("-", "");
  let out = "";
  let bits = 0;
  let held = 2; // 128 bits are 26 characters of 5 bits with two leading zero bits
  for (let i = 0; i < 32; i++) {
    bits = (bits << 4) | Number.parseInt(hex[i] ?? "0", 16);
    held += 4;
    while (held >= 5) {
      held -= 5;
      out += ALPHABET[(bits >> held) & 31];
      bits &= (1 << held) - 1;
    }
  }
  return `${prefix}_${out}`;
}

/** `msg_01jd…` → uuid, or null when the prefix or the text is not one of ours. */
export function parseId(prefix: IdPrefix, text: string): string | null {
  const head = `${prefix}_`;
  if (text.length !== head.length + 26 || !text.startsWith(head)) return null;
  let value = 0n;
  for (const character of text.slice(head.length)) {
    const five = VALUE.get(character);
    if (five === undefined) return null;
    value = (value << 5n) | five;
  }
  if (value >> 128n) return null;
  const hex = value.toString(16).padStart(32, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
