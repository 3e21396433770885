import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const HERE = join(import.meta.dirname, "../packages/console/src");
const sources = (ending: string): [name: string, text: string][] =>
  readdirSync(HERE, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => [name, readFileSync(join(HERE, name), "utf8")]);
const findings = (ending: string, fault: RegExp): string[] =>
  sources(ending).flatMap(([name, text]) => [...text.matchAll(fault)].map(([found]) => `${name}: ${found.trim()}`));

/** Attributes that people read, or hear. The linter sees what stands between elements. */
const READ = /\s(?:aria-label|aria-description|title|alt|placeholder|label|lead)="[^"]*\p{L}[^"]*"/gu;

it("every text that people read is of the catalogue of a language", () => {
  expect(sources(".tsx").length).toBeGreaterThan(20);
  expect(findings(".tsx", READ)).toEqual([]);
});

it("the pages that a newcomer sees first name nothing of the gateway's inside", () => {
  const first = ["home", "first-steps", "shell", "places"].map((name) => `text/en/${name}.ts`);
  const texts = sources(".ts").filter(([name]) => first.includes(name));
  expect(texts.map(([name]) => name).toSorted()).toEqual(first.toSorted());
  expect(
    texts.flatMap(([, text]) => text.match(/\b(?:leases?|slots?|lanes?|hot functions?|partitions?)\b/gi) ?? []),
  ).toEqual([]);
});

/** What writes the codes of events, calls and choices, which have a name beside them and no page. */
const OF_OTHERS = /^parts\/(?:Coded|Field)\.tsx: /;

it("an error's code leads to its page: it is written by one part", () => {
  const found = findings(".tsx", /<code>\{(?:[\w.]+\.)?code\}<\/code>/g).filter((one) => !OF_OTHERS.test(one));
  expect(found).toEqual(["parts/ErrorCode.tsx: <code>{code}</code>"]);
});

/** Left and right are other sides where a language is written from the right. */
const SIDES =
  /(?:^|[\s;{])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|left|right|border-(?:top|bottom)-(?:left|right)-radius)\s*:[^;]*|(?:text-align|float|clear)\s*:\s*(?:left|right)/gm;

it("styles name the start and the end of a line, and neither left nor right", () => {
  expect(sources(".css").length).toBeGreaterThan(10);
  expect(findings(".css", SIDES)).toEqual([]);
});
