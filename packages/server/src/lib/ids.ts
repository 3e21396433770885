import { randomFillSync } from "node:crypto";
import { V7Generator } from "uuidv7";

/** The prefixes of public ids, which stand for what an id names. Each feature adds its own (`ids` of its declaration). */
export interface IdPrefixes {}
export type IdPrefix = keyof IdPrefixes;

/** The workspace id of operator calls, which belong to no workspace. */
export const NIL_WORKSPACE = "00000000-0000-0000-0000-000000000000";

/** Random numbers of 256 ids at a time: asking the system costs as much for one as for a thousand. */
const randomNumbers = new Uint32Array(256);
let taken = randomNumbers.length;

const generator = new V7Generator({
  nextUint32() {
    if (taken === randomNumbers.length) {
      randomFillSync(randomNumbers);
      taken = 0;
    }
    return randomNumbers[taken++] as number;
  },
});
/** A clock that steps back by less than this still yields growing ids; after a larger step they restart (RFC 9562, 6.2). */
const ROLLBACK_ALLOWANCE_MS = 10_000;

/**
 * A text is written in one piece, from its character codes: one that grows by a character or two leaves as many pieces behind, 1,400
 * bytes for each uuid and 400 for each id instead of 320 and 80. Calls do not overlap, so they share the place.
 */
const uuidCodes = Array.from({ length: 36 }, () => "-".charCodeAt(0));
const idCodes = Array.from({ length: 26 }, () => 0);
const HEX_CODES = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));

/** A new UUIDv7 (RFC 9562) at `nowMs`, as PostgreSQL writes it. Growing within a process. */
export function newUuid(nowMs: number): string {
  const { bytes } = generator.generateOrResetCore(Math.floor(nowMs), ROLLBACK_ALLOWANCE_MS);
  let at = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    if (at === 8 || at === 13 || at === 18 || at === 23) at += 1; // hyphens
    uuidCodes[at++] = HEX_CODES[byte >> 4] as number;
    uuidCodes[at++] = HEX_CODES[byte & 15] as number;
  }
  return String.fromCharCode(...uuidCodes);
}

/** The smallest UUIDv7 of a millisecond: the bound of partitions and time filters. */
export function uuidFloor(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The uuid just below one that is not zero. */
export function uuidBefore(uuid: string): string {
  const hex = (BigInt(`0x${uuid.replaceAll("-", "")}`) - 1n).toString(16).padStart(32, "0");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The millisecond in a UUIDv7. */
export const timeOfUuid = (uuid: string): number => Number.parseInt(`${uuid.slice(0, 8)}${uuid.slice(9, 13)}`, 16);

// Crockford base32, lower case: 26 characters for 128 bits, sorted like the bytes (the TypeID text form).
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
/** Character codes of five bits. */
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
/** By character code; 32 for characters outside the alphabet. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = ALPHABET.indexOf(String.fromCharCode(code));
  return value < 0 ? 32 : value;
});
const HEX_STEP = 5; // 20 bits: four characters of the alphabet

/** Values of hexadecimal digits, by character code. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 0 : value;
});

/** `msg` + uuid → `msg_01jd…`. Some fifty calls for each message: without calling built-ins for its characters it takes half the time. */
export function formatId(prefix: IdPrefix, uuid: string): string {
  let length = 0;
  let bits = 0;
  let bitCount = 2; // 26 characters hold 130 bits: two leading zeros
  for (let at = 0; at < 36; at++) {
    if (at === 8 || at === 13 || at === 18 || at === 23) continue; // hyphens
    bits = (bits << 4) | (DIGITS[uuid.charCodeAt(at)] ?? 0);
    bitCount += 4;
    if (bitCount < 10) continue;
    bitCount -= 10;
    idCodes[length++] = CODES[(bits >> bitCount) >> 5] as number;
    idCodes[length++] = CODES[(bits >> bitCount) & 31] as number;
    bits &= (1 << bitCount) - 1;
  }
  return `${prefix}_${String.fromCharCode(...idCodes)}`;
}

/** `msg_01jd…` → uuid, or null when the text is not an id with this prefix. */
export function parseId(prefix: IdPrefix, text: string): string | null {
  const head = prefix.length + 1;
  if (text.length !== head + 26 || !text.startsWith(prefix) || text[prefix.length] !== "_") return null;
  const first = bitsOf(text, head, 2);
  if (first > 0xff) return null;
  let hex = first.toString(16).padStart(2, "0");
  for (let at = head + 2; at < text.length; at += 4) {
    const bits = bitsOf(text, at, 4);
    if (bits > 0xfffff) return null;
    hex += bits.toString(16).padStart(HEX_STEP, "0");
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

// Infinity for a character outside the alphabet.
function bitsOf(text: string, from: number, count: number): number {
  let bits = 0;
  for (let at = from; at < from + count; at++) {
    const value = VALUES[text.charCodeAt(at)] ?? 32;
    if (value === 32) return Number.POSITIVE_INFINITY;
    bits = bits * 32 + value;
  }
  return bits;
}
