import type { Readable } from "node:stream";
import type { App } from "../../ctx.ts";
import { FileMissing, type FileStore, type Spooled } from "../../files/file-store.ts";
import type { Spool } from "../../files/spool.ts";
import { newUuid } from "../../lib/ids.ts";
import { detectType, type Said } from "./content-type/detect.ts";
import { insertFileRow, keepFileRow, lockDigest, updateFileStored } from "./files/file.store.ts";
import { scan } from "./files/scan.ts";
import type { FileType } from "./media-types.ts";

/** Folder of media in the file store. */
export const MEDIA_AREA = "media";
/** A file that no row of media names is swept after this: storing the largest takes five minutes at most. */
const UNNAMED_MS = 10 * 60_000;

/** A file in the store. */
export type KeptFile = { fileId: string; size: number; sha256: string };

/** The bytes of media: how they arrive, what they are, and where they are kept. */
export class MediaFiles {
  readonly #app: Pick<App, "config" | "db">;
  readonly #store: FileStore;
  readonly #spool: Spool;
  readonly #stopped = new AbortController();

  constructor(app: Pick<App, "config" | "db">, { store, spool }: { store: FileStore; spool: Spool }) {
    this.#app = app;
    this.#store = store;
    this.#spool = spool;
  }

  /**
   * Takes bytes onto this machine as they come. Rejects with `FileTooLarge`, `FileStoreUnavailable`, or what `bytes` throws: then nothing
   * is left. The caller keeps or discards what arrived.
   */
  receive(bytes: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Spooled> {
    return this.#spool.receive(bytes, limitBytes);
  }

  /** Its type by its bytes; null for one that the provider does not take. */
  typeOf({ path, size }: Spooled, said: Said): Promise<FileType | null> {
    return detectType(path, size, said);
  }

  /** What the program of MEDIA_SCAN_COMMAND says; true without one. Rejects with `FileStoreUnavailable` when it cannot say. */
  isClean({ path }: Spooled): Promise<boolean> {
    const command = this.#app.config.MEDIA_SCAN_COMMAND;
    return command === null ? Promise.resolve(true) : scan(command, path, this.#stopped.signal);
  }

  /**
   * Stores what arrived, or finds that the workspace has the same bytes; the spool is empty afterwards. Unless a row of media names the
   * file within ten minutes, it is swept. Rejects with `FileStoreUnavailable`.
   */
  async keep(workspaceId: string, spooled: Spooled, now: number): Promise<KeptFile> {
    const { db } = this.#app;
    const { size, sha256 } = spooled;
    const sweepAt = new Date(now + UNNAMED_MS);
    try {
      const known = await db.transaction(workspaceId, (sql) =>
        keepFileRow(sql, workspaceId, { sha256, size, sweepAt }),
      );
      if (known !== null) {
        // Its bytes may be lost: a store that was restored, or emptied by hand, gets them back by sending them again.
        if (!(await this.#isStored(workspaceId, known)))
          await this.#store.take({ area: MEDIA_AREA, workspaceId, id: known }, spooled);
        return { fileId: known, size, sha256 };
      }
      const id = newUuid(now);
      // The row comes first: whatever becomes of this process, or of the answer of the store, the sweep finds the bytes by it.
      await db.transaction(workspaceId, (sql) => insertFileRow(sql, workspaceId, { id, sha256, size, sweepAt }));
      await this.#store.take({ area: MEDIA_AREA, workspaceId, id }, spooled);
      const fileId = await db.transaction(workspaceId, async (sql) => {
        await lockDigest(sql, workspaceId, sha256);
        const other = await keepFileRow(sql, workspaceId, { sha256, size, sweepAt });
        if (other === null) await updateFileStored(sql, workspaceId, id);
        return other ?? id;
      });
      // The same bytes came twice at once. What is not deleted here goes with the sweep.
      if (fileId !== id) await this.delete(workspaceId, id);
      return { fileId, size, sha256 };
    } finally {
      await spooled.discard();
    }
  }

  async #isStored(workspaceId: string, fileId: string): Promise<boolean> {
    try {
      for await (const _first of await this.open(workspaceId, fileId, { start: 0, end: 0 })) break;
      return true;
    } catch (error) {
      if (error instanceof FileMissing) return false;
      throw error;
    }
  }

  /**
   * The bytes from `start` to `end`, both included, to be read to their end or destroyed. Rejects with `FileMissing` and
   * `FileStoreUnavailable`.
   */
  open(workspaceId: string, fileId: string, range: { start: number; end: number }): Promise<Readable> {
    return this.#store.open({ area: MEDIA_AREA, workspaceId, id: fileId }, range.start, range.end);
  }

  /** Deletes bytes that nothing names any more. */
  delete(workspaceId: string, fileId: string): Promise<void> {
    return this.#store.delete({ area: MEDIA_AREA, workspaceId, id: fileId });
  }

  /** Ends the programs that look at files. */
  stop(): void {
    this.#stopped.abort();
  }
}
