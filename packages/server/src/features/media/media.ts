import type { Actor, TxCtx } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import { mayUseNumber } from "../../http/caller.ts";
import { type ById, uuidOfFilter, uuidOfPath } from "../../http/ids.ts";
import { type Page, page, pageOfLooked, pageRequest } from "../../http/pagination.ts";
import { notFound } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { releaseFileRows } from "./files/file.store.ts";
import { deleteMediaRow, type MediaRow, selectMediaRow, selectMediaRows, selectMediaRowsOf } from "./media.store.ts";
import { renderMedia } from "./render.ts";
import type { Media, MediaListQuery } from "./schema.ts";
import { signedAddress } from "./signed-address.ts";

/** A media as other features see it. */
export type KnownMedia = Pick<MediaRow, "id" | "type" | "status" | "size" | "filename"> & {
  mimeType: string | null;
  /** Hex. */
  sha256: string | null;
  /** Set where it is available. */
  fileId: string | null;
};

/** Those of these uuids that there are for who is limited to these numbers (null: for all), in no order: what is unknown, of another workspace or deleted is missing. */
export async function findMedia(
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
  phoneNumberIds: Actor["phoneNumberIds"],
): Promise<KnownMedia[]> {
  const rows = ids.length === 0 ? [] : await selectMediaRowsOf(sql, workspaceId, ids);
  const seen = rows.filter((row) => maySee({ phoneNumberIds }, row));
  return seen.map(({ id, type, status, size, filename, mime_type: mimeType, sha256, file_id: fileId }) => ({
    id,
    type,
    status,
    size,
    filename,
    mimeType,
    sha256: sha256?.toString("hex") ?? null,
    fileId,
  }));
}

/** Media that a page looks at for a limited key, to which few of them may belong. */
const LOOK = 2_000;

/** Newest first. For a limited key a page may be shorter than its limit. */
export async function listMedia(
  { sql, workspaceId, actor }: TxCtx,
  { query }: { query: MediaListQuery },
): Promise<Answer<Page<Media>>> {
  const request = pageRequest(query);
  const { source, status } = query;
  const messageId = query.message_id === undefined ? undefined : uuidOfFilter("msg", query.message_id);
  if (messageId === null) return { body: { data: [], next_cursor: null } };
  const fetch = actor.phoneNumberIds === null ? request.fetch : LOOK;
  const found = await selectMediaRows(sql, workspaceId, { ...request, fetch }, { source, status, messageId });
  if (actor.phoneNumberIds === null) return { body: page(found, request, renderMedia) };
  const reached = found.length < LOOK ? null : (found.at(-1)?.id ?? null);
  const rows = found.filter((row) => maySee(actor, row));
  return { body: pageOfLooked({ rows, reached }, request, renderMedia) };
}

/** One media, with an address of its content for readers without a key; 404 for an unknown one, here and below. */
export async function getMedia(ctx: TxCtx, { params }: ById): Promise<Answer<Media>> {
  const row = await requireMedia(ctx, params.id);
  const body = renderMedia(row);
  if (row.status === "available") {
    const { url, expiresAt } = signedAddress(ctx, ctx.workspaceId, row.id, ctx.now);
    body.content_url = url;
    body.content_url_expires_at = isoTime(expiresAt);
  }
  return { body, resource: { type: "media", id: body.id } };
}

/** Deletes a media at once: messages that name it and were not sent yet will fail. */
export async function deleteMedia(ctx: TxCtx, { params }: ById): Promise<Answer<null>> {
  const { sql, workspaceId, now } = ctx;
  const { id } = await requireMedia(ctx, params.id);
  const fileId = await deleteMediaRow(sql, workspaceId, id);
  if (fileId === undefined) throw notFound();
  if (fileId !== null) await releaseFileRows(sql, workspaceId, [fileId], now);
  return { body: null, resource: { type: "media", id: params.id } };
}

/** The media of a path; 404. */
export async function requireMedia({ sql, workspaceId, actor }: TxCtx, publicId: string): Promise<MediaRow> {
  const row = await selectMediaRow(sql, workspaceId, uuidOfPath("med", publicId));
  if (row === null || !maySee(actor, row)) throw notFound();
  return row;
}

/** What was uploaded is the workspace's, and what people sent is of the number to which they sent it. */
const maySee = (actor: Pick<Actor, "phoneNumberIds">, { source, phone_number_id }: MediaRow): boolean =>
  source === "upload" || mayUseNumber(actor, phone_number_id);
