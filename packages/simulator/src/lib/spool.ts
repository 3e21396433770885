import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";

/** More bytes than this lie in a file. */
const IN_MEMORY_BYTES = 256 * 1024;

/** Bytes that have arrived. What lies in a file has no name, so that nothing of it outlives the process. */
export type Spooled = {
  /** Of all that came, also of bytes beyond the limit, which are not kept. */
  size: number;
  sha256: Buffer;
  isInFile: boolean;
  /** From the first byte on; may be called several times, also at once. */
  read(): Readable;
  /** The bytes are not needed any more. What is reading them breaks off. */
  discard(): void;
};

/** Takes bytes as they come. Rejects with what `bytes` throws; then nothing is kept. */
export async function spool(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limitBytes: number,
): Promise<Spooled> {
  const digest = createHash("sha256");
  const few: Uint8Array[] = [];
  let size = 0;
  let file: FileHandle | null = null;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > limitBytes) continue;
      digest.update(chunk);
      if (file === null) few.push(chunk);
      else await writeAll(file, chunk);
      if (file !== null || size <= IN_MEMORY_BYTES) continue;
      file = await openNameless();
      for (const one of few.splice(0)) await writeAll(file, one);
    }
  } catch (error) {
    await file?.close();
    throw error;
  }
  const sha256 = digest.digest();
  return file === null ? inMemory(Buffer.concat(few), size, sha256) : inFile(file, size, sha256);
}

/** The same of bytes that are there. */
export const spooled = (bytes: Buffer): Spooled =>
  inMemory(bytes, bytes.length, createHash("sha256").update(bytes).digest());

const inMemory = (bytes: Buffer, size: number, sha256: Buffer): Spooled => ({
  size,
  sha256,
  isInFile: false,
  read: () => Readable.from([bytes], { objectMode: false }),
  discard: () => {},
});

const inFile = (file: FileHandle, size: number, sha256: Buffer): Spooled => ({
  size,
  sha256,
  isInFile: true,
  read: () => file.createReadStream({ start: 0, autoClose: false }),
  discard: () => void file.close().catch(() => {}), // twice is as good as once
});

async function openNameless(): Promise<FileHandle> {
  const directory = await mkdtemp(join(tmpdir(), "waypost-simulator-"));
  try {
    return await open(join(directory, "file"), "wx+", 0o600);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// A write may take less than it was given.
async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
}
