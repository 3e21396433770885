import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newUuid } from "../../lib/ids.ts";
import { FileMissing, type FileName, type FileStore, FileTooLarge, type Spooled } from "../file-store.ts";

/** A store to be tested; `close` deletes what is in it. */
export type OpenedStore = { store: FileStore; close(): Promise<void> };

/** How every store of files behaves. */
export function conforms(what: string, open: () => Promise<OpenedStore>): void {
  describe(`a file in ${what}`, () => {
    let store: FileStore;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ store, close } = await open());
    });
    afterAll(() => close());

    it("is stored whole, is read from any byte to any byte, and is gone when it is deleted", async () => {
      const name = nameOf();
      const stored = await store.put(name, chunks("one ", "two ", "three"), 100);
      expect(stored).toEqual({ size: 13, sha256: sha256("one two three") });
      expect(await textOf(await store.open(name))).toBe("one two three");
      expect(await textOf(await store.open(name, 8))).toBe("three");
      expect(await textOf(await store.open(name, 4, 6))).toBe("two");
      expect(await textOf(await store.open(name, 8, 99))).toBe("three");
      expect(await textOf(await store.open(name, 13))).toBe("");
      await store.delete(name);
      await store.delete(name);
      await expect(store.open(name)).rejects.toThrow(FileMissing);
    });

    it("is taken from the spool", async () => {
      const [name, spooled] = [nameOf(), await spool("from the spool")];
      await store.take(name, spooled);
      await spooled.discard();
      expect(await textOf(await store.open(name))).toBe("from the spool");
    });

    it("may be empty, and may have some megabytes", async () => {
      const [empty, large] = [nameOf(), nameOf()];
      await store.put(empty, chunks(), 0);
      expect(await textOf(await store.open(empty))).toBe("");
      const bytes = Buffer.alloc(6_000_000, "abcdefg");
      await store.put(large, pieces(bytes, 100_000), bytes.length);
      expect(sha256(await textOf(await store.open(large)))).toBe(sha256(bytes));
    });

    it("leaves nothing when it breaks off or is too large", async () => {
      async function* broken(): AsyncGenerator<Buffer> {
        yield Buffer.from("half");
        throw new Error("gone");
      }
      for (const [bytes, fault] of [
        [broken(), "gone"],
        [chunks("12345", "67890"), FileTooLarge],
      ] as const) {
        const name = nameOf();
        await expect(store.put(name, bytes, 9)).rejects.toThrow(fault);
        await expect(store.open(name)).rejects.toThrow(FileMissing);
      }
    });

    it("is named by uuids", async () => {
      const odd = { area: "media", workspaceId: MINE, id: "../../etc" };
      await expect(store.put(odd, chunks("x"), 9)).rejects.toThrow("uuids");
      await expect(store.open(odd)).rejects.toThrow("uuids");
      await expect(store.delete(odd)).rejects.toThrow("uuids");
    });

    it("that is old and named by no row is swept, workspace by workspace", async () => {
      const [kept, orphan, theirs] = [nameOf(), nameOf(), nameOf(THEIRS)].map((name) => ({ ...name, area: "swept" }));
      if (!kept || !orphan || !theirs) throw new Error("unreachable");
      for (const name of [kept, orphan, theirs]) await store.put(name, chunks("x"), 9);
      const none = () => Promise.resolve(new Set<string>());
      expect(await store.sweep("swept", Date.now() - 60_000, none)).toBe(0);
      const asked = new Map<string, readonly string[]>();
      // Clocks of stores may differ by some seconds.
      const swept = await store.sweep("swept", Date.now() + 60_000, (workspaceId, ids) => {
        asked.set(workspaceId, [...(asked.get(workspaceId) ?? []), ...ids].toSorted());
        return Promise.resolve(new Set(workspaceId === MINE ? [kept.id] : []));
      });
      expect(swept).toBe(2);
      expect(asked).toEqual(
        new Map([
          [MINE, [kept.id, orphan.id].toSorted()],
          [THEIRS, [theirs.id]],
        ]),
      );
      expect(await textOf(await store.open(kept))).toBe("x");
      await expect(store.open(orphan)).rejects.toThrow(FileMissing);
      expect(await store.sweep("nothing", Date.now(), none)).toBe(0);
    });
  });
}

const [MINE, THEIRS] = [newUuid(1), newUuid(2)];
const nameOf = (workspaceId = MINE): FileName => ({ area: "media", workspaceId, id: newUuid(Date.now()) });
const sha256 = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex");

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}
async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function textOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of bytes) text += chunk.toString();
  return text;
}

async function spool(text: string): Promise<Spooled> {
  const path = join(tmpdir(), `waypost-spooled-${newUuid(Date.now())}`);
  await writeFile(path, text);
  return { path, size: text.length, sha256: sha256(text), discard: () => Promise.resolve() };
}
