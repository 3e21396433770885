import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { link, mkdir, open, readFile, rename, rm, stat, writeFile as writeWhole } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { entriesOf } from "./entries-of.ts";
import {
  FileMissing,
  type FileName,
  type FileStore,
  FileStoreUnavailable,
  isUuid,
  type Named,
  requireUuids,
  type Spooled,
  type StoredFile,
} from "./file-store.ts";
import { codeOf, storing, writeFile } from "./write-file.ts";

/** A file that is being written has this after its id. */
const PART = ".part";
/** The file with the directory's own id. */
const IDENTITY = "directory-id";
const PRIVATE_FOLDER = 0o700;

/** Files in a directory: `<area>/<workspace>/<id>`. Processes on several machines must share it. */
export class DirectoryStore implements FileStore {
  readonly #root: string;
  readonly #leastFreeBytes: number | undefined;

  /** Nothing is created before the first file. */
  constructor(root: string, leastFreeBytes?: number) {
    this.#root = root;
    this.#leastFreeBytes = leastFreeBytes;
  }

  async put(name: FileName, bytes: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredFile> {
    const folder = this.#folderOf(name);
    const path = join(folder, name.id);
    const limits = {
      limitBytes,
      ...(this.#leastFreeBytes === undefined ? {} : { leastFreeBytes: this.#leastFreeBytes }),
    };
    const stored = await writeFile(folder, path + PART, bytes, limits, (file) => file.sync());
    await this.#moveIn(path + PART, folder, path);
    return stored;
  }

  async take(name: FileName, spooled: Spooled): Promise<void> {
    const folder = this.#folderOf(name);
    await storing(() => mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER }));
    await storing(() => syncPath(spooled.path, "r+"));
    await this.#moveIn(spooled.path, folder, join(folder, name.id));
  }

  async #moveIn(from: string, folder: string, path: string): Promise<void> {
    try {
      await storing(() => rename(from, path));
      // The name of a file is durable once its folder is.
      await storing(() => syncPath(folder, "r"));
    } catch (error) {
      await rm(from, { force: true }).catch(() => {}); // what stays is swept
      await rm(path, { force: true }).catch(() => {});
      throw error;
    }
  }

  async open(name: FileName, start = 0, end?: number): Promise<Readable> {
    const path = join(this.#folderOf(name), name.id);
    try {
      const file = await open(path, "r");
      return createReadStream("", { fd: file, start, ...(end === undefined ? {} : { end }) });
    } catch (error) {
      if (codeOf(error) === "ENOENT") throw new FileMissing(`there is no file ${path}`, { cause: error });
      throw new FileStoreUnavailable("a file cannot be read", { cause: error });
    }
  }

  async delete(name: FileName): Promise<void> {
    // The folder stays, empty perhaps: another file of the workspace may be about to be created in it.
    const path = join(this.#folderOf(name), name.id);
    await storing(() => rm(path, { force: true }));
  }

  async sweep(area: string, olderThanMs: number, named: Named): Promise<number> {
    let swept = 0;
    for (const workspaceId of await entriesOf(join(this.#root, area))) {
      if (!isUuid(workspaceId)) continue;
      const folder = join(this.#root, area, workspaceId);
      const old: string[] = [];
      for (const entry of await entriesOf(folder)) {
        const at = await stat(join(folder, entry)).catch(() => null); // another process may sweep too
        if (at !== null && at.mtimeMs < olderThanMs) old.push(entry);
      }
      const kept = await named(workspaceId, old.filter(isUuid));
      const orphans = old.filter((entry) => !kept.has(entry));
      for (const orphan of orphans) await rm(join(folder, orphan), { force: true });
      swept += orphans.length;
    }
    return swept;
  }

  /** A uuid that the directory keeps: processes that see another one do not share it. */
  async identity(): Promise<string> {
    const path = join(this.#root, IDENTITY);
    const known = await readFile(path, "utf8").catch(() => "");
    if (isUuid(known)) return known;
    // Written aside and linked, so that of two processes that begin together both read the one that came first, whole.
    const own = join(this.#root, `${IDENTITY}.${randomUUID()}`);
    await storing(async () => {
      await mkdir(this.#root, { recursive: true, mode: PRIVATE_FOLDER });
      await writeWhole(own, randomUUID());
      await link(own, path).catch((error: unknown) => {
        if (codeOf(error) !== "EEXIST") throw error;
      });
      await rm(own, { force: true });
    });
    return await storing(() => readFile(path, "utf8"));
  }

  #folderOf(name: FileName): string {
    requireUuids(name);
    return join(this.#root, name.area, name.workspaceId);
  }
}

async function syncPath(path: string, flags: "r" | "r+"): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
