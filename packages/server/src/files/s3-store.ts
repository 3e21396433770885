import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
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
import type { S3Calls } from "./s3-calls.ts";
import type { Spool } from "./spool.ts";

/** Objects in a bucket: `<prefix>/<area>/<workspace>/<id>`. */
export class S3Store implements FileStore {
  readonly #calls: S3Calls;
  /** Empty, or it ends with a slash. */
  readonly #prefix: string;
  readonly #spool: Spool;

  constructor({ calls, prefix, spool }: { calls: S3Calls; prefix: string; spool: Spool }) {
    this.#calls = calls;
    this.#prefix = prefix === "" ? "" : `${prefix}/`;
    this.#spool = spool;
  }

  // An object is put with its size and digest, in one call: there is no half of it, and nothing to clean up after a kill.
  async put(name: FileName, bytes: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredFile> {
    requireUuids(name);
    const spooled = await this.#spool.receive(bytes, limitBytes);
    try {
      await this.take(name, spooled);
      return { size: spooled.size, sha256: spooled.sha256 };
    } finally {
      await spooled.discard();
    }
  }

  async take(name: FileName, { path, size, sha256 }: Spooled): Promise<void> {
    const body = { size, sha256, open: () => createReadStream(path) };
    const answer = await this.#calls.call({ method: "PUT", key: this.#keyOf(name), body }, [200]);
    await drained(answer.body);
  }

  async open(name: FileName, start = 0, end?: number): Promise<Readable> {
    const key = this.#keyOf(name);
    const isWhole = start === 0 && end === undefined;
    const range = isWhole ? {} : { range: `bytes=${start}-${end ?? ""}` };
    const { status, body } = await this.#calls.call({ method: "GET", key, headers: range }, [200, 206, 404, 416]);
    if (status === 200 || status === 206) {
      body.on("error", () => {}); // its reader gets it; of one that is destroyed early it says no more than that
      // Some servers, and caches ahead of one, know no ranges.
      return isWhole || status === 206 ? body : partOf(body, start, end ?? Number.MAX_SAFE_INTEGER);
    }
    await drained(body);
    if (status === 404) throw new FileMissing(`there is no object ${key}`);
    return Readable.from([]); // it ends ahead of `start`
  }

  async delete(name: FileName): Promise<void> {
    const answer = await this.#calls.call({ method: "DELETE", key: this.#keyOf(name) }, [200, 204, 404]);
    await drained(answer.body);
  }

  async sweep(area: string, olderThanMs: number, named: Named): Promise<number> {
    let swept = 0;
    let after: string | null = null;
    do {
      const page: Listed = await this.#list(area, after);
      const old = page.objects.filter(({ modifiedMs }) => modifiedMs < olderThanMs);
      for (const [workspaceId, ids] of byWorkspace(old)) {
        const kept = await named(workspaceId, ids);
        const orphans = ids.filter((id) => !kept.has(id));
        for (const id of orphans) await this.delete({ area, workspaceId, id });
        swept += orphans.length;
      }
      after = page.next;
    } while (after !== null);
    return swept;
  }

  identity(): Promise<null> {
    return Promise.resolve(null);
  }

  async #list(area: string, after: string | null): Promise<Listed> {
    const prefix = `${this.#prefix}${area}/`;
    const query = {
      "list-type": "2",
      prefix,
      ...(after === null ? {} : { "continuation-token": after }),
    };
    const { body } = await this.#calls.call({ method: "GET", key: "", query }, [200]);
    return listedOf(await textOf(body), prefix);
  }

  #keyOf(name: FileName): string {
    requireUuids(name);
    return `${this.#prefix}${name.area}/${name.workspaceId}/${name.id}`;
  }
}

type Listed = {
  objects: readonly { workspaceId: string; id: string; modifiedMs: number }[];
  /** Where the next page begins; null on the last one. */
  next: string | null;
};

/** Of a page of at most 1,000. Keys that we did not make are not ours to delete. */
function listedOf(xml: string, prefix: string): Listed {
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, one = ""]) => {
    const key = /<Key>([^<]*)<\/Key>/.exec(one)?.[1] ?? "";
    const modifiedMs = Date.parse(/<LastModified>([^<]*)<\/LastModified>/.exec(one)?.[1] ?? "");
    const [workspaceId = "", id = "", ...more] = key.startsWith(prefix) ? key.slice(prefix.length).split("/") : [];
    const isOurs = isUuid(workspaceId) && isUuid(id) && more.length === 0 && !Number.isNaN(modifiedMs);
    return isOurs ? [{ workspaceId, id, modifiedMs }] : [];
  });
  const next = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(xml)?.[1];
  return { objects, next: next === undefined ? null : unescaped(next) };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (all, name: string) => ENTITIES[name] ?? all);

function byWorkspace(objects: Listed["objects"]): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const { workspaceId, id } of objects) all.set(workspaceId, [...(all.get(workspaceId) ?? []), id]);
  return all;
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    throw new FileStoreUnavailable("the store of MEDIA_STORE broke off", { cause: error });
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Reads an answer whose text says nothing, so that its connection is free. */
async function drained(body: AsyncIterable<Buffer>): Promise<void> {
  await textOf(body);
}

/** From `start` to `end`, both included, of what begins with byte 0. What is behind it is not read. */
function partOf(body: Readable, start: number, end: number): Readable {
  const part = Readable.from(piecesOf(body, start, end), { objectMode: false });
  // Before its first byte is asked for, nothing else ends the body.
  return part.once("close", () => body.destroy());
}

async function* piecesOf(body: AsyncIterable<Buffer>, start: number, end: number): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of body) {
    const piece = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    if (piece.length > 0) yield piece;
    at += chunk.length;
    if (at > end) return;
  }
}
