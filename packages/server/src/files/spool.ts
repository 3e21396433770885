import { randomUUID } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { entriesOf } from "./entries-of.ts";
import type { Spooled } from "./file-store.ts";
import { writeFile } from "./write-file.ts";

/**
 * Where files lie between their arrival and the store, on this machine: so that their type is known by all of their bytes, a program can
 * look at them, and no slow sender keeps a connection of the store.
 */
export class Spool {
  readonly #folder: string;
  readonly #leastFreeBytes: number | undefined;

  /** Nothing is created before the first file. */
  constructor(folder: string, leastFreeBytes?: number) {
    this.#folder = folder;
    this.#leastFreeBytes = leastFreeBytes;
  }

  /** Takes the bytes as they come. Rejects with `FileTooLarge`, `FileStoreUnavailable`, or what `bytes` throws: then there is no file. */
  async receive(bytes: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Spooled> {
    const path = join(this.#folder, randomUUID());
    const { size, sha256 } = await writeFile(this.#folder, path, bytes, {
      limitBytes,
      ...(this.#leastFreeBytes === undefined ? {} : { leastFreeBytes: this.#leastFreeBytes }),
    });
    return { path, size, sha256, discard: () => rm(path, { force: true }).catch(() => {}) }; // what stays is swept
  }

  /** Deletes what a killed process has left: files that nothing was written to since `olderThanMs`. Returns how many. */
  async sweep(olderThanMs: number): Promise<number> {
    let swept = 0;
    for (const entry of await entriesOf(this.#folder)) {
      const path = join(this.#folder, entry);
      const at = await stat(path).catch(() => null); // taken by the store, or another process sweeps too
      if (at === null || at.mtimeMs >= olderThanMs) continue;
      await rm(path, { force: true });
      swept += 1;
    }
    return swept;
  }
}
