import type { App, TxCtx } from "../../../ctx.ts";
import { type FileAnswer, fileReply } from "../../../http/file-answer.ts";
import type { ById } from "../../../http/ids.ts";
import { notFound, Problem } from "../../../http/problem.ts";
import type { RawAnswer, RawRequest } from "../../../http/route.ts";
import { formatId } from "../../../lib/ids.ts";
import { isActiveWorkspace, type MediaRow, selectMediaRow } from "../media.store.ts";
import { requireMedia } from "../media.ts";
import type { MediaFiles } from "../media-files.ts";
import { extensionsOf, knownMime } from "../media-types.ts";
import { readToken } from "../signed-address.ts";

/** The content of media, through the API and by signed addresses. */
export class MediaContent {
  readonly #app: Pick<App, "db" | "secrets" | "clock">;
  readonly #files: MediaFiles;

  constructor(app: Pick<App, "db" | "secrets" | "clock">, files: MediaFiles) {
    this.#app = app;
    this.#files = files;
  }

  /** The bytes of a media; 409 for one without a file: not here yet, or failed. */
  async get(ctx: TxCtx, { params }: ById): Promise<FileAnswer> {
    const row = await requireMedia(ctx, params.id);
    const file = this.#fileOf(ctx.workspaceId, row);
    if (file !== null) return file;
    throw new Problem(
      "conflict",
      row.status === "pending"
        ? "The file is not here yet: wait for the event `media_available`."
        : "There is no file: read `error` of the media.",
    );
  }

  /** The same for the token of a signed address; 404 for everything that has no content for it now. */
  async readSigned({ method, params, headers }: RawRequest): Promise<RawAnswer> {
    const { db, clock } = this.#app;
    const said = readToken(this.#app, params["token"] ?? "", clock.now());
    if (said === null) throw notFound();
    const { workspaceId, mediaId } = said;
    const row = await db.read(workspaceId, async (sql) =>
      (await isActiveWorkspace(sql, workspaceId)) ? await selectMediaRow(sql, workspaceId, mediaId) : null,
    );
    const file = row && this.#fileOf(workspaceId, row);
    if (!file) throw notFound();
    return { ...(await fileReply(file, { method, headers })), resource: file.resource };
  }

  #fileOf(workspaceId: string, row: MediaRow): FileAnswer | null {
    const { id, file_id: fileId, size, sha256 } = row;
    if (fileId === null || size === null || sha256 === null) return null;
    const publicId = formatId("med", id);
    return {
      // What the provider says of other files goes into no header.
      type: knownMime(row.mime_type) ?? "application/octet-stream",
      size,
      filename: savedName(row.filename ?? publicId, row.mime_type),
      tag: sha256.toString("hex"),
      open: (range) => this.#files.open(workspaceId, fileId, range),
      resource: { type: "media", id: publicId },
    };
  }
}

/** A name whose extension is one of its type's: programs open a file by it, and no page must be opened as one. */
function savedName(name: string, mimeType: string | null): string {
  const extensions = mimeType === null ? [] : extensionsOf(mimeType);
  const [usual] = extensions;
  const given = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return usual === undefined || extensions.includes(given) ? name : `${name}.${usual}`;
}
