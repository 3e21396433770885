import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newUuid } from "../lib/ids.ts";
import { DirectoryStore } from "./directory-store.ts";
import { FileMissing, FileStoreUnavailable, FileTooLarge } from "./file-store.ts";

let root: string;
let store: DirectoryStore;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "waypost-files-"));
  store = new DirectoryStore(join(root, "files"), 0);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const [MINE, THEIRS] = [newUuid(1), newUuid(2)];
const nameOf = (workspaceId = MINE) => ({ area: "imports", workspaceId, id: newUuid(Date.now()) });

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}
async function textOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of bytes) text += chunk.toString();
  return text;
}
/** All files, relative to the store. */
const files = async (): Promise<string[]> =>
  (await readdir(join(root, "files"), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test("a file is stored whole, readable for this user alone, and read from any byte", async () => {
  const name = nameOf();
  const stored = await store.put(name, chunks("one ", "two ", "three"), 100);
  expect(stored).toEqual({ size: 13, sha256: createHash("sha256").update("one two three").digest("hex") });
  expect((await stat(join(root, "files", "imports", MINE, name.id))).mode & 0o777).toBe(0o600);
  expect(await textOf(await store.open(name))).toBe("one two three");
  expect(await textOf(await store.open(name, 8))).toBe("three");
  await store.delete(name);
  await store.delete(name);
  await expect(store.open(name)).rejects.toThrow(FileMissing);
  expect(await files()).toEqual([]);
});

test("what breaks off, is too large or finds no room leaves nothing", async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from("half");
    throw new Error("gone");
  }
  await expect(store.put(nameOf(), broken(), 100)).rejects.toThrow("gone");
  await expect(store.put(nameOf(), chunks("12345", "67890"), 9)).rejects.toThrow(FileTooLarge);
  const full = new DirectoryStore(join(root, "files"), Number.MAX_SAFE_INTEGER);
  await expect(full.put(nameOf(), chunks("x"), 9)).rejects.toThrow(FileStoreUnavailable);
  await writeFile(join(root, "no-folder"), "");
  const wrong = new DirectoryStore(join(root, "no-folder"), 0);
  await expect(wrong.put(nameOf(), chunks("x"), 9)).rejects.toThrow(FileStoreUnavailable);
  expect(await files()).toEqual([]);
});

test("files come and go at once in one folder", async () => {
  const comeAndGo = async (): Promise<void> => {
    for (let n = 0; n < 50; n++) {
      const name = nameOf();
      await store.put(name, chunks("x"), 9);
      await store.delete(name);
    }
  };
  await Promise.all([comeAndGo(), comeAndGo(), comeAndGo(), comeAndGo()]);
  expect(await files()).toEqual([]);
});

test("a name is made of uuids", async () => {
  const odd = { area: "imports", workspaceId: MINE, id: "../../etc" };
  await expect(store.put(odd, chunks("x"), 9)).rejects.toThrow("uuids");
  await expect(store.open(odd)).rejects.toThrow("uuids");
});

test("a sweep deletes what is old and named by no row, workspace by workspace", async () => {
  const [kept, orphan, theirs, fresh] = [nameOf(), nameOf(), nameOf(THEIRS), nameOf()];
  for (const name of [kept, orphan, theirs, fresh]) await store.put(name, chunks("x"), 9);
  const part = join(root, "files", "imports", MINE, `${newUuid(3)}.part`);
  await writeFile(part, "half");
  const old = new Date(Date.now() - 10_000);
  for (const { workspaceId, id } of [kept, orphan, theirs])
    await utimes(join(root, "files", "imports", workspaceId, id), old, old);
  await utimes(part, old, old);
  const asked: [string, readonly string[]][] = [];
  const swept = await store.sweep("imports", Date.now() - 5_000, (workspaceId, ids) => {
    asked.push([workspaceId, ids.toSorted()]);
    return Promise.resolve(new Set(workspaceId === MINE ? [kept.id] : []));
  });
  expect(swept).toBe(3);
  expect(new Map(asked)).toEqual(
    new Map([
      [MINE, [kept.id, orphan.id].toSorted()],
      [THEIRS, [theirs.id]],
    ]),
  );
  expect((await files()).toSorted()).toEqual([kept.id, fresh.id].toSorted());
  expect(await store.sweep("nothing", Date.now(), () => Promise.resolve(new Set()))).toBe(0);
});
