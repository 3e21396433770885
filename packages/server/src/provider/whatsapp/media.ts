import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { MediaCalls, ProviderMedia } from "../media-calls.ts";
import type { Sample } from "../template-calls.ts";
import type { Graph } from "./graph.ts";
import { asId, asInteger, asRecord, asText } from "./json.ts";
import type { MediaHost } from "./media-host.ts";
import { readOne } from "./reading.ts";

/** Beside what the file needs at the slowest speed that is waited for. */
const LEAST_UPLOAD_MS = 30_000;
const SLOWEST_BYTES_PER_MS = 256;

/** Uploads, finds and fetches files of messages. */
export const mediaCalls = (graph: Graph, host: MediaHost): MediaCalls => ({
  async uploadMedia({ providerPhoneNumberId, file, ...access }) {
    const form = formOf(file);
    const path = `${encodeURIComponent(providerPhoneNumberId)}/media`;
    const withinMs = LEAST_UPLOAD_MS + Math.ceil(file.bytes / SLOWEST_BYTES_PER_MS);
    try {
      const answer = await graph.callWith(path, { ...access, ...form, withinMs });
      return readOne(answer, (value) => asId(asRecord(value)?.["id"]), "upload");
    } finally {
      // What was refused ahead of its last byte, or never written.
      form.body.destroy();
      file.content.destroy();
    }
  },
  async findMedia({ providerPhoneNumberId, providerMediaId, ...access }) {
    const query = { phone_number_id: providerPhoneNumberId };
    return readOne(await graph.call("GET", encodeURIComponent(providerMediaId), query, access), mediaOf, "media");
  },
  openMedia: ({ address, accessToken, signal }) => host.open(address, accessToken, signal),
});

function mediaOf(value: unknown): ProviderMedia | null {
  const media = asRecord(value);
  const address = asText(media?.["url"]);
  if (address === null) return null;
  const size = media?.["file_size"]; // a text in the documentation, a number in some answers
  const sha256 = asText(media?.["sha256"]);
  return {
    address,
    mimeType: asText(media?.["mime_type"]),
    bytes: asInteger(typeof size === "string" ? Number(size) : size),
    sha256: sha256 !== null && /^[0-9a-f]{64}$/i.test(sha256) ? sha256.toLowerCase() : null,
  };
}

/** The body of an upload (RFC 7578); nothing of it but the file is longer than some lines. */
function formOf({ name, type, bytes, content }: Sample): { body: Readable; bodyType: string; bodyBytes: number } {
  const boundary = `waypost-${randomBytes(18).toString("base64url")}`;
  const field = (named: string, value: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${named}"\r\n\r\n${value}\r\n`;
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name.replace(/[^\w.-]/g, "_")}"\r\ncontent-type: ${type}\r\n\r\n`;
  const before = Buffer.from(field("messaging_product", "whatsapp") + field("type", type) + file);
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* parts(): AsyncGenerator<Buffer> {
    yield before;
    yield* content as AsyncIterable<Buffer>;
    yield after;
  }
  return {
    body: Readable.from(parts(), { objectMode: false }),
    bodyType: `multipart/form-data; boundary=${boundary}`,
    bodyBytes: before.length + bytes + after.length,
  };
}
