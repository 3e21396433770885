import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runTool, secondsSince } from "./run.mjs";

/** In the order in which they import each other. A package without sources yet is passed over. */
const PACKAGES = ["server", "simulator", "sdk", "cli"];
/** Beside the output, written last: a build that was cut off has none. */
const STAMP = ".built-from";

/** Compiles each package whose output does not come from what its sources are now. Throws with the compiler's words. */
export async function ensureBuilt() {
  for (const name of PACKAGES) {
    const folder = join(ROOT, "packages", name);
    const sources = sourcesOf(folder);
    if (sources.length === 0) continue;
    const fingerprint = fingerprintOf(folder, sources);
    const stamp = join(folder, "dist", STAMP);
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) continue;
    await compile(name, folder);
    writeFileSync(stamp, fingerprint);
  }
}

async function compile(name, folder) {
  const started = performance.now();
  process.stdout.write(`waypost: building ${name} … `);
  // Removed first: the output of a source that is gone would still be found by an import.
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  // File by file: types are `npm run check`'s, over all packages at once, and a package must not pull the sources of another
  // one, which its types lead to, into its own output.
  const { code, output } = await runTool("@typescript/native/bin/tsc", ["-p", folder, "--noCheck", "--noResolve"]);
  if (code !== 0) throw new Error(`packages/${name} does not compile\n${output}`);
  console.log(secondsSince(started));
}

function sourcesOf(folder) {
  if (!existsSync(join(folder, "src"))) return [];
  return readdirSync(join(folder, "src"), { recursive: true })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => join(folder, "src", path))
    .sort();
}

/** By content, because the times of files change with every checkout. */
function fingerprintOf(folder, sources) {
  const hash = createHash("sha256");
  const shared = ["tsconfig.base.json", "package-lock.json"].map((name) => join(ROOT, name));
  const own = ["tsconfig.json", "package.json"].map((name) => join(folder, name));
  for (const file of [...shared, ...own, ...sources]) {
    // Separated, so that text cannot move between a name and a content unseen.
    hash.update(`${file.slice(ROOT.length)}\0`);
    hash.update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}
