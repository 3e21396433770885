import { Readable } from "node:stream";
import { isKnownTag } from "./known-tag.ts";

/** A stored file as an answer: sent whole or in part, and never as something that a browser runs. */
export type FileAnswer = {
  /** Its media type. */
  type: string;
  size: number;
  /** What it is saved as. */
  filename: string;
  /** Changes with the bytes; without quotes. */
  tag: string;
  /** The bytes from `start` to `end`, both included; asked for once, and not at all for a HEAD. */
  open(range: { start: number; end: number }): Promise<Readable>;
  /** Type and public id of what it belongs to, for log and audit. */
  resource: { type: string; id: string };
};

type Asked = { method: string; headers: Readonly<Record<string, string | string[] | undefined>> };

export type FileReply = { status: number; headers: Record<string, string>; body: Readable | Buffer };

const NOTHING = Buffer.alloc(0);

/**
 * The reply to a GET or HEAD: 304 to one that has the bytes, 206 for one range (RFC 9110, 13 and 14), 416 for one behind the end, else the
 * whole. No client or cache may keep it, show it as a page of ours, or take it for another type than it has. Rejects as `open` does,
 * before anything was sent.
 */
export async function fileReply(file: FileAnswer, { method, headers: asked }: Asked): Promise<FileReply> {
  const tag = `"${file.tag}"`;
  const headers: Record<string, string> = {
    "content-type": file.type,
    "content-disposition": dispositionOf(file.filename),
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "private, no-store",
    "accept-ranges": "bytes",
    etag: tag,
  };
  if (isKnownTag(asked["if-none-match"], tag)) return { status: 304, headers, body: NOTHING };
  const condition = asked["if-range"];
  const range = condition === undefined || condition === tag ? rangeOf(asked["range"], file.size) : null;
  if (range === "behind the end")
    return {
      status: 416,
      headers: { ...headers, "content-range": `bytes */${file.size}`, "content-length": "0" },
      body: NOTHING,
    };
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  headers["content-length"] = String(end - start + 1);
  if (range !== null) headers["content-range"] = `bytes ${start}-${end}/${file.size}`;
  const status = range === null ? 200 : 206;
  // A stream, because the framework takes the size of anything else for that of the answer to a GET.
  if (method === "HEAD") return { status, headers, body: Readable.from([]) };
  if (file.size === 0) return { status, headers, body: NOTHING };
  return { status, headers, body: await file.open({ start, end }) };
}

/** Null: the whole is sent, also for several ranges and for what is no range. */
function rangeOf(
  header: string | string[] | undefined,
  size: number,
): { start: number; end: number } | "behind the end" | null {
  const [matched, from = "", to = ""] =
    /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(typeof header === "string" ? header : "") ?? [];
  if (matched === undefined || (from === "" && to === "")) return null;
  if (from === "") {
    const last = Number(to);
    return last === 0 || size === 0 ? "behind the end" : { start: Math.max(0, size - last), end: size - 1 };
  }
  const start = Number(from);
  if (to !== "" && Number(to) < start) return null;
  return start >= size ? "behind the end" : { start, end: Math.min(to === "" ? size - 1 : Number(to), size - 1) };
}

/** What a reader would take for a folder, for the end of a header, or for an order to show the rest backwards. */
const NOT_SAVED = /[/\\\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Saved, not shown (RFC 6266): ASCII for all readers, and the name itself for those that know UTF-8. */
function dispositionOf(given: string): string {
  const filename = given.replaceAll(NOT_SAVED, "_");
  const ascii = filename.replaceAll(/[^ !#-[\]-~]/g, "_");
  const utf8 = encodeURIComponent(filename).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}
