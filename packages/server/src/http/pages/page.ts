import { createHash } from "node:crypto";
import { isKnownTag } from "../known-tag.ts";
import type { RawRoute } from "../route.ts";

/** A static page of the gateway, or a part of one. `load` is called once, at the first request; it may be slow. */
export type Page = {
  path: string;
  summary: string;
  /** With the content type; they replace the default headers of pages. */
  headers: Record<string, string>;
  load: () => string | Buffer | Promise<Buffer>;
};

/**
 * The raw route of a page. Browsers keep it and revalidate it at every use, so that none shows the page of an earlier
 * release; `cache-control` in `headers` may allow less.
 */
export function pageRoute({ path, summary, headers, load }: Page): RawRoute {
  let loading: Promise<{ body: Buffer; etag: string }> | null = null;
  const loadOnce = async (): Promise<{ body: Buffer; etag: string }> => {
    const loaded = await load();
    // As bytes, which all answers share: of a text each client that reads slowly, or never, would hold a copy.
    const body = Buffer.isBuffer(loaded) ? loaded : Buffer.from(loaded);
    return { body, etag: etagOfBytes(body) };
  };
  return {
    method: "GET",
    path,
    summary,
    maxBytes: 1,
    handle: async (request) => {
      loading ??= loadOnce();
      const { body, etag } = await loading;
      const all = { "cache-control": "no-cache", "referrer-policy": "no-referrer", etag, ...headers };
      return isKnownTag(request.headers["if-none-match"], etag)
        ? { status: 304, headers: all, body: "" }
        : { status: 200, headers: all, body };
    },
  };
}

/** 27 characters of base64url: 160 bits. */
const ETAG_LENGTH = 27;

/** The tag of these bytes, with its quotes. */
export const etagOfBytes = (body: string | Buffer): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, ETAG_LENGTH)}"`;
