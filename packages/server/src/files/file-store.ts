import type { Readable } from "node:stream";

/** Whose file it is: `area` is the feature's folder, `id` a uuid that the feature has drawn. */
export type FileName = { area: string; workspaceId: string; id: string };

/** What was stored: bytes, and their SHA-256 in hex. */
export type StoredFile = { size: number; sha256: string };

/** A file that has arrived on this machine and is in no store yet. */
export type Spooled = StoredFile & {
  path: string;
  /** Deletes it, if it is still there. */
  discard(): Promise<void>;
};

/**
 * Where files lie that are too large for the database. Names belong to the caller, contents never change. A file exists as a whole
 * or not at all: its row is committed after `put`, and what no row names is swept.
 */
export type FileStore = {
  /** Stores the bytes as they come. Rejects with `FileTooLarge`, `FileStoreUnavailable`, or what `bytes` throws: then there is no file. */
  put(name: FileName, bytes: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredFile>;
  /** Stores what has arrived in the spool, which may take the file away. Rejects with `FileStoreUnavailable`: then there is no file. */
  take(name: FileName, spooled: Spooled): Promise<void>;
  /**
   * The bytes from `start` on, to `end` with that byte; rejects with `FileMissing` and `FileStoreUnavailable`. The caller reads to the
   * end or destroys it: until then a file or a connection is open.
   */
  open(name: FileName, start?: number, end?: number): Promise<Readable>;
  /** A file that is not there is deleted. */
  delete(name: FileName): Promise<void>;
  /**
   * Deletes the files of an area that are older than `olderThanMs` (of the store's clock) and that no row names: `named` answers which of
   * these ids its rows name. Returns how many were deleted.
   */
  sweep(area: string, olderThanMs: number, named: Named): Promise<number>;
  /** What distinguishes the files of this store from those of another process's; null where all processes have the same. */
  identity(): Promise<string | null>;
};
export type Named = (workspaceId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const isUuid = (text: string): boolean => UUID.test(text);

/** Throws for a name that is not made of uuids: nothing from outside ever becomes a path. */
export function requireUuids({ workspaceId, id }: FileName): void {
  if (!isUuid(workspaceId) || !isUuid(id)) throw new Error("a file is named by uuids");
}

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
