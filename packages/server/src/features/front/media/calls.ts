import type { App } from "../../../ctx.ts";
import type { Call, CallAnswer, CallCtx } from "../../../http/call.ts";
import { notFound, Problem } from "../../../http/problem.ts";
import { formatId, parseId } from "../../../lib/ids.ts";
import type { Senders } from "../../accounts/numbers/senders.ts";
import { digitsOfUuid } from "../../media/digits.ts";
import type { Media } from "../../media/schema.ts";
import type { ByKind } from "../objects/by-id.ts";
import { numberOfPath } from "../objects/objects.ts";

const CREATE = "POST /v1/media";
const READ = "GET /v1/media/{id}";
const DELETE = "DELETE /v1/media/{id}";

/** Uploads; reading and deleting are calls of a media's id. */
export const mediaCalls = (senders: Senders): Call[] => [
  {
    kind: "served",
    method: "POST",
    path: "/{number}/media",
    row: CREATE,
    upload: true,
    summary: "Uploads a file to be sent, as a form with `file`. It can be sent from every number of the workspace.",
    answer: async (ctx, { params }) => {
      await numberOfPath(ctx, senders, params["number"] ?? "");
      const { body, replayed } = await ctx.pass(CREATE, {});
      const { id, status, error }: Media = body;
      if (status === "failed") throw failed(error);
      return { body: { id: digitsOfId(id) }, ...(replayed ? { replayed } : {}) };
    },
  },
];

/** What a person sent may still be on its way here: clients ask once, right after the callback. */
const LOOK_EVERY_MS = 150;

/** GET of a media's id: its address, which carries its own right for five minutes. */
export const readMedia =
  ({ config, clock }: Pick<App, "config" | "clock">): NonNullable<ByKind["media"]> =>
  async (ctx, { id }) => {
    const params = { id: formatId("med", id) };
    const end = clock.monotonic() + config.FRONT_WAIT * 1_000;
    for (;;) {
      const { body } = await ctx.pass(READ, { params });
      const media: Media = body;
      if (media.content_url !== null) return { body: mediaFields(media, media.content_url) };
      if (media.status === "failed") throw failed(media.error);
      if (clock.monotonic() >= end || ctx.signal.aborted)
        throw new Problem("unavailable", "The file is on its way here; ask again.", { retryAfterSeconds: 1 });
      await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
    }
  };

/** DELETE of a media's id. */
export const deleteMedia: NonNullable<ByKind["media"]> = async (ctx: CallCtx, { id }): Promise<CallAnswer> => {
  await ctx.pass(DELETE, { params: { id: formatId("med", id) } });
  return { body: { success: true } };
};

function mediaFields({ id, mime_type, sha256, size }: Media, url: string): object {
  return {
    messaging_product: "whatsapp",
    url,
    download_url: url,
    mime_type,
    sha256,
    file_size: size === null ? null : String(size), // as the provider's documentation has it
    id: digitsOfId(id),
  };
}

function digitsOfId(id: string): string {
  const uuid = parseId("med", id);
  if (uuid === null) throw notFound();
  return digitsOfUuid(uuid);
}

/** The provider's number of a media that it could not get. */
const NO_MEDIA = 131052;

const failed = (error: Media["error"]): Problem =>
  new Problem("invalid_request", error?.detail ?? "There is no such file.", { graph: { status: 400, code: NO_MEDIA } });
