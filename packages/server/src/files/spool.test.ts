import { mkdtemp, readdir, readFile, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileStoreUnavailable, FileTooLarge } from "./file-store.ts";
import { Spool } from "./spool.ts";

let root: string;
let spool: Spool;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "waypost-spool-"));
  spool = new Spool(join(root, "arriving"), 0);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}
const files = () => readdir(join(root, "arriving"));

test("what arrives lies there until it is discarded; what is too large or finds no room does not", async () => {
  const spooled = await spool.receive(chunks("one ", "two"), 7);
  expect([spooled.size, await readFile(spooled.path, "utf8")]).toEqual([7, "one two"]);
  await expect(spool.receive(chunks("one ", "two"), 6)).rejects.toThrow(FileTooLarge);
  const full = new Spool(join(root, "arriving"), Number.MAX_SAFE_INTEGER);
  await expect(full.receive(chunks("x"), 9)).rejects.toThrow(FileStoreUnavailable);
  expect(await files()).toHaveLength(1);
  await spooled.discard();
  await spooled.discard();
  expect(await files()).toEqual([]);
});

test("a sweep deletes what nothing was written to for long", async () => {
  const [old, fresh] = [await spool.receive(chunks("x"), 9), await spool.receive(chunks("y"), 9)];
  const then = new Date(Date.now() - 10_000);
  await utimes(old.path, then, then);
  expect(await spool.sweep(Date.now() - 5_000)).toBe(1);
  expect(await files()).toEqual([fresh.path.split("/").at(-1)]);
  expect(await new Spool(join(root, "nowhere")).sweep(Date.now())).toBe(0);
});
