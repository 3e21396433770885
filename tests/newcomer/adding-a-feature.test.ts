import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "./npm-start.ts";

// docs/adding-a-feature.md, word by word, in a copy of the project.

const run = promisify(execFile);
const LEFT_OUT = new Set(["node_modules", "dist", "data", "coverage", ".git"]);
let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "waypost-guide-"));
  await cp(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  await linkPackages();
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** The packages of the project itself are those of the copy. */
async function linkPackages(): Promise<void> {
  const ours = join(copy, "node_modules/@waypost");
  await mkdir(ours, { recursive: true });
  for (const name of await readdir(join(copy, "packages")))
    await symlink(join(copy, "packages", name), join(ours, name));
  for (const name of await readdir(join(ROOT, "node_modules")))
    if (name !== "@waypost" && !name.startsWith("."))
      await symlink(join(ROOT, "node_modules", name), join(copy, "node_modules", name));
}

/** As a developer's shell runs it: nothing of this test run shows through. */
async function inCopy(command: string, args: readonly string[]): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST") && name !== "NODE_ENV");
  const options = { cwd: copy, env: Object.fromEntries(own), maxBuffer: 16_777_216 };
  // A compiler complains in what it prints.
  const { stdout } = await run(command, args, options).catch(({ message, stdout }: Error & { stdout: string }) => {
    throw new Error(`${message}\n${stdout.slice(0, 4_000)}`);
  });
  return stdout;
}

it("the guide leads to a feature that compiles, is documented and passes its tests", { timeout: 300_000 }, async () => {
  const guide = await readFile(join(copy, "docs/adding-a-feature.md"), "utf8");
  const [, commands = ""] = /```sh\n(.*?)```/s.exec(guide) ?? [];
  await inCopy("sh", ["-euc", commands]);

  const features = join(copy, "packages/server/src/features.ts");
  const list = await readFile(features, "utf8");
  await writeFile(
    features,
    list
      .replace(
        "\nimport { retention }",
        '\nimport { reminders } from "./features/reminders/feature.ts";\nimport { retention }',
      )
      .replace("  messages,\n", "  messages,\n  reminders,\n"),
  );
  for (const language of ["en", "es", "pt-BR", "ar"]) {
    const kinds = join(copy, `packages/console/src/text/${language}/kinds.ts`);
    const names = await readFile(kinds, "utf8");
    await writeFile(
      kinds,
      names.replace("  endpoint_test:", '  reminder_created: "Reminder created",\n  endpoint_test:'),
    );
  }

  await inCopy(process.execPath, ["scripts/generate.mjs"]);
  const document = JSON.parse(await readFile(join(copy, "openapi.json"), "utf8")) as { paths: Record<string, object> };
  expect(Object.keys(document.paths["/v1/reminders/{id}"] ?? {})).toEqual(["get", "patch", "delete"]);
  expect(await readFile(join(copy, "packages/server/migrations.txt"), "utf8")).toMatch(
    /\d{4}_reminders\.sql \w{16}\n$/,
  );
  await inCopy(process.execPath, ["node_modules/@typescript/native/bin/tsc", "--noEmit", "-p", "tsconfig.json"]);
  await inCopy(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "packages/server/src/features/reminders"]);
});
