/** What a file can be sent as. */
export const MEDIA_TYPES = ["image", "video", "audio", "document", "sticker"] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

const KIB = 1_024;
const MIB = 1_024 * KIB;

/** The provider's limits, in bytes. */
const LIMITS: Readonly<Record<MediaType, number>> = {
  image: 5 * MIB,
  video: 16 * MIB,
  audio: 16 * MIB,
  document: 100 * MIB,
  sticker: 500 * KIB,
};
const STILL_STICKER_BYTES = 100 * KIB;

/** No file of any type is larger. */
export const LARGEST_MEDIA_BYTES = LIMITS.document;

const OOXML = "application/vnd.openxmlformats-officedocument";

/** Each type of file that the provider takes, as it spells it, with what it can be sent as and the extensions of its names. */
const FILE_TYPES = {
  "image/jpeg": { type: "image", extensions: ["jpg", "jpeg"] },
  "image/png": { type: "image", extensions: ["png"] },
  "image/webp": { type: "sticker", extensions: ["webp"] },
  "video/mp4": { type: "video", extensions: ["mp4", "m4v"] },
  "video/3gpp": { type: "video", extensions: ["3gp", "3gpp"] },
  "audio/aac": { type: "audio", extensions: ["aac"] },
  "audio/amr": { type: "audio", extensions: ["amr"] },
  "audio/mpeg": { type: "audio", extensions: ["mp3"] },
  "audio/mp4": { type: "audio", extensions: ["m4a", "mp4"] },
  "audio/ogg": { type: "audio", extensions: ["ogg", "opus", "oga"] },
  "text/plain": { type: "document", extensions: ["txt", "csv", "log", "md"] },
  "application/pdf": { type: "document", extensions: ["pdf"] },
  "application/msword": { type: "document", extensions: ["doc"] },
  "application/vnd.ms-excel": { type: "document", extensions: ["xls"] },
  "application/vnd.ms-powerpoint": { type: "document", extensions: ["ppt"] },
  [`${OOXML}.wordprocessingml.document`]: { type: "document", extensions: ["docx"] },
  [`${OOXML}.spreadsheetml.sheet`]: { type: "document", extensions: ["xlsx"] },
  [`${OOXML}.presentationml.presentation`]: { type: "document", extensions: ["pptx"] },
} as const satisfies Record<string, { type: MediaType; extensions: readonly [string, ...string[]] }>;

type Known = { type: MediaType; extensions: readonly [string, ...string[]] };
const KNOWN: ReadonlyMap<string, Known> = new Map(Object.entries(FILE_TYPES));

/** A file's type by its content. */
export type FileType = {
  /** As the provider spells it. */
  mimeType: string;
  type: MediaType;
  limitBytes: number;
};

/** Null for a type that the provider does not take. `isAnimated`: of a WebP image. */
export function fileTypeOf(mimeType: string, { isAnimated = false } = {}): FileType | null {
  const known = KNOWN.get(mimeType);
  if (known === undefined) return null;
  const { type } = known;
  return { mimeType, type, limitBytes: type === "sticker" && !isAnimated ? STILL_STICKER_BYTES : LIMITS[type] };
}

/** Of what a file is said to be: one of the known types, without what may follow it, such as the codec of a voice message; null for others. */
export function knownMime(mimeType: string | null): string | null {
  const bare = mimeType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return KNOWN.has(bare) ? bare : null;
}

/** What a file that is said to be of a type can be sent as; null where that says nothing. */
export const typeOfMime = (mimeType: string): MediaType | null => KNOWN.get(knownMime(mimeType) ?? "")?.type ?? null;

/** The extensions of names of such files, the usual one first; none of an unknown type. */
export const extensionsOf = (mimeType: string): readonly string[] =>
  KNOWN.get(knownMime(mimeType) ?? "")?.extensions ?? [];

/** For refusals: what can be uploaded, with its largest size. */
export const TAKEN =
  "JPEG and PNG up to 5 MB, MP4 and 3GP up to 16 MB, AAC, AMR, MP3, M4A and OGG with Opus up to 16 MB, WebP up to 100 KB, animated up to 500 KB, PDF, plain text and Office documents up to 100 MB";
