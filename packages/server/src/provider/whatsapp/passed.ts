import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { PassedBody, PassedCalls, PassedPart } from "../passed-calls.ts";
import type { Graph, GraphPost } from "./graph.ts";

/** Passes on what a client asks of the provider in its own words; what may be asked is the caller's to decide. */
export function passedCalls(graph: Graph): PassedCalls {
  return {
    async pass({ method, segments, query, body, ...access }) {
      const path = segments.map(pathSegment).join("/");
      return await graph.exchange(method, path, { ...query }, { ...access, ...written(body) });
    },
  };
}

/** A part of a path as one: what would lead elsewhere is a mistake of the caller, who knows its own paths. */
function pathSegment(segment: string): string {
  if (segment === "" || segment === "." || segment === ".." || /[/\\]/.test(segment))
    throw new Error("a part of a path would lead elsewhere");
  return encodeURIComponent(segment);
}

function written(body: PassedBody | null): Pick<GraphPost, "body" | "bodyType" | "bodyBytes"> {
  if (body === null) return { body: null };
  if (body.kind === "json") return { body: JSON.stringify(body.value) };
  const boundary = `waypost-${randomBytes(18).toString("hex")}`;
  const bytes = Buffer.concat([
    ...body.parts.flatMap((part) => partOf(part, boundary)),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return {
    body: Readable.from([bytes], { objectMode: false }),
    bodyType: `multipart/form-data; boundary=${boundary}`,
    bodyBytes: bytes.length,
  };
}

function partOf(part: PassedPart, boundary: string): Uint8Array[] {
  const name = `form-data; name="${quotable(part.name)}"`;
  const head = (disposition: string): Buffer => Buffer.from(`--${boundary}\r\ncontent-disposition: ${disposition}\r\n`);
  const end = Buffer.from("\r\n");
  if ("value" in part) return [head(name), end, Buffer.from(part.value), end];
  const { file } = part;
  const type = Buffer.from(`content-type: ${typeOf(file.type)}\r\n\r\n`);
  return [head(`${name}; filename="${quotable(file.name)}"`), type, file.bytes, end];
}

/** As browsers write it (HTML, multipart/form-data encoding): nothing ends the quotes or the line. */
const quotable = (text: string): string =>
  text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll("\0", "");

const typeOf = (type: string): string => (/^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream");
