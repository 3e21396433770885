import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { isKnownTag } from "../known-tag.ts";
import type { RawAnswer, RawHead } from "../route.ts";
import { type Bytes, type Encoding, encodingsIn } from "./console-files.ts";
import { etagOfBytes } from "./page.ts";

/** Of brotli: 11 takes a second and a half of the document and saves a tenth. */
const QUALITY = 6;
/** Below it the header of the encoding costs what it saves. */
const SMALLEST_BYTES = 1_024;

/** A text that browsers get, compressed once for all who take an encoding, off the main thread, when the first of them asks. */
export class EncodedText {
  readonly #plain: Bytes;
  readonly #encoded = new Map<Encoding, Promise<Bytes>>();

  constructor(text: string) {
    const body = Buffer.from(text);
    this.#plain = { body, etag: etagOfBytes(body) };
  }

  /** What it may hold, roughly: text is compressed to a quarter or less, in two encodings. */
  get mostBytes(): number {
    return Math.ceil(this.#plain.body.length * 1.5);
  }

  /** The answer to a request, which has no body where its bytes are known already: they are kept, and compared at each use. */
  async answer({ headers }: Pick<RawHead, "headers">, own: Readonly<Record<string, string>>): Promise<RawAnswer> {
    const [best] = encodingsIn(String(headers["accept-encoding"] ?? ""));
    const encoding = this.#plain.body.length < SMALLEST_BYTES ? undefined : best;
    const { body, etag } = encoding === undefined ? this.#plain : await this.#in(encoding);
    const all = {
      "cache-control": "no-cache",
      "referrer-policy": "no-referrer",
      vary: "accept-encoding",
      ...own,
      etag,
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    };
    return isKnownTag(headers["if-none-match"], etag)
      ? { status: 304, headers: all, body: "" }
      : { status: 200, headers: all, body };
  }

  #in(encoding: Encoding): Promise<Bytes> {
    const known = this.#encoded.get(encoding) ?? compressed(this.#plain.body, encoding);
    this.#encoded.set(encoding, known);
    return known;
  }
}

async function compressed(plain: Buffer, encoding: Encoding): Promise<Bytes> {
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
  };
  const body = encoding === "br" ? await promisify(brotliCompress)(plain, { params }) : await promisify(gzip)(plain);
  return { body, etag: etagOfBytes(body) };
}
