import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

// What a browser loads before a page is there, compressed by gzip as every browser takes it. Each of these is a promise to people with slow
// lines: what makes it larger must be worth it.
/** Of what every page needs: the start, and the texts of one language. */
const MOST_ENTRY = 185 * 1024;
const MOST_FIRST_LOAD = 250 * 1024;
const MOST_STYLES = 20 * 1024;
const MOST_CHUNK = 60 * 1024;
const MOST_TEXTS = 30 * 1024;

type Line = { file: string; name?: string; isDynamicEntry?: boolean; imports?: string[]; css?: string[] };
const DIST = fileURLToPath(new URL("../../packages/console/dist", import.meta.url));
const manifest = JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8")) as Record<string, Line>;

const bytesOf = (file: string): number => gzipSync(readFileSync(join(DIST, file))).length;

/** The lines that a line needs, with itself. */
function needed(key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found;
  found.add(key);
  for (const other of manifest[key]?.imports ?? []) needed(other, found);
  return found;
}

function loadOf(...keys: string[]): { scripts: number; styles: number } {
  const lines = [...new Set(keys.flatMap((key) => [...needed(key)]))].map((key) => manifest[key]!);
  const styles = new Set(lines.flatMap(({ css = [] }) => css));
  const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + bytesOf(file), 0);
  return { scripts: sum(new Set(lines.map(({ file }) => file))), styles: sum(styles) };
}

/** One file for all that every page needs, as `vite.config.ts` has it. */
const entry = Object.keys(manifest).find(
  (key) => manifest[key]?.name === "start" && manifest[key].file.endsWith(".js"),
)!;
const others = Object.keys(manifest).filter((key) => manifest[key]?.isDynamicEntry === true);
const languages = others.filter((key) => key.startsWith("src/text/"));
const pages = others.filter((key) => !languages.includes(key));
/** The language that has the most to load. */
const longest = languages.toSorted((a, b) => loadOf(b).scripts - loadOf(a).scripts)[0]!;

test("the start is small, with English beside it", () => {
  expect(loadOf(entry, "src/text/en.ts").scripts).toBeLessThanOrEqual(MOST_ENTRY);
});

test("the texts of each language are small, and need nothing of the start, which waits for them", () => {
  expect(languages.length).toBeGreaterThan(1);
  expect(languages.filter((key) => needed(key).has(entry))).toEqual([]);
  expect(languages.filter((key) => loadOf(key).scripts > MOST_TEXTS)).toEqual([]);
});

test.each(pages)("the first load of %s is small", (page) => {
  const { scripts, styles } = loadOf(entry, longest, page);
  expect(scripts + styles).toBeLessThanOrEqual(MOST_FIRST_LOAD);
  expect(styles).toBeLessThanOrEqual(MOST_STYLES);
});

test("no chunk but the entry is large, and each text is there compressed", () => {
  const chunks = Object.entries(manifest).filter(([key, { file }]) => key !== entry && file.endsWith(".js"));
  expect(chunks.filter(([, { file }]) => bytesOf(file) > MOST_CHUNK).map(([key]) => key)).toEqual([]);
  const entryFile = join(DIST, manifest[entry]!.file);
  expect(statSync(`${entryFile}.br`).size).toBeLessThan(statSync(`${entryFile}.gz`).size);
});
