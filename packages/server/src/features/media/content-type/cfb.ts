import type { FileHandle } from "node:fs/promises";
import { readAt } from "./read-at.ts";

/** How a compound file begins (MS-CFB): the Office documents of before 2007, and encrypted ones. */
export const CFB_MAGIC = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** Of the directory: a document has some dozens of streams. */
const MOST_SECTORS = 64;
/** Sectors of the table that the header itself names; it covers 6 MB of small sectors, and the directory is nearly always in them. */
const TABLES_IN_HEADER = 109;
const NO_SECTOR = 0xfffffff0;

/** What a compound file is by the stream that each document of the type has. */
const DOCUMENTS: readonly (readonly [string, string])[] = [
  ["WordDocument", "application/msword"],
  ["Workbook", "application/vnd.ms-excel"],
  ["Book", "application/vnd.ms-excel"],
  ["PowerPoint Document", "application/vnd.ms-powerpoint"],
];
const ENCRYPTED = "EncryptedPackage";
const OOXML = "application/vnd.openxmlformats-officedocument";
/** Of a document with a password nothing can be read but that it is one: its name says which. */
const ENCRYPTED_TYPES: Readonly<Record<string, string>> = {
  docx: `${OOXML}.wordprocessingml.document`,
  xlsx: `${OOXML}.spreadsheetml.sheet`,
  pptx: `${OOXML}.presentationml.presentation`,
};

/** The type of an Office document in a compound file; null for any other, such as an installer or a mail. */
export async function typeOfCfb(file: FileHandle, size: number, filename: string | null): Promise<string | null> {
  const streams = await streamsIn(file, size);
  if (streams.has(ENCRYPTED)) {
    const extension = /\.(\w+)$/.exec(filename ?? "")?.[1]?.toLowerCase() ?? "";
    return ENCRYPTED_TYPES[extension] ?? null;
  }
  return DOCUMENTS.find(([stream]) => streams.has(stream))?.[1] ?? null;
}

/** The names of the streams, sector by sector of the directory. */
async function streamsIn(file: FileHandle, size: number): Promise<Set<string>> {
  const names = new Set<string>();
  const header = await readAt(file, 0, HEADER_BYTES);
  const shift = header.length < HEADER_BYTES ? 0 : header.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return names;
  const sectorBytes = 2 ** shift;
  const sector = (number: number): Promise<Buffer> => readAt(file, (number + 1) * sectorBytes, sectorBytes);
  let next = header.readUInt32LE(48);
  for (let read = 0; next < NO_SECTOR && read < MOST_SECTORS && (next + 1) * sectorBytes < size; read++) {
    const entries = await sector(next);
    for (let at = 0; at + ENTRY_BYTES <= entries.length; at += ENTRY_BYTES) names.add(nameOf(entries.subarray(at)));
    const table = Math.floor(next / (sectorBytes / 4));
    if (table >= TABLES_IN_HEADER) return names;
    const following = await sector(header.readUInt32LE(76 + table * 4));
    const at = (next % (sectorBytes / 4)) * 4;
    if (at + 4 > following.length) return names;
    next = following.readUInt32LE(at);
  }
  return names;
}

/** UTF-16 with a zero at the end; its length in bytes stands behind it. */
function nameOf(entry: Buffer): string {
  const length = entry.readUInt16LE(64);
  return length < 2 || length > 64 ? "" : entry.toString("utf16le", 0, length - 2);
}
