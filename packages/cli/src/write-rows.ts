import { createWriteStream, rmSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FailedError, UsageError } from "./errors.ts";
import { Progress } from "./progress.ts";

type Rows = Parameters<typeof Readable.fromWeb>[0];

/** Writes streamed rows to a file or to standard output. A file appears under its name when it is complete: half an export looks like a whole one. */
export async function writeRows(given: ReadableStream<Uint8Array>, out: string | undefined): Promise<void> {
  const rows = given as Rows;
  if (out !== undefined) return await writeFile(rows, out);
  try {
    // Standard output stays open for what else the process writes.
    await write(rows, process.stdout, { end: false });
  } catch (cause) {
    // Its reader has enough, as `head` has.
    if (codeOf(cause) !== "EPIPE") throw await faultOf(cause);
  }
}

async function writeFile(rows: Rows, out: string): Promise<void> {
  const part = `${out}.part`;
  const unwatch = removeAtSignal(part);
  try {
    await rm(part, { force: true });
    // Never through a link that another user has put there.
    await write(rows, createWriteStream(part, { flags: "wx" }), {});
    await rename(part, out);
  } catch (cause) {
    await rm(part, { force: true });
    if (WRONG_PATH.has(codeOf(cause))) throw new UsageError(`${out} cannot be written: ${codeOf(cause)}`);
    throw await faultOf(cause);
  } finally {
    unwatch();
  }
}

async function write(rows: Rows, to: Writable, options: { end?: boolean }): Promise<void> {
  const progress = new Progress("export", null);
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.add(chunk.length);
      done(null, chunk);
    },
  });
  try {
    // Read from here on alone: one that breaks off earlier would have nothing that hears of it.
    await pipeline(Readable.fromWeb(rows), counted, to, options);
  } finally {
    progress.end();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ctrl-C leaves nothing of an export behind. Returns what ends this. */
function removeAtSignal(path: string): () => void {
  const leave = (signal: NodeJS.Signals): void => {
    rmSync(path, { force: true });
    unwatch();
    process.kill(process.pid, signal);
  };
  const unwatch = (): void => {
    for (const signal of SIGNALS) process.off(signal, leave);
  };
  for (const signal of SIGNALS) process.once(signal, leave);
  return unwatch;
}

/** There can be no such file: another one has to be named. */
const WRONG_PATH = new Set(["ENOENT", "ENOTDIR", "EISDIR", "EACCES", "EROFS", "ENAMETOOLONG", "EEXIST"]);
const FULL_DISK = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO"]);

async function faultOf(cause: unknown): Promise<Error> {
  const code = codeOf(cause);
  if (FULL_DISK.has(code)) return new FailedError(`the export cannot be written: ${code}`);
  const { ConnectionError } = await import("@waypost/sdk");
  const about = { requestId: null, attempts: 1, cause };
  return new ConnectionError("the export broke off: what was written is not complete", about);
}

/** Empty where there is none. */
const codeOf = (cause: unknown): string => (cause instanceof Error && "code" in cause ? String(cause.code) : "");
