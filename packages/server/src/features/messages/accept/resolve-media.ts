import type { Database } from "../../../db/database.ts";
import { invalidAt, problemAt } from "../../../http/problem.ts";
import { parseId } from "../../../lib/ids.ts";
import { seenId } from "../../../lib/phone/phone-text.ts";
import { findMedia, type KnownMedia } from "../../media/media.ts";
import { filesOfContent, type NamedFile } from "../files-of-content.ts";
import type { Accepting } from "../send-context.ts";
import type { ReadContent } from "../types.ts";

/** What is wrong with a media that is not available. */
const NOT_AVAILABLE: Record<Exclude<KnownMedia["status"], "available">, string> = {
  pending: "This media is not here yet: wait for its event `media_available`.",
  failed: "This media has failed, and has no file: upload the file again.",
};

/** Uuids of the media that a request names, each once; null where it names none. Throws the Problem of one that cannot be sent there. */
export async function resolveMedia(
  { workspaceId, actor }: Accepting,
  db: Database,
  { type, content, fallback }: ReadContent,
): Promise<string[] | null> {
  const files = [
    ...filesOfContent(type.name, content),
    ...(fallback === null ? [] : filesOfContent("template", fallback, "/fallback/template")),
  ];
  if (files.length === 0) return null;
  const named = files.map((file) => ({ file, id: uuidOf(file) }));
  const ids = [...new Set(named.map(({ id }) => id))];
  const found = await db.read(workspaceId, (sql) => findMedia(sql, workspaceId, ids, actor.phoneNumberIds));
  const known = new Map(found.map((media) => [media.id, media]));
  for (const { file, id } of named) checkFits(file, known.get(id));
  return ids;
}

function uuidOf({ object, at }: NamedFile): string {
  const id = parseId("med", seenId(object.id));
  if (id === null) throw unknown(at);
  return id;
}

/** The provider takes an image as an image or as a document, and so on (Cloud API documentation, media: supported types). */
function checkFits({ kind, at }: NamedFile, media: KnownMedia | undefined): void {
  if (media === undefined) throw unknown(at);
  if (media.status !== "available") throw problemAt("media_not_found", `${at}/id`, NOT_AVAILABLE[media.status]);
  const wanted = kind === "gif" ? "video" : kind;
  if (wanted === "document" || wanted === media.type) return;
  throw invalidAt(
    `${at}/id`,
    `This media is of the type ${media.type}: send it as ${media.type} or as document.`,
    "kind",
  );
}

const unknown = (at: string) => problemAt("media_not_found", `${at}/id`, "There is no such media.");
