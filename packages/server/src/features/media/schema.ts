import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";
import { MEDIA_TYPES } from "./media-types.ts";

const SOURCES = ["upload", "inbound"] as const;
const STATUSES = ["pending", "available", "failed"] as const;

export const MEDIA_EXAMPLE = {
  id: "med_01jd0000000000000000000000",
  type: "document" as const,
  mime_type: "application/pdf",
  size: 48_213,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  filename: "menu.pdf",
  status: "available" as const,
  error: null,
  source: "upload" as const,
  message_id: null,
  content_url: null,
  content_url_expires_at: null,
  created_at: "2026-01-31T09:30:00.000Z",
};

export const MediaError = Type.Object(
  {
    code: Type.Literal("media_failed"),
    detail: Type.String({ description: "What was wrong, for people." }),
    retryable: Type.Boolean({ description: "Whether the same file may succeed later." }),
  },
  {
    $id: "MediaError",
    examples: [{ code: "media_failed", detail: "The provider no longer has the file.", retryable: false }],
  },
);
export type MediaError = Static<typeof MediaError>;

export const Media = Type.Object(
  {
    id: idSchema("med"),
    type: Type.Enum([...MEDIA_TYPES], {
      description:
        "What it came as, or can be sent as: a file of type `document` is sent in `document`. Decided by the content.",
    }),
    mime_type: nullable(
      Type.String(),
      "By the content of the file. Of inbound media that is not here yet as the provider said it.",
    ),
    size: nullable(Type.Integer(), "In bytes; null until the file is here."),
    sha256: nullable(Type.String(), "Of the bytes, in hex; null until the file is here."),
    filename: nullable(Type.String(), "As the sender gave it."),
    status: Type.Enum([...STATUSES], {
      description:
        "`pending`: it is being fetched from the provider; after a try that failed `error` says why it is tried again. `failed`: there is no file, and `error` says why.",
    }),
    error: nullable(MediaError),
    source: Type.Enum([...SOURCES]),
    message_id: nullable(idSchema("msg"), "The message that a person sent it in."),
    content_url: nullable(
      Type.String(),
      "A signed address of the content for readers without a key, valid for 5 minutes. Only in the answer to `GET /v1/media/{id}`, and null until the file is here.",
    ),
    content_url_expires_at: nullable(timestampOutput()),
    created_at: timestampOutput(),
  },
  { $id: "Media", examples: [MEDIA_EXAMPLE] },
);
export type Media = Static<typeof Media>;

export const MediaList = listOf(Media);
export const MediaListQuery = Type.Object({
  ...listQuery,
  source: Type.Optional(Type.Enum([...SOURCES], { description: "Only uploads, or only what people sent." })),
  status: Type.Optional(Type.Enum([...STATUSES], { description: "Only media in this state." })),
  message_id: Type.Optional(
    Type.String({ maxLength: 100, description: "Only the media that a person sent in this message." }),
  ),
});
export type MediaListQuery = Static<typeof MediaListQuery>;
