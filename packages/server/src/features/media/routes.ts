import { Type } from "typebox";
import type { TxCtx } from "../../ctx.ts";
import { type ById, idParams } from "../../http/ids.ts";
import { type AnyRoute, type RawDocument, type RawRoute, route } from "../../http/route.ts";
import { hintDeliveries } from "../events/event.ts";
import type { MediaContent } from "./content/content.ts";
import { deleteMedia, getMedia, listMedia } from "./media.ts";
import type { MediaFiles } from "./media-files.ts";
import { TAKEN } from "./media-types.ts";
import { Media, MediaList, MediaListQuery } from "./schema.ts";
import { ADDRESS_PATH } from "./signed-address.ts";
import { createMedia } from "./upload/create.ts";
import { mediaUpload } from "./upload/receive.ts";

const READ = { tag: "Media", auth: "workspace", scope: "media:read", limitedKeys: "own" } as const;
const WRITE = { tag: "Media", auth: "workspace", scope: "media:write", limitedKeys: "own" } as const;

export function mediaRoutes(files: MediaFiles, content: MediaContent): AnyRoute[] {
  const readMediaContent = (ctx: TxCtx, input: ById) => content.get(ctx, input);
  return [
    route({
      ...WRITE,
      kind: "write",
      method: "POST",
      path: "/v1/media",
      summary: "Create media",
      description: `Uploads a file as a form (\`multipart/form-data\`) with the one part \`file\`, to be sent by the returned id. What it can be sent as follows from its content, whatever its name says: ${TAKEN}. It is kept until nothing has used it for as long as the operator keeps media. Where the operator has the gateway scan files, one that is not clean is \`failed\`.`,
      action: "media.create",
      status: 201,
      response: Media,
      upload: mediaUpload(files),
      verb: createMedia,
      after: hintDeliveries,
    }),
    route({
      ...READ,
      kind: "read",
      method: "GET",
      path: "/v1/media",
      summary: "List media",
      description: "What you uploaded and what people sent, newest first.",
      action: "media.list",
      query: MediaListQuery,
      status: 200,
      response: MediaList,
      verb: listMedia,
    }),
    route({
      ...READ,
      kind: "read",
      method: "GET",
      path: "/v1/media/{id}",
      summary: "Get media",
      description:
        "With a signed address of its content, which lasts for 5 minutes and works without a key: give it to what has none.",
      action: "media.read",
      params: idParams("med"),
      status: 200,
      response: Media,
      verb: getMedia,
    }),
    route({
      ...READ,
      kind: "file",
      method: "GET",
      path: "/v1/media/{id}/content",
      summary: "Read the content of media",
      description:
        "The bytes, with the media type that they have; of a type that cannot be sent as `application/octet-stream`. `Range` is honoured for one range, and `HEAD` asks for the headers alone. Refused with `conflict` while the file is not here, and where there is none.",
      action: "media.read_content",
      params: idParams("med"),
      status: 200,
      response: Type.String({ contentMediaType: "application/octet-stream", description: "The bytes of the file." }),
      errors: ["conflict"],
      verb: readMediaContent,
    }),
    route({
      ...WRITE,
      kind: "write",
      method: "DELETE",
      path: "/v1/media/{id}",
      summary: "Delete media",
      description:
        "Deletes it at once, with its bytes and its signed addresses; it cannot be restored. A message that names it and was not sent yet will fail.",
      action: "media.delete",
      params: idParams("med"),
      status: 204,
      response: Type.Null(),
      verb: deleteMedia,
    }),
  ];
}

/** What the document shows of a token, which is longer. */
export const SIGNED_TOKEN_EXAMPLE = "AZQZTgAAcACAAAAAAAAACrH2cE";

/** The address without a key. No more than a token fits into a path, and none is ever logged: log lines have the path's template. */
export const signedMediaRoutes = (content: MediaContent): RawRoute[] => [
  {
    method: "GET",
    path: ADDRESS_PATH,
    role: "api",
    operationId: "mediaContent.getSigned",
    summary: "Read the content of media by a signed address",
    document: SIGNED,
    maxBytes: 1,
    handle: (request) => content.readSigned(request),
  },
];

const SIGNED: RawDocument = {
  tag: "Media",
  description:
    "What `content_url` of a media leads to. Needs no key. 404 once the address has ended, and when the media is deleted, its person erased or the workspace suspended.",
  params: {
    type: "object",
    properties: { token: { type: "string", examples: [SIGNED_TOKEN_EXAMPLE] } },
    required: ["token"],
  },
  sendsFile: true,
  answers: {
    200: {
      description: "The bytes, as `GET /v1/media/{id}/content` returns them.",
      type: "application/octet-stream",
      schema: { type: "string", contentMediaType: "application/octet-stream", examples: ["The bytes of the file"] },
    },
  },
};
