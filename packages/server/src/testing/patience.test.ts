import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const FILES = ["..", "../../../../tests"].flatMap((folder) => {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  const names = readdirSync(path, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(path, name));
});

it("every wait of a test says for how long: by itself `vi.waitFor` gives up after a second, which a busy machine takes", () => {
  const waits = FILES.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return [...text.matchAll(/\bvi\s*\.wait(?:For|Until)\(/g)].map(({ index }) => `${file}: ${callAt(text, index)}`);
  });
  expect(waits.length).toBeGreaterThan(50);
  expect(waits.filter((call) => !/(?:PATIENCE|WITHIN|timeout: [^{}]+)(?:,[^{}]*)?\}?,?\s*\)$/.test(call))).toEqual([]);
});

/** The call that begins there, to its closing bracket. */
function callAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if ("([{".includes(text[at]!)) depth += 1;
    if (")]}".includes(text[at]!) && (depth -= 1) === 0) return text.slice(start, at + 1);
  }
  return text.slice(start);
}
