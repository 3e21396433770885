import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ROOT, runTool, secondsSince } from "./run.mjs";

/** In the order in which they import each other. A package without sources yet is passed over. */
const PACKAGES = ["server", "simulator", "sdk", "cli"];
/** In the output: what it was made from. */
const STAMP = ".built-from";

/** Compiles each package whose output is older than its sources. Throws with the compiler's output. */
export async function ensureBuilt() {
  for (const name of PACKAGES) {
    const folder = join(ROOT, "packages", name);
    const sources = sourcesOf(folder);
    if (sources.length === 0) continue;
    const fingerprint = fingerprintOf(folder, sources);
    const stamp = join(folder, "dist", STAMP);
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) continue;
    await compile(name, folder, fingerprint);
  }
}

async function compile(name, folder, fingerprint) {
  refuseUnwritable(name, folder);
  const started = performance.now();
  process.stdout.write(`Building ${name} … `);
  // In a folder of its own, which takes the place of the old output when it is whole: two builds at once do not mix, a build
  // that is cut off leaves what was there, and the output of a source that is gone goes too.
  const draft = join(folder, `dist.${process.pid}`);
  // File by file: types are `npm run check`'s, over all packages at once, and a package must not pull the sources of another
  // one, which its types lead to, into its own output.
  const tsc = ["-p", folder, "--noCheck", "--noResolve", "--outDir", draft];
  try {
    const { code, output } = await runTool("@typescript/native/bin/tsc", tsc);
    if (code !== 0) throw new Error(`packages/${name} does not compile\n${output}`);
    writeFileSync(join(draft, STAMP), fingerprint);
    replace(join(folder, "dist"), draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  console.log(secondsSince(started));
}

function refuseUnwritable(name, folder) {
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new Error(
      `packages/${name} must be built and this user cannot write there: run \`npm run build\` as its owner`,
    );
  }
}

function replace(target, draft) {
  const old = `${draft}.old`;
  if (existsSync(target)) renameSync(target, old);
  try {
    renameSync(draft, target);
  } catch (error) {
    // Another build has put its own there in between, of the same sources.
    if (!existsSync(join(target, STAMP))) throw error;
  }
  rmSync(old, { recursive: true, force: true });
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
