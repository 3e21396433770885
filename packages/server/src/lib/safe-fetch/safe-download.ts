import type { FileHandle } from "node:fs/promises";
import { Client } from "undici";
import type { Clock } from "../clock.ts";
import { guardedConnector, nameResolver, type Resolve } from "./connect.ts";
import { faultOf } from "./fetch-fault.ts";
import type { Proxy } from "./proxy.ts";
import { checkUrl, type EgressPolicy } from "./target.ts";

export type SafeDownload = {
  url: string;
  /** The media types that are taken, in lower case. */
  types: readonly string[];
  mostBytes: number;
  /** Written from its beginning. */
  file: FileHandle;
  signal?: AbortSignal;
};

/** `detail`: public text that names no address. */
export type Downloaded = { ok: true; type: string; bytes: number } | { ok: false; detail: string };

export type SafeDownloadOptions = {
  policy: EgressPolicy;
  clock: Clock;
  /** From the first look-up to the last byte. */
  withinMs: number;
  resolve?: Resolve;
  proxy?: Proxy | undefined;
};

/** The file cannot be written: it is our disk that has no room, and not the server's fault. */
export class FileNotWritten extends Error {}

const CONNECT_MS = 5_000;
const MOST_HEADER_BYTES = 16 * 1024;

/**
 * Writes what a URL that a tenant names has into a file, by the rules of `SafeFetch`: no private target, no redirect, no endless
 * answer. A socket of its own, because such a server is seldom called twice. Never rejects for what the server does; rejects
 * with `FileNotWritten` when the file takes no more.
 */
export async function safeDownload(request: SafeDownload, options: SafeDownloadOptions): Promise<Downloaded> {
  const { policy, clock, withinMs, proxy, resolve = nameResolver(policy.allowed.length > 0) } = options;
  const late = new AbortController();
  const cancel = clock.after(withinMs, () => late.abort());
  const signal = request.signal ? AbortSignal.any([late.signal, request.signal]) : late.signal;
  let client: Client | null = null;
  try {
    const { url, insideOnly } = checkUrl(request.url, policy);
    const connect = guardedConnector({ policy, insideOnly, resolve, timeoutMs: CONNECT_MS, proxy });
    client = new Client(url.origin, { connect, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: MOST_HEADER_BYTES });
    return await read(client, `${url.pathname}${url.search}`, request, signal);
  } catch (error) {
    if (error instanceof FileNotWritten) throw error;
    if (late.signal.aborted) return refuse(`The file was not there within ${withinMs / 1_000} s.`);
    return refuse(faultOf(error).detail);
  } finally {
    cancel();
    await client?.destroy();
  }
}

async function read(client: Client, path: string, request: SafeDownload, signal: AbortSignal): Promise<Downloaded> {
  // Identity: an answer that unpacks to more than it seems is never unpacked.
  const headers = { "accept-encoding": "identity", "user-agent": "Waypost" };
  const { statusCode, headers: given, body } = await client.request({ method: "GET", path, headers, signal });
  // The rest of an answer that is not wanted ends with its socket.
  body.on("error", () => {});
  if (statusCode >= 300 && statusCode < 400) return refuse("The link redirects. Give the address of the file itself.");
  if (statusCode !== 200) return refuse(`The server of the link answered with HTTP ${statusCode}.`);
  const type =
    String(given["content-type"] ?? "")
      .split(";")[0]
      ?.trim()
      .toLowerCase() ?? "";
  if (!request.types.includes(type))
    return refuse(
      `The server of the link names ${/^[\w.+/-]{1,80}$/.test(type) ? `the type ${type}` : "no usable type"}. Use ${request.types.join(", ")}.`,
    );
  if ((given["content-encoding"] ?? "identity") !== "identity")
    return refuse("The server of the link compresses the file. Give the address of the file as it is.");
  const tooLarge = refuse(`The file is larger than ${request.mostBytes / 1_048_576} MB.`);
  if (Number(given["content-length"] ?? 0) > request.mostBytes) return tooLarge;
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > request.mostBytes) return tooLarge;
    await request.file.appendFile(chunk).catch((cause: unknown) => {
      throw new FileNotWritten("the file cannot be written", { cause });
    });
  }
  return bytes === 0 ? refuse("The file is empty.") : { ok: true, type, bytes };
}

const refuse = (detail: string): Downloaded => ({ ok: false, detail });
