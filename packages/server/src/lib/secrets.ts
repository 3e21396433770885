import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/** Encryption of secrets at rest, and authentication codes under a key derived from the same root. */
export class Secrets {
  readonly #first: Key;
  readonly #keys: Key[];

  /** `keys`: 32 bytes each; the first one encrypts, all decrypt (WAYPOST_ENCRYPTION_KEY). */
  constructor(keys: Uint8Array[]) {
    this.#keys = keys.map(deriveKey);
    const first = this.#keys[0];
    if (!first) throw new Error("Secrets needs at least one key");
    this.#first = first;
  }

  /** AES-256-GCM; `context` binds the bytes to their row, so that a copy in another row cannot be opened. */
  seal(plain: string | Uint8Array, context: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#first.seal, iv);
    cipher.setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([this.#first.id, iv, body, cipher.getAuthTag()]);
  }

  /** Throws when no configured key opens it or the context differs. */
  open(sealed: Uint8Array, context: string): Buffer {
    const bytes = Buffer.from(sealed);
    const id = bytes.subarray(0, KEY_ID_BYTES);
    const key = this.#keys.find((candidate) => candidate.id.equals(id));
    if (!key) throw new Error("sealed with a key that is not configured (WAYPOST_ENCRYPTION_KEY)");
    const iv = bytes.subarray(KEY_ID_BYTES, KEY_ID_BYTES + IV_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", key.seal, iv);
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    return Buffer.concat([
      decipher.update(bytes.subarray(KEY_ID_BYTES + IV_BYTES, bytes.length - TAG_BYTES)),
      decipher.final(),
    ]);
  }

  /** HMAC-SHA-256 under a key for what leaves the gateway and comes back unchanged, such as an address. */
  sign(bytes: Uint8Array): Buffer {
    return createHmac("sha256", this.#first.sign).update(bytes).digest();
  }

  /** True for the signature of these bytes under any configured key. Constant time. */
  isSigned(bytes: Uint8Array, signature: Uint8Array): boolean {
    return this.#keys.some((key) => {
      const own = createHmac("sha256", key.sign).update(bytes).digest();
      return own.length === signature.length && timingSafeEqual(own, signature);
    });
  }

  /** Hex of an HMAC that says whether two values are the same to whom has the key, and nothing to anyone else. */
  digest(text: string): string {
    return createHmac("sha256", this.#first.digest).update(text).digest("hex");
  }

  /** The first 8 hex characters of an HMAC over `text`, under a key of its own: distinguishes our values from forged ones. */
  mac(text: string): string {
    return macOf(this.#first, text);
  }

  /** True when `mac` is that of `text` under any configured key. Constant time. */
  macFits(text: string, mac: string): boolean {
    return this.#keys.some((key) => equal(macOf(key, text), mac));
  }
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;
const MAC_HEX = 8;

type Key = { id: Buffer; seal: Buffer; mac: Buffer; sign: Buffer; digest: Buffer };

function deriveKey(root: Uint8Array): Key {
  return {
    id: createHash("sha256").update("waypost key id").update(root).digest().subarray(0, KEY_ID_BYTES),
    seal: Buffer.from(hkdfSync("sha256", root, "", "waypost secrets at rest", 32)),
    mac: Buffer.from(hkdfSync("sha256", root, "", "waypost correlation value", 32)),
    sign: Buffer.from(hkdfSync("sha256", root, "", "waypost signed addresses", 32)),
    digest: Buffer.from(hkdfSync("sha256", root, "", "waypost digests of content", 32)),
  };
}

const macOf = (key: Key, text: string): string =>
  createHmac("sha256", key.mac).update(text).digest("hex").slice(0, MAC_HEX);

function equal(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
