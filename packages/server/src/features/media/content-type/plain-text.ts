import type { FileHandle } from "node:fs/promises";

const PIECE_BYTES = 64 * 1_024;
/** How pages, pictures and scripts begin that a browser would run. A sentence begins otherwise. */
const MARKUP = /^(?:\uFEFF|\s)*<[a-z!?/]/i;

/**
 * Whether all of a file is text that people read: no control characters but the usual ones, in any encoding that keeps those apart, and
 * not HTML, SVG or XML.
 */
export async function isPlainText(file: FileHandle, size: number): Promise<boolean> {
  const buffer = Buffer.alloc(PIECE_BYTES);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, at);
    if (bytesRead === 0) return false;
    const piece = buffer.subarray(0, bytesRead);
    if (piece.some(isControl)) return false;
    if (at === 0 && MARKUP.test(piece.toString("utf8", 0, 1_024))) return false;
    at += bytesRead;
  }
  return size > 0;
}

/** Of ASCII; tab, line feed, form feed and carriage return are text. */
const isControl = (byte: number): boolean =>
  (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d) || byte === 0x7f;
