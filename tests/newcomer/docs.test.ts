import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../packages/server/src/process/config/config.ts";
import { ROOT } from "./npm-start.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const FOLDERS_OF_PAGES = ["docs", "packages", "tests", "bench", "examples", "faults", "fixtures"];
/** Every page of the repository; what is installed or built is none of ours. */
const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
  ...FOLDERS_OF_PAGES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).flatMap((name) =>
      name.endsWith(".md") && !/(^|\/)(node_modules|\.venv|dist|target)\//.test(name) ? `${folder}/${name}` : [],
    ),
  ),
];

describe("docs/operations.md", () => {
  const rows = [...read("docs/operations.md").matchAll(/^\| `([A-Z0-9_]+)` \| (?:`([^`]*)`|none) \|/gm)];
  const documented = new Map(rows.map(([, name = "", fallback]) => [name, fallback]));

  it("lists every variable that the gateway reads, and no other", () => {
    expect([...documented.keys()].toSorted()).toEqual(Object.keys(readConfig({})).toSorted());
  });

  it("gives the defaults that hold", () => {
    const asDocumented = Object.fromEntries([...documented].filter(([, fallback]) => fallback !== undefined));
    expect(readConfig(asDocumented)).toEqual(readConfig({}));
    const withDefault = Object.entries(readConfig({})).filter(([, value]) => value !== null && !isEmptyList(value));
    expect(Object.keys(asDocumented).toSorted()).toEqual(withDefault.map(([name]) => name).toSorted());
  });
});

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Of every package in a workspace of npm. */
const PACKAGES = [
  "package.json",
  ...readdirSync(join(ROOT, "packages"))
    .map((name) => `packages/${name}/package.json`)
    .filter((path) => existsSync(join(ROOT, path))),
];
const PYTHON = "packages/sdk-python/pyproject.toml";

describe("docs/dependencies.md", () => {
  it("lists every dependency, and none that was removed", () => {
    const installed = new Set([
      ...PACKAGES.flatMap((path) => dependenciesOf(path)).filter((name) => !name.startsWith("@waypost/")),
      ...pythonDependencies(),
    ]);
    const listed = [...read("docs/dependencies.md").matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
    expect(listed.toSorted()).toEqual([...installed].toSorted());
  });
});

function dependenciesOf(path: string): string[] {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(path)) as Record<
    string,
    Record<string, string> | undefined
  >;
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
}

/** What the Python SDK needs and what builds it. */
function pythonDependencies(): string[] {
  const lists = [...read(PYTHON).matchAll(/^(?:dependencies|requires) = \[(.*)\]$/gm)].map(([, list = ""]) => list);
  return lists.flatMap((list) => [...list.matchAll(/"([\w-]+)/g)].map(([, name = ""]) => name));
}

describe("CHANGELOG.md", () => {
  const headings = [...read("CHANGELOG.md").matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);

  it("has dated versions, the newest first, and that is the one of the packages", () => {
    const versions = headings.filter((heading) => heading !== "Unreleased");
    expect(headings.indexOf("Unreleased")).toBeLessThanOrEqual(0);
    const dated = versions.map((heading) => /^(\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})$/.exec(heading));
    expect(dated.every((match) => match !== null)).toBe(true);
    const dates = dated.map((match) => match?.[2]);
    expect(dates).toEqual(dates.toSorted().toReversed());
    expect(dated[0]?.[1]).toBe(JSON.parse(read("packages/server/package.json")).version);
  });

  it("says of the newest version who reads which of its parts", () => {
    const [, newest = ""] = /^## \d[^\n]*\n(.*?)^## /ms.exec(read("CHANGELOG.md")) ?? [];
    const [table = ""] = newest.split("\n### ");
    const parts = [...newest.matchAll(/^### (.*)$/gm)].map(([, part]) => part);
    const named = [...table.matchAll(/\*([^*]+)\*/g)].map(([, part]) => part);
    expect([...new Set(named)].toSorted()).toEqual(parts.toSorted());
  });

  it("can be scanned: a bullet has two lines at most", () => {
    const long = read("CHANGELOG.md").match(/^- .*\n {2}.*\n {2}.*$/gm);
    expect(long).toBeNull();
  });
});

describe("LICENSE", () => {
  it("is the licence that every package names", () => {
    expect(read("LICENSE")).toMatch(/^\s+Apache License\n\s+Version 2\.0, January 2004\n/);
    const named = PACKAGES.map((path) => [path, JSON.parse(read(path)).license]);
    named.push([PYTHON, /^license = "(.*)"$/m.exec(read(PYTHON))?.[1]]);
    expect(named.filter(([, licence]) => licence !== "Apache-2.0")).toEqual([]);
  });
});

describe("every page", () => {
  it("leads only to what is there", () => {
    const broken = PAGES.flatMap((page) => {
      const targets = [...read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
      return targets.filter((target) => !existsSync(join(ROOT, dirname(page), target))).map((target) => [page, target]);
    });
    expect(broken).toEqual([]);
  });

  it("and what is printed recommend no command that would be installed from a name which another may own", () => {
    const sources = ["packages/cli/src/dev/welcome.ts", "packages/cli/dev-help.txt"];
    const bare = [...PAGES, ...sources]
      .filter((page) => page !== "docs/releasing.md")
      .filter((page) => /np(?:x|m exec)(?: --?\S+)* @?waypost/.test(read(page)));
    expect(bare).toEqual([]);
  });

  it("names only files that are there", () => {
    const broken = PAGES.flatMap((page) => {
      const named = [...read(page).matchAll(/`((?:packages|docs|scripts|fixtures|tests)\/[\w./-]+)`/g)];
      return named.filter(([, path = ""]) => !existsSync(join(ROOT, path))).map(([, path]) => [page, path]);
    });
    expect(broken).toEqual([]);
  });

  it("names sources by the end of their path, and they are there; decisions stay as they were written", () => {
    const sources = ["packages", "tests", "bench", "faults", "scripts"].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => `/${folder}/${path}`),
    );
    const broken = PAGES.filter((page) => !page.startsWith("docs/adr/")).flatMap((page) => {
      const named = [...read(page).matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].map(([, path = ""]) => path);
      return named.filter((path) => !sources.some((source) => source.endsWith(`/${path}`))).map((path) => [page, path]);
    });
    expect(broken).toEqual([]);
  });

  it("of a decision has its date and its parts", () => {
    const decisions = PAGES.filter((page) => /adr\/\d{4}-/.test(page));
    expect(decisions.map((page) => page.slice("docs/adr/".length, "docs/adr/".length + 4))).toEqual(
      decisions.map((_, index) => String(index + 1).padStart(4, "0")),
    );
    for (const page of decisions)
      expect(read(page)).toMatch(
        /^# \d+\. [^\n]+\n\n\w+ \d{4}\n\n\*\*Context\.\*\*.*\*\*Decision\.\*\*.*\*\*Consequences\.\*\*/s,
      );
  });
});
