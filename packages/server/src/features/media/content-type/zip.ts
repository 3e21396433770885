import type { FileHandle } from "node:fs/promises";
import { readAt } from "./read-at.ts";

/** How a file begins that is a ZIP archive with something in it. */
export const ZIP_MAGIC = Buffer.from("PK\x03\x04", "latin1");

/** The record at the end of an archive, and the longest comment behind it (APPNOTE 4.3.16). */
const END_MAGIC = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const ENTRY_MAGIC = 0x02014b50;
const ENTRY_BYTES = 46;
/** Of the table of an archive: a document has some dozens of entries. */
const LARGEST_TABLE_BYTES = 4 * 1_024 * 1_024;

const OOXML = "application/vnd.openxmlformats-officedocument";
/** What an archive is by the part that each document of the type has. */
const DOCUMENTS: readonly (readonly [string, string])[] = [
  ["word/document.xml", `${OOXML}.wordprocessingml.document`],
  ["xl/workbook.xml", `${OOXML}.spreadsheetml.sheet`],
  ["ppt/presentation.xml", `${OOXML}.presentationml.presentation`],
];

/**
 * The type of an Office document (ECMA-376) by the names of its parts; null for any other archive, and for a document with macros, which
 * has a type of its own.
 */
export async function typeOfZip(file: FileHandle, size: number): Promise<string | null> {
  const names = await namesIn(file, size);
  if (!names.has("[Content_Types].xml")) return null;
  if ([...names].some((name) => /vbaProject\.bin$/i.test(name))) return null;
  return DOCUMENTS.find(([part]) => names.has(part))?.[1] ?? null;
}

/** The names of the entries; none where the table cannot be read. */
async function namesIn(file: FileHandle, size: number): Promise<Set<string>> {
  const tailAt = Math.max(0, size - END_BYTES - LONGEST_COMMENT);
  const tail = await readAt(file, tailAt, size - tailAt);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_MAGIC) continue;
    const [length, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
    if (length > LARGEST_TABLE_BYTES || start + length > size) return new Set();
    return entriesOf(await readAt(file, start, length));
  }
  return new Set();
}

function entriesOf(table: Buffer): Set<string> {
  const names = new Set<string>();
  for (let at = 0; at + ENTRY_BYTES <= table.length && table.readUInt32LE(at) === ENTRY_MAGIC; ) {
    const [name, extra, comment] = [
      table.readUInt16LE(at + 28),
      table.readUInt16LE(at + 30),
      table.readUInt16LE(at + 32),
    ];
    names.add(table.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + name));
    at += ENTRY_BYTES + name + extra + comment;
  }
  return names;
}
