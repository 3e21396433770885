import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newUuid } from "../lib/ids.ts";
import { DirectoryStore } from "./directory-store.ts";
import { FileStoreUnavailable } from "./file-store.ts";
import { conforms } from "./testing/conformance.ts";

let root: string;
let store: DirectoryStore;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "waypost-files-"));
  store = new DirectoryStore(join(root, "files"), 0);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const MINE = newUuid(1);
const nameOf = () => ({ area: "imports", workspaceId: MINE, id: newUuid(Date.now()) });

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}
/** All files, relative to the store. */
const files = async (): Promise<string[]> =>
  (await readdir(join(root, "files"), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

conforms("a directory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "waypost-conforms-"));
  return {
    store: new DirectoryStore(join(folder, "files"), 0),
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

test("a file is readable for this user alone", async () => {
  const name = nameOf();
  await store.put(name, chunks("x"), 9);
  expect((await stat(join(root, "files", "imports", MINE, name.id))).mode & 0o777).toBe(0o600);
});

test("what breaks off or finds no room leaves nothing", async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from("half");
    throw new Error("gone");
  }
  await expect(store.put(nameOf(), broken(), 100)).rejects.toThrow("gone");
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

test("a sweep deletes what a killed process has left half", async () => {
  const fresh = nameOf();
  await store.put(fresh, chunks("x"), 9);
  const part = join(root, "files", "imports", MINE, `${newUuid(3)}.part`);
  await writeFile(part, "half");
  const old = new Date(Date.now() - 10_000);
  await utimes(part, old, old);
  expect(await store.sweep("imports", Date.now() - 5_000, () => Promise.resolve(new Set()))).toBe(1);
  expect(await files()).toEqual([fresh.id]);
});

test("processes that begin at once read one identity, and another directory has another", async () => {
  const here = () => new DirectoryStore(join(root, "files"), 0).identity();
  const found = new Set(await Promise.all([here(), here(), here(), here()]));
  expect([found.size, await here()]).toEqual([1, [...found][0]]);
  expect(await new DirectoryStore(join(root, "elsewhere"), 0).identity()).not.toBe(await here());
  expect(await files()).toEqual(["directory-id"]);
});
