// Which tests a change touches, for `npm run test:changed`. The graph of imports by itself does not say: whatever starts a gateway
// imports all of the server, so every change would lead to every test.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ROOT } from "./run.mjs";

/** What is imported by more files than this is part of nearly everything. */
const MANY = 40;

const front = (...names) => names.map((name) => `tests/front/${name}.test.ts`);
const database = (...names) => names.map((name) => `tests/database/${name}.test.ts`);

/** Tests that walk over all of a kind, by the files that may change what they find. */
export const WALKS = [
  {
    of: /^packages\/server\/src\/(features\/.*\/(routes|schema|feature|surface|.*-schema)\.ts|features\.ts|http\/)/,
    tests: front(
      "coverage",
      "document",
      "bad-input",
      "audit-names",
      "cursors",
      "control-characters",
      "unstorable-text",
    ),
  },
  {
    of: /^packages\/server\/(migrations\/|src\/db\/|src\/features\/.*(store|\.sql|feature|personal-data)\.ts|src\/(forgetting|server-tables)\.ts)/,
    tests: database(
      "catalogue",
      "functions",
      "hot-functions",
      "hot-answers",
      "plans",
      "walls",
      "personal-data",
      "moves",
    ),
  },
  { of: /^packages\/server\/migrations/, tests: ["tests/migrations.test.ts", "tests/upgrade/upgrade.test.ts"] },
  { of: /^packages\/server\/src\/(db\/indexes|features\/.*feature)\.ts/, tests: database("indexes", "retention") },
  { of: /^(openapi\.json|packages\/sdk\/)/, tests: ["tests/sdk.test.ts"] },
  {
    of: /^(packages\/sdk-python\/|tests\/package\/python|examples\/fastapi\/)/,
    tests: ["tests/package/sdk-python.test.ts"],
  },
  { of: /\.md$|^package\.json$|^packages\/server\/src\/process\/config/, tests: ["tests/newcomer/docs.test.ts"] },
];
/** What all tests stand on. */
const FOUNDATION =
  /^(package-lock\.json|vitest\.config\.ts|tsconfig.*\.json)$|^packages\/server\/src\/(testing\/|process\/runtime\.ts)/;

/**
 * The files of tests to run for these changed files, and whether the quick tests are to run as well; `imports` gives the files of our own
 * that a file imports. Tests are chosen that changed, lie beside what changed or in folders below, import it, lie beside what imports it, or
 * walk over its kind.
 */
export function testsOf(changed, files, imports) {
  const tests = files.filter((file) => file.endsWith(".test.ts"));
  const importers = importersOf(files, imports);
  const chosen = new Set(changed.filter((file) => tests.includes(file)));
  const all = changed.some((file) => FOUNDATION.test(file) || (importers.get(file)?.length ?? 0) > MANY);
  for (const file of changed.filter((one) => !chosen.has(one))) {
    const using = importers.get(file) ?? [];
    for (const one of using.filter((user) => tests.includes(user))) chosen.add(one);
    const folder = dirname(file).replace(/\/testing$/, "");
    // Below the sources' own folder is everything.
    const below = /^packages\/\w+\/src\/./.test(folder);
    for (const one of tests) if (dirname(one) === folder || (below && one.startsWith(`${folder}/`))) chosen.add(one);
    const sources = using.filter((user) => !tests.includes(user));
    const besides = new Set(sources.length > MANY ? [] : sources.map((user) => dirname(user)));
    for (const one of tests.filter((test) => besides.has(dirname(test)))) chosen.add(one);
    for (const { of, tests: walks } of WALKS) if (of.test(file)) for (const one of walks) chosen.add(one);
  }
  return { tests: tests.filter((test) => chosen.has(test)), all };
}

function importersOf(files, imports) {
  const importers = new Map();
  for (const file of files)
    for (const imported of imports(file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
  return importers;
}

/** `testsOf` the changes since `base`, those that are not committed included; by default since the main branch of the origin. */
export function changedTests(
  base = git("branch", "--remotes", "--list", "origin/main") === "" ? "HEAD" : "origin/main",
) {
  const since = git("merge-base", base, "HEAD");
  const changed = lines(git("diff", "--name-only", "--no-renames", since));
  const added = lines(git("ls-files", "--others", "--exclude-standard"));
  const files = lines(git("ls-files", "--cached", "--others", "--exclude-standard", "--", "*.ts"));
  const deleted = new Set(lines(git("ls-files", "--deleted")));
  return testsOf(
    [...changed, ...added],
    files.filter((file) => !deleted.has(file)),
    importsOf,
  );
}

/** The files of tests that ask for their size. */
export const sizedTests = () => lines(git("grep", "--untracked", "-lE", '/testing/size\\.ts"', "--", "*.test.ts"));

function importsOf(file) {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)].map(([, to]) =>
    normalize(join(dirname(file), to)),
  );
}

const git = (...args) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }).trim();
const lines = (text) => (text === "" ? [] : text.split("\n"));
