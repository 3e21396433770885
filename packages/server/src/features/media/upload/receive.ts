import type { Ctx } from "../../../ctx.ts";
import { FileTooLarge, type Spooled } from "../../../files/file-store.ts";
import { type Problem, problemAt } from "../../../http/problem.ts";
import type { Incoming, Received, Upload } from "../../../http/upload.ts";
import type { KeptFile, MediaFiles } from "../media-files.ts";
import { type FileType, LARGEST_MEDIA_BYTES, TAKEN, typeOfMime } from "../media-types.ts";

/** Where a refusal points: the file of the form. */
const AT = "/file";

const TOO_LARGE = (): Problem =>
  problemAt("payload_too_large", AT, `A file has at most ${LARGEST_MEDIA_BYTES} bytes: make it smaller.`);

/** What was received: its type, and its file in the store, null for one that was not clean. */
export type ReceivedMedia = {
  fileType: FileType;
  filename: string | null;
  size: number;
  /** Hex. */
  sha256: string;
  file: KeptFile | null;
};

/** Streams the file onto this machine, refuses what the provider would not take, and stores the rest. */
export const mediaUpload = (files: MediaFiles): Upload<unknown, ReceivedMedia | null> => ({
  types: null,
  fields: {},
  maxBytes: LARGEST_MEDIA_BYTES,
  receive: (ctx, _asked, file) => receive(files, ctx, file),
});

async function receive(
  files: MediaFiles,
  { workspaceId, now }: Ctx,
  incoming: Incoming,
): Promise<Received<ReceivedMedia | null>> {
  const spooled = await files.receive(incoming.bytes, LARGEST_MEDIA_BYTES).catch((error: unknown) => {
    throw error instanceof FileTooLarge ? TOO_LARGE() : error;
  });
  try {
    const { size, sha256 } = spooled;
    const filename = cleanName(incoming.filename());
    const fingerprint = { sha256, filename };
    // What is stored and named by no media is swept.
    const discard = (): Promise<void> => Promise.resolve();
    // The first request has stored it, and its answer is given again: nothing of today may refuse it.
    if (await incoming.isRepeated()) return { found: null, fingerprint, discard };
    const fileType = await requireType(files, spooled, { filename, mimeType: incoming.type() || null });
    const file = (await files.isClean(spooled)) ? await files.keep(workspaceId, spooled, now) : null;
    return { found: { fileType, filename, size, sha256, file }, fingerprint, discard };
  } finally {
    await spooled.discard();
  }
}

async function requireType(
  files: MediaFiles,
  spooled: Spooled,
  said: { filename: string | null; mimeType: string | null },
): Promise<FileType> {
  if (spooled.size === 0) throw problemAt("invalid_request", AT, "The file has no bytes: send it whole.");
  const found = await files.typeOf(spooled, said);
  if (found === null)
    throw problemAt(
      "unsupported_media_type",
      AT,
      `By its content the file is of no type that can be sent. Convert it to one of these: ${TAKEN}.`,
    );
  const saidType = said.mimeType === null ? null : typeOfMime(said.mimeType);
  if (saidType !== null && saidType !== found.type)
    throw problemAt(
      "unsupported_media_type",
      AT,
      `The form says ${said.mimeType}, the bytes are ${found.mimeType}: send it with its own type, or the right file.`,
    );
  if (spooled.size > found.limitBytes)
    throw problemAt(
      "payload_too_large",
      AT,
      `A file of the type ${found.mimeType} has at most ${found.limitBytes} bytes, this one has ${spooled.size}: make it smaller.`,
    );
  return found;
}

const LONGEST_NAME = 255;
const NO_NAME = /^[.\s]*$/;

/** The name as people see it: without what a terminal or a file system would act on; null for none. */
function cleanName(given: string | null): string | null {
  const name = (given ?? "").replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "").trim();
  if (NO_NAME.test(name)) return null;
  if (name.length <= LONGEST_NAME) return name;
  const extension = /\.[^.]{1,10}$/.exec(name)?.[0] ?? "";
  const beginning = name.slice(0, LONGEST_NAME - extension.length);
  return beginning.replace(/[\ud800-\udbff]$/, "") + extension; // the first half of a character whose second half is cut off
}
