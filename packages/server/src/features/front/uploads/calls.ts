import type { Call, CallCtx, Given } from "../../../http/call.ts";
import { invalidAt, notFound, Problem } from "../../../http/problem.ts";
import type { WholeFile } from "../../../http/upload.ts";
import { knownMime, LARGEST_MEDIA_BYTES, TAKEN } from "../../media/media-types.ts";
import type { Media } from "../../media/schema.ts";
import { handleOf } from "./handle.ts";
import { openedSession, sealedSession } from "./session.ts";

const CREATE = "POST /v1/media";
const SESSION = "/upload:{session}";

/** Uploads of samples in two steps: the file becomes media of the workspace, and its handle names it in a template's definition. */
export const uploadCalls: readonly Call[] = [
  {
    kind: "served",
    method: "POST",
    path: "/{app}/uploads",
    scope: "media:write",
    limitedKeys: "own",
    action: "upload.create",
    summary: "Begins the upload of a sample: `file_length`, `file_type`, `file_name`. Any number stands for the app.",
    answer: (ctx, { params, values }) => {
      if (!/^(?:\d{1,40}|app)$/.test(params["app"] ?? "")) throw notFound();
      return Promise.resolve({ body: { id: `upload:${sealedSession(ctx, fileOf(values))}` } });
    },
  },
  {
    kind: "served",
    method: "POST",
    path: SESSION,
    row: CREATE,
    upload: true,
    summary: "Uploads the file: the body is all of it, with `file_offset: 0`.",
    answer: async (ctx, given) => {
      const file = openedSession(ctx, given.params["session"] ?? "");
      requireBeginning(ctx);
      const { body, replayed } = await ctx.pass(CREATE, { file });
      const { id, status, error }: Media = body;
      if (status === "failed") throw invalidAt("", error?.detail ?? "The file was not kept.", "media_failed");
      return { body: { h: handleOf(id) }, ...(replayed ? { replayed } : {}) };
    },
  },
  {
    kind: "served",
    method: "GET",
    path: SESSION,
    scope: "media:write",
    limitedKeys: "own",
    action: "upload.read",
    summary: "Where to go on with an upload: at its beginning, because a file is kept whole or not at all.",
    answer: (ctx, { params }) => {
      const session = params["session"] ?? "";
      openedSession(ctx, session);
      return Promise.resolve({ body: { id: `upload:${session}`, file_offset: 0 } });
    },
  },
];

function fileOf({ file_length: length, file_type: type, file_name: name }: Given["values"]): WholeFile {
  const bytes = typeof length === "string" && /^\d{1,15}$/.test(length) ? Number(length) : length;
  if (typeof bytes !== "number" || !Number.isSafeInteger(bytes) || bytes <= 0)
    throw invalidAt("/file_length", "must be the number of bytes of the file", length == null ? "required" : "type");
  if (bytes > LARGEST_MEDIA_BYTES)
    throw new Problem("payload_too_large", `A file has at most ${LARGEST_MEDIA_BYTES} bytes: make it smaller.`);
  const mimeType = knownMime(typeof type === "string" ? type : null);
  if (mimeType === null) throw invalidAt("/file_type", `must be the media type of one of these: ${TAKEN}`);
  if (name != null && typeof name !== "string") throw invalidAt("/file_name", "must be a text", "type");
  return { bytes, type: mimeType, filename: name ?? null };
}

function requireBeginning({ headers }: CallCtx): void {
  const offset = headers["file_offset"] ?? "0";
  if (typeof offset !== "string" || !/^0+$/.test(offset.trim()))
    throw invalidAt("", "Waypost takes a file whole: send all of it, with `file_offset: 0`.", "invalid_offset");
}
