import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, rm, statfs } from "node:fs/promises";
import { FileStoreUnavailable, FileTooLarge, type StoredFile } from "./file-store.ts";

/**
 * Room that is left to the others on the disk, such as a database: PostgreSQL stops when it cannot write, an upload can be
 * repeated.
 */
const LEAST_FREE_BYTES = 256 * 1024 * 1024;
/** Looked at again after so many bytes: other uploads fill the same disk. */
const LOOK_EVERY_BYTES = 16 * 1024 * 1024;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** How a file is written beside others. */
export type WriteLimits = { limitBytes: number; leastFreeBytes?: number };

/**
 * Writes a new file, readable for this user alone, and its folder where there is none. Rejects with `FileTooLarge`, `FileStoreUnavailable`
 * or what `bytes` throws: then there is no file. `finish` may do more with it before it is closed.
 */
export async function writeFile(
  folder: string,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { limitBytes, leastFreeBytes = LEAST_FREE_BYTES }: WriteLimits,
  finish: (file: FileHandle) => Promise<void> = () => Promise.resolve(),
): Promise<StoredFile> {
  await storing(() => mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER }));
  const file = await storing(() => open(path, "wx", PRIVATE_FILE));
  try {
    const stored = await write(file, bytes, { limitBytes, requireRoom: () => requireRoom(folder, leastFreeBytes) });
    await storing(() => finish(file));
    await storing(() => file.close());
    return stored;
  } catch (error) {
    await file.close().catch(() => {}); // it may be closed already
    await rm(path, { force: true }).catch(() => {}); // what stays is swept
    throw error;
  }
}

async function write(
  file: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  { limitBytes, requireRoom }: { limitBytes: number; requireRoom(): Promise<void> },
): Promise<StoredFile> {
  const digest = createHash("sha256");
  let size = 0;
  let lookAt = 0;
  for await (const chunk of bytes) {
    if (size + chunk.length > limitBytes) throw new FileTooLarge(`more than ${limitBytes} bytes`);
    if (size >= lookAt) {
      await storing(requireRoom);
      lookAt = size + LOOK_EVERY_BYTES;
    }
    digest.update(chunk);
    await storing(() => writeAll(file, chunk));
    size += chunk.length;
  }
  return { size, sha256: digest.digest("hex") };
}

async function requireRoom(folder: string, leastFreeBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < leastFreeBytes) throw new Error(`less than ${leastFreeBytes} bytes are free`);
}

/** Whatever the file system refuses is a fault of the store, not of the bytes. */
export async function storing<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw new FileStoreUnavailable(`the data directory takes no file (${codeOf(error)})`, { cause: error });
  }
}

// A write may take less than it was given when the disk is almost full.
async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
}

/** The code of a fault of the file system, or its message. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : error instanceof Error ? error.message : "unknown";
