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
import { basename, join } from "node:path";
import { compileSdk } from "./compile-sdk.mjs";
import { compress } from "./compress.mjs";
import { ROOT, runTool, secondsSince } from "./run.mjs";
import { withEsbuild } from "./with-esbuild.mjs";

/** In the order in which they import each other. A package without sources yet is passed over. */
const PACKAGES = ["server", "simulator", "sdk", "cli", "console"];
/** Built for browsers, together with the sources of these packages. */
const FOR_BROWSERS = { console: ["sdk"] };
/** The console shows how deliveries are verified as this page has it. */
const SHOWN_PAGES = ["docs/webhooks.md"];
/**
 * Built as one file, with these packages in it, which consist of many small files: finding some 700 files took a starting process
 * more time than all that is in them. Other packages stay outside, so that each can be replaced and its lines are named as they are.
 */
const BUNDLED = { server: ["typebox"] };
/** What others install: `compile-sdk.mjs`. */
const PUBLISHED = "sdk";
/** Its pages for browsers, in `web/`: a script and a style for each, with the console's drawing of messages and colours in them. */
const WITH_PAGES = {
  simulator: {
    pages: ["phone", "provider", "consent"],
    from: ["console/src/parts/phone", "console/src/styles/tokens.css"],
  },
};
/** As the console's: what these understand needs no rewriting. */
const BROWSERS = ["es2022", "chrome123", "firefox120", "safari17.5"];
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
  try {
    const fault = (await buildOf(name, folder, draft)) ?? (await webOf(name, folder, draft));
    if (fault !== null) throw new Error(`packages/${name} does not compile\n${fault}`);
    writeFileSync(join(draft, STAMP), fingerprint);
    replace(join(folder, "dist"), draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  console.log(secondsSince(started));
}

async function buildOf(name, folder, draft) {
  if (name in FOR_BROWSERS) return await pages(folder, draft);
  if (name === PUBLISHED) return await compileSdk(folder, draft);
  return await (name in BUNDLED ? bundle(folder, draft, BUNDLED[name]) : eachFile(folder, draft));
}

// As a process of its own: the builder keeps threads and some 200 MB.
async function pages(folder, draft) {
  const { code, output } = await runTool("vite/bin/vite.js", [
    "build",
    folder,
    "--outDir",
    draft,
    "--logLevel",
    "warn",
  ]);
  if (code !== 0) return output;
  await compress(draft);
  return null;
}

// Types are `npm run check`'s, over all packages at once, and a package must not pull the sources of another one, which its types lead
// to, into its own output.
async function eachFile(folder, draft) {
  const tsc = ["-p", folder, "--noCheck", "--noResolve", "--outDir", draft];
  const { code, output } = await runTool("@typescript/native/bin/tsc", tsc);
  return code === 0 ? null : output;
}

async function webOf(name, folder, draft) {
  if (!(name in WITH_PAGES)) return null;
  return await withEsbuild({
    entryPoints: WITH_PAGES[name].pages.map((page) => ({ in: join(folder, "web", page, "main.ts"), out: page })),
    outdir: join(draft, "web"),
    bundle: true,
    minify: true,
    format: "esm",
    target: BROWSERS,
  });
}

async function bundle(folder, draft, within) {
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const outside = Object.keys(dependencies).filter((name) => !within.includes(name));
  return await withEsbuild({
    entryPoints: [join(folder, "src", "index.ts")],
    outfile: join(draft, "index.js"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: outside.flatMap((name) => [name, `${name}/*`]),
    sourcemap: true,
    sourcesContent: false,
  });
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
  const name = basename(folder);
  if (!(name in FOR_BROWSERS)) {
    const own = filesIn(join(folder, "src"), /(?<!\.test)\.ts$/);
    return name in WITH_PAGES && own.length > 0 ? [...own, ...sourcesOfPages(folder, WITH_PAGES[name].from)] : own;
  }
  const own = [...filesIn(join(folder, "src"), /(?<!\.test)\.(?:tsx?|css)$/), ...filesIn(join(folder, "public"), /./)];
  if (own.length === 0) return [];
  const others = FOR_BROWSERS[name].flatMap((other) => sourcesOf(join(folder, "..", other)));
  const pages = SHOWN_PAGES.map((page) => join(ROOT, page));
  return [...own, ...others, ...pages, join(folder, "index.html"), join(folder, "vite.config.ts")];
}

function sourcesOfPages(folder, from) {
  const kinds = /(?<!\.test)\.(?:ts|css)$/;
  const others = from.map((place) => join(folder, "..", place));
  const shared = others.flatMap((place) => (kinds.test(place) ? [place] : filesIn(place, kinds)));
  return [...filesIn(join(folder, "web"), kinds), ...shared];
}

function filesIn(folder, names) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** By content, because the times of files change with every checkout. */
function fingerprintOf(folder, sources) {
  const hash = createHash("sha256");
  const scripts = ["compile.mjs", "compile-sdk.mjs", "with-esbuild.mjs"].map((name) => `scripts/${name}`);
  const shared = ["tsconfig.base.json", "package-lock.json", ...scripts].map((name) => join(ROOT, name));
  const own = ["tsconfig.json", "package.json"].map((name) => join(folder, name));
  for (const file of [...shared, ...own, ...sources]) {
    // Separated, so that text cannot move between a name and a content unseen.
    hash.update(`${file.slice(ROOT.length)}\0`);
    hash.update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}
