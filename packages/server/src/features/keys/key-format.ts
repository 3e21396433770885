import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

// wp_live_<12 hint>_<43 random><6 checksum>, all base62: 43 characters hold 256 bits.
const PREFIX = "wp_live_";
const HINT_LENGTH = 12;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const LENGTH = PREFIX.length + HINT_LENGTH + 1 + SECRET_LENGTH + CHECKSUM_LENGTH;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${HINT_LENGTH}}_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Generates an API key: the text that is returned once, and the part of it that a list may contain. */
export function newKeyText(): { text: string; hint: string } {
  const hint = randomBase62(HINT_LENGTH);
  const unchecked = `${PREFIX}${hint}_${randomBase62(SECRET_LENGTH)}`;
  return { text: unchecked + checksum(unchecked), hint };
}

/**
 * True for a text that `newKeyText` once generated, as far as the checksum can tell. Typos and truncated keys are detected
 * without the database, and a scanner for leaked secrets needs no list of keys.
 */
export function isKeyText(text: string): boolean {
  if (text.length !== LENGTH || !SHAPE.test(text)) return false;
  const end = LENGTH - CHECKSUM_LENGTH;
  return text.slice(end) === checksum(text.slice(0, end));
}

/** SHA-256 in hex: what is stored. No salt and no slow hash, because 256 random bits cannot be guessed. */
export const digestOfKey = (text: string): string => hash("sha256", text, "hex");

/**
 * The digest under which the secret of a limited key, or of its session, is stored, from its usual one. Processes of versions that know
 * no limits look for the usual one: they do not find it and refuse the key, instead of letting it use all numbers.
 */
export const limitedDigest = (digest: string): string => hash("sha256", `limited ${digest}`, "hex");

function checksum(text: string): string {
  let rest = crc32(text);
  let out = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out = BASE62.charAt(rest % 62) + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

/** Bytes from here on are discarded: 248 is the largest multiple of 62 in a byte, so all characters stay equally likely. */
const FAIR_BYTES = 248;

function randomBase62(length: number): string {
  let out = "";
  while (out.length < length) {
    for (const byte of randomBytes(length))
      if (byte < FAIR_BYTES && out.length < length) out += BASE62.charAt(byte % 62);
  }
  return out;
}
