// Files in what the provider says of a message, and in what was kept of it: objects that say of which type they are.

export type FileKind = "image" | "video" | "audio" | "document" | "sticker";

/** A file that is at the provider, as a message names it; null is what it did not say. */
export type MessageFile = { id: string; kind: FileKind; mimeType: string | null; filename: string | null };

/** The provider nests no file deeper; what a message holds may be of any depth. */
export const MOST_FILE_DEPTH = 20;
/** Of one message: the provider sends one, and what a person sends is never the reason for a hundred calls. */
const MOST_FILES = 10;
const LONGEST_ID = 200;
const LONGEST_TYPE = 200;
const LONGEST_NAME = 255;
const KINDS: ReadonlySet<string> = new Set<FileKind>(["image", "video", "audio", "document", "sticker"]);

type Fields = Readonly<Record<string, unknown>>;

/** The files of a message, each once, in the order of its text. `type` is the message's. */
export function filesIn(content: unknown, type: string): MessageFile[] {
  const found = new Map<string, MessageFile>();
  collect(content, type, found, 0);
  return [...found.values()];
}

function collect(value: unknown, name: string, found: Map<string, MessageFile>, depth: number): void {
  if (depth > MOST_FILE_DEPTH || found.size >= MOST_FILES || !isObject(value)) return;
  const id = idOf(value);
  if (id !== null && !found.has(id)) {
    const mimeType = textOf(value["mime_type"], LONGEST_TYPE);
    found.set(id, {
      id,
      kind: kindOf(name, mimeType ?? ""),
      mimeType,
      filename: textOf(value["filename"], LONGEST_NAME),
    });
  }
  for (const [key, inner] of Object.entries(value)) collect(inner, Array.isArray(value) ? name : key, found, depth + 1);
}

/**
 * The same content with the values that `given` has for its files in place of theirs, by id. A file of which it has none loses its address:
 * the provider opens that for its own tokens alone.
 */
export function withFiles(content: unknown, given: ReadonlyMap<string, Fields>, depth = 0): unknown {
  if (depth > MOST_FILE_DEPTH || !isObject(content)) return content;
  if (Array.isArray(content)) return content.map((item: unknown) => withFiles(item, given, depth + 1));
  const id = idOf(content);
  const { url, ...rest } = content;
  const inner = Object.entries(id === null && url !== undefined ? content : rest).map(([name, value]) => [
    name,
    withFiles(value, given, depth + 1),
  ]);
  return { ...Object.fromEntries(inner), ...(id === null ? {} : given.get(id)) };
}

/** Of an object that is a file; null of any other. */
function idOf(object: Fields): string | null {
  if (typeof object["mime_type"] !== "string") return null;
  const { id } = object;
  return Number.isSafeInteger(id) ? String(id) : textOf(id, LONGEST_ID);
}

/** By the name that it stands under, which is that of its type of message; of types that are not known by what it is. */
function kindOf(name: string, mimeType: string): FileKind {
  if (KINDS.has(name)) return name as FileKind;
  const family = mimeType.split("/", 1)[0] ?? "";
  return family === "image" || family === "video" || family === "audio" ? family : "document";
}

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const textOf = (value: unknown, longest: number): string | null =>
  typeof value === "string" && value !== "" && value.length <= longest ? value : null;
