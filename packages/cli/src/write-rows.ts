import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UsageError } from "./errors.ts";
import { Progress } from "./progress.ts";

/** Writes streamed rows to a file or to standard output. A file appears under its name when it is complete: half an export looks like a whole one. */
export async function writeRows(rows: ReadableStream<Uint8Array>, out: string | undefined): Promise<void> {
  const part = out === undefined ? null : `${out}.part`;
  const progress = new Progress("export", null);
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.add(chunk.length);
      done(null, chunk);
    },
  });
  const to: Writable = part === null ? process.stdout : createWriteStream(part);
  try {
    // Standard output stays open for what else the process writes.
    await pipeline(Readable.fromWeb(rows as Parameters<typeof Readable.fromWeb>[0]), counted, to, {
      end: part !== null,
    });
    if (part !== null && out !== undefined) await rename(part, out);
  } catch (cause) {
    if (part !== null) await rm(part, { force: true });
    // The reader of standard output has enough, as `head` has.
    if (part === null && isCode(cause, "EPIPE")) return;
    if (cause instanceof Error && "code" in cause && cause.code !== "UND_ERR_SOCKET")
      throw new UsageError(`the export cannot be written: ${String(cause.code)}`);
    const { ConnectionError } = await import("@waypost/sdk");
    const about = { requestId: null, attempts: 1, cause };
    throw new ConnectionError("the export broke off: what was written is not complete", about);
  } finally {
    progress.end();
  }
}

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code;
