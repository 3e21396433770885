/** Whose file it is: `area` is the feature's folder, `id` a uuid that the feature has drawn. */
export type FileName = { area: string; workspaceId: string; id: string };

/** What was stored: bytes, and their SHA-256 in hex. */
export type StoredFile = { size: number; sha256: string };

/**
 * Where files lie that are too large for the database. Names belong to the caller, contents never change. A file exists as a whole
 * or not at all: its row is committed after `put`, and what no row names is swept.
 */
export type FileStore = {
  /** Stores the bytes as they come. Rejects with `FileTooLarge`, `FileStoreUnavailable`, or what `bytes` throws: then there is no file. */
  put(name: FileName, bytes: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredFile>;
  /** The bytes from `start` on; rejects with `FileMissing`. The caller reads to the end or returns early. */
  open(name: FileName, start?: number): Promise<AsyncIterable<Buffer>>;
  /** A file that is not there is deleted. */
  delete(name: FileName): Promise<void>;
  /**
   * Deletes the files of an area that are older than `olderThanMs` (of the machine's clock) and that no row names: `named` answers which of
   * these ids its rows name. Returns how many were deleted.
   */
  sweep(area: string, olderThanMs: number, named: Named): Promise<number>;
};
export type Named = (workspaceId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** There are more bytes than the limit allows. */
export class FileTooLarge extends Error {
  override readonly name = "FileTooLarge";
}

/** The store is full, away or not writable: nothing was stored. The cause says which. */
export class FileStoreUnavailable extends Error {
  override readonly name = "FileStoreUnavailable";
}

/** There is no such file: deleted, or in a directory that this process does not share with the one that stored it. */
export class FileMissing extends Error {
  override readonly name = "FileMissing";
}
