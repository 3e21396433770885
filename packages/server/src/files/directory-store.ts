import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import {
  FileMissing,
  type FileName,
  FileStoreUnavailable,
  FileTooLarge,
  type Named,
  type StoredFile,
} from "./file-store.ts";

/**
 * Room that is left to the others on the disk, such as a database: PostgreSQL stops when it cannot write, an upload can be
 * repeated.
 */
const LEAST_FREE_BYTES = 256 * 1024 * 1024;
/** Looked at again after so many bytes: other uploads fill the same disk. */
const LOOK_EVERY_BYTES = 16 * 1024 * 1024;
/** A file that is being written has this after its id. */
const PART = ".part";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Files in a directory: `<area>/<workspace>/<id>`. Processes on several machines must share it. */
export class DirectoryStore {
  readonly #root: string;
  readonly #leastFreeBytes: number;

  /** Nothing is created before the first file. */
  constructor(root: string, leastFreeBytes = LEAST_FREE_BYTES) {
    this.#root = root;
    this.#leastFreeBytes = leastFreeBytes;
  }

  async put(name: FileName, bytes: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredFile> {
    const folder = this.#folderOf(name);
    const path = join(folder, name.id);
    await storing(() => mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER }));
    const file = await storing(() => open(path + PART, "wx", PRIVATE_FILE));
    try {
      const stored = await this.#write(file, bytes, limitBytes);
      await storing(() => file.sync());
      await storing(() => file.close());
      await storing(() => rename(path + PART, path));
      await storing(() => syncFolder(folder));
      return stored;
    } catch (error) {
      await file.close().catch(() => {}); // it may be closed already
      await rm(path + PART, { force: true }).catch(() => {}); // what stays is swept
      await rm(path, { force: true }).catch(() => {});
      throw error;
    }
  }

  async #write(file: FileHandle, bytes: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredFile> {
    const digest = createHash("sha256");
    let size = 0;
    let lookAt = 0;
    for await (const chunk of bytes) {
      if (size + chunk.length > limitBytes) throw new FileTooLarge(`more than ${limitBytes} bytes`);
      if (size >= lookAt) {
        await storing(() => this.#requireRoom());
        lookAt = size + LOOK_EVERY_BYTES;
      }
      digest.update(chunk);
      await storing(() => writeAll(file, chunk));
      size += chunk.length;
    }
    return { size, sha256: digest.digest("hex") };
  }

  async #requireRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#root);
    if (bavail * bsize < this.#leastFreeBytes) throw new Error(`less than ${this.#leastFreeBytes} bytes are free`);
  }

  async open(name: FileName, start = 0): Promise<AsyncIterable<Buffer>> {
    const path = join(this.#folderOf(name), name.id);
    try {
      const file = await open(path, "r");
      return createReadStream("", { fd: file, start });
    } catch (error) {
      if (codeOf(error) === "ENOENT") throw new FileMissing(`there is no file ${path}`, { cause: error });
      throw new FileStoreUnavailable("a file cannot be read", { cause: error });
    }
  }

  async delete(name: FileName): Promise<void> {
    // The folder stays, empty perhaps: another file of the workspace may be about to be created in it.
    await storing(() => rm(join(this.#folderOf(name), name.id), { force: true }));
  }

  async sweep(area: string, olderThanMs: number, named: Named): Promise<number> {
    let swept = 0;
    for (const workspaceId of await entriesOf(join(this.#root, area))) {
      if (!UUID.test(workspaceId)) continue;
      const folder = join(this.#root, area, workspaceId);
      const old: string[] = [];
      for (const entry of await entriesOf(folder)) {
        const at = await stat(join(folder, entry)).catch(() => null); // another process may sweep too
        if (at !== null && at.mtimeMs < olderThanMs) old.push(entry);
      }
      const kept = await named(
        workspaceId,
        old.filter((entry) => UUID.test(entry)),
      );
      const orphans = old.filter((entry) => !kept.has(entry));
      for (const orphan of orphans) await rm(join(folder, orphan), { force: true });
      swept += orphans.length;
    }
    return swept;
  }

  #folderOf({ area, workspaceId, id }: FileName): string {
    if (!UUID.test(workspaceId) || !UUID.test(id)) throw new Error("a file is named by uuids");
    return join(this.#root, area, workspaceId);
  }
}

/** Whatever the file system refuses is a fault of the store, not of the bytes. */
async function storing<T>(step: () => Promise<T>): Promise<T> {
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

/** The name of a file is durable once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function entriesOf(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw error;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : error instanceof Error ? error.message : "unknown";
