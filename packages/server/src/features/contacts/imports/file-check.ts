import { isUtf8 } from "node:buffer";
import { Problem } from "../../../http/problem.ts";
import { HEAD_BYTES } from "./reading.ts";

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
export const BOM_BYTES = BOM.length;
/** Longest part of a character that a chunk can end with. */
const MOST_PENDING = 3;

/** The beginnings of files that are something else; what to do about it. */
const OTHERS: readonly { bytes: readonly number[]; what: string }[] = [
  { bytes: [0xff, 0xfe], what: "The file is UTF-16: save it as UTF-8 (in Excel: `CSV UTF-8`)." },
  { bytes: [0xfe, 0xff], what: "The file is UTF-16: save it as UTF-8 (in Excel: `CSV UTF-8`)." },
  { bytes: [0x1f, 0x8b], what: "The file is compressed by gzip: send it uncompressed." },
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: "The file is a ZIP archive or a spreadsheet: export it as CSV." },
];

/**
 * Looks at the bytes of a file as they pass: it must be UTF-8 without NUL. Checked ahead of the import, so that a file in another
 * encoding is refused whole instead of giving names with wrong letters. Keeps the first bytes.
 */
export class FileCheck {
  #head: Buffer = Buffer.alloc(0);
  /** The bytes of a character whose end is in the next chunk. */
  #pending: Buffer = Buffer.alloc(0);
  #seen = 0;

  /** The first bytes without a byte order mark; enough for the names of columns. */
  get head(): Buffer {
    return this.hasBom ? this.#head.subarray(BOM_BYTES) : this.#head;
  }

  get hasBom(): boolean {
    return this.#head.subarray(0, BOM_BYTES).equals(BOM);
  }

  /** True once no later byte changes `head`. */
  get headIsWhole(): boolean {
    return this.#head.length > HEAD_BYTES;
  }

  /** The same bytes; throws at the first that no text has. */
  async *checked(bytes: AsyncIterable<Buffer>, onHead: () => void): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      const knew = this.headIsWhole;
      this.#take(chunk);
      if (!knew && this.headIsWhole) onHead();
      yield chunk;
    }
    if (this.#pending.length > 0) throw notUtf8(this.#seen);
    if (this.head.length === 0) throw refused("The file is empty.");
  }

  #take(chunk: Buffer): void {
    if (!this.headIsWhole) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES + BOM_BYTES + 1)]);
      const other = OTHERS.find(({ bytes }) => this.#head.subarray(0, bytes.length).equals(Buffer.from(bytes)));
      if (other !== undefined) throw refused(other.what);
    }
    const nul = chunk.indexOf(0);
    if (nul >= 0)
      throw refused(`The file has a NUL character at byte ${this.#seen + nul + 1}: it is no text in UTF-8.`);
    const text = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const end = text.length - unfinished(text);
    if (!isUtf8(text.subarray(0, end))) throw notUtf8(this.#seen - this.#pending.length + firstFault(text, end));
    this.#pending = Buffer.from(text.subarray(end));
    this.#seen += chunk.length;
  }
}

/** How many bytes at the end begin a character that is not whole. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(MOST_PENDING, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
    if (needs > 0) return needs > back ? back : 0;
  }
  return 0;
}

/** The length of the longest beginning that is UTF-8, or a few bytes less. */
function firstFault(bytes: Buffer, end: number): number {
  let [good, bad] = [0, end];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const part = bytes.subarray(good, middle);
    if (isUtf8(part.subarray(0, part.length - unfinished(part)))) good = middle - unfinished(part);
    else bad = middle;
    if (bad - good <= MOST_PENDING + 1) break;
  }
  return good;
}

const notUtf8 = (at: number): Problem =>
  refused(`The file is not UTF-8 near byte ${at + 1}: save it as UTF-8 (in Excel: \`CSV UTF-8\`).`);
const refused = (detail: string): Problem =>
  new Problem("invalid_request", detail, { errors: [{ pointer: "", code: "invalid_file", detail }] });
