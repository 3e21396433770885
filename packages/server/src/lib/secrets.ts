import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/** Encryption of secrets at rest and the keys derived from the same root. */
export type Secrets = {
  /** AES-256-GCM; `context` binds the bytes to their row, so that a copy into another row does not open. */
  seal(plain: string | Uint8Array, context: string): Buffer;
  /** Throws when no configured key opens it or the context differs. */
  open(sealed: Uint8Array, context: string): Buffer;
  /** First 8 hex characters of an HMAC over `text`, under a key of its own: tells our values from forged ones. */
  mac(text: string): string;
  /** True when `mac` fits `text` under any configured key. Constant time. */
  macFits(text: string, mac: string): boolean;
};

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;
const MAC_HEX = 8;

type Key = { id: Buffer; seal: Buffer; mac: Buffer };

/** `keys`: 32 bytes each; the first encrypts, all decrypt (WAYPOST_ENCRYPTION_KEY). */
export function createSecrets(keys: Uint8Array[]): Secrets {
  const ring = keys.map(deriveKey);
  const first = ring[0];
  if (!first) throw new Error("createSecrets needs at least one key");

  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", first.seal, iv);
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([first.id, iv, body, cipher.getAuthTag()]);
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed);
      const id = bytes.subarray(0, KEY_ID_BYTES);
      const key = ring.find((candidate) => candidate.id.equals(id));
      if (!key) throw new Error("sealed with a key that is not configured (WAYPOST_ENCRYPTION_KEY)");
      const iv = bytes.subarray(KEY_ID_BYTES, KEY_ID_BYTES + IV_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key.seal, iv);
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(KEY_ID_BYTES + IV_BYTES, bytes.length - TAG_BYTES)),
        decipher.final(),
      ]);
    },
    mac: (text) => macOf(first, text),
    macFits: (text, mac) => ring.some((key) => equal(macOf(key, text), mac)),
  };
}

function deriveKey(root: Uint8Array): Key {
  return {
    id: createHash("sha256").update("waypost key id").update(root).digest().subarray(0, KEY_ID_BYTES),
    seal: Buffer.from(hkdfSync("sha256", root, "", "waypost secrets at rest", 32)),
    mac: Buffer.from(hkdfSync("sha256", root, "", "waypost correlation value", 32)),
  };
}

const macOf = (key: Key, text: string): string =>
  createHmac("sha256", key.mac).update(text).digest("hex").slice(0, MAC_HEX);

function equal(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
