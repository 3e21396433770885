import { type FileHandle, open } from "node:fs/promises";
import { type FileTypeResult, fileTypeFromBuffer } from "file-type";
import { type FileType, fileTypeOf } from "../media-types.ts";
import { CFB_MAGIC, typeOfCfb } from "./cfb.ts";
import { isPlainText } from "./plain-text.ts";
import { readAt } from "./read-at.ts";
import { typeOfZip, ZIP_MAGIC } from "./zip.ts";

/** Enough for every signature that is looked for. */
const HEAD_BYTES = 16 * 1_024;

/** How the sender calls a file: what decides between types whose bytes are the same. */
export type Said = { filename: string | null; mimeType: string | null };

/**
 * The type of a file by its bytes, whatever it is called; null when it is none that the provider takes. Archives are never unpacked:
 * what is in them is known by the names in their tables.
 */
export async function detectType(path: string, size: number, said: Said): Promise<FileType | null> {
  const file = await open(path, "r");
  try {
    const head = await readAt(file, 0, HEAD_BYTES);
    const office = await officeTypeOf(file, size, head, said);
    if (office !== undefined) return office === null ? null : fileTypeOf(office);
    // What a file breaks off in the middle of is no type.
    const found = await fileTypeFromBuffer(head).catch(() => undefined);
    const known = found && fileTypeOf(spelled(found, said), { isAnimated: isAnimatedWebp(head) });
    // A text may begin like a file of a type that is not taken, such as with `BM`.
    return known ?? ((await isPlainText(file, size)) ? fileTypeOf("text/plain") : null);
  } finally {
    await file.close();
  }
}

/** Undefined for a file that is neither of the two forms of Office documents. */
async function officeTypeOf(
  file: FileHandle,
  size: number,
  head: Buffer,
  { filename }: Said,
): Promise<string | null | undefined> {
  if (head.subarray(0, ZIP_MAGIC.length).equals(ZIP_MAGIC)) return await typeOfZip(file, size);
  if (head.subarray(0, CFB_MAGIC.length).equals(CFB_MAGIC)) return await typeOfCfb(file, size, filename);
  return undefined;
}

/** As the provider spells it. MP4 with sound alone and with a picture begin alike: there the sender's word counts. */
function spelled({ mime, ext }: FileTypeResult, { filename, mimeType }: Said): string {
  // Of the three layers the provider takes the third; a text in UTF-16 begins like one of the others.
  if (mime === "audio/mpeg" && ext !== "mp3") return `audio/${ext}`;
  if (mime === "audio/ogg; codecs=opus") return "audio/ogg";
  if (mime === "audio/ogg") return "audio/vorbis"; // the provider takes Opus alone
  if (mime === "audio/x-m4a") return "audio/mp4";
  if (mime === "video/x-m4v") return "video/mp4";
  return mime === "video/mp4" && isSaidSound(filename, mimeType) ? "audio/mp4" : mime;
}

/** Clients that do not know a type, such as curl, say `application/octet-stream`, which says nothing; some say `audio/m4a`. */
function isSaidSound(filename: string | null, mimeType: string | null): boolean {
  const family = mimeType?.split("/", 1)[0];
  return family === "audio" || (family !== "video" && /\.m4a$/i.test(filename ?? ""));
}

/** The flag of the extended header (RFC 9649, 2.7). */
const isAnimatedWebp = (head: Buffer): boolean =>
  head.toString("latin1", 8, 16) === "WEBPVP8X" && ((head[20] ?? 0) & 0x02) !== 0;
