// `npm run test:package`: the SDK as it is packed, before the judges of packages and older compilers, at pinned versions. They are
// installed from the package registry into a cache folder, and are no dependencies of this project.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./compile.mjs";
import { ensureInstalled } from "./install.mjs";
import { ROOT, run, runMain, secondsSince } from "./run.mjs";

const CACHE = join(ROOT, "node_modules/.cache/package");
/** The oldest compiler that the SDK's page promises, and the last with types of bytes that have no parameter. */
const COMPILERS = ["5.0.4", "5.6.3"];
const PINS = {
  publint: "0.3.25",
  "@arethetypeswrong/cli": "0.18.5",
  ...Object.fromEntries(COMPILERS.map((version) => [`typescript-${version}`, `npm:typescript@${version}`])),
  // Compilers before 5.7 are given declarations of their own by it.
  "@types/node": "20.19.43",
};
const QUIET = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

const PROGRAM = `import { ApiError, type Message, verifyWebhook, Waypost } from "@waypost/sdk";
const waypost = new Waypost({ apiKey: "wp_live_a", baseUrl: "https://waypost.example.com" });
export const send = (to: string): Promise<Message> =>
  waypost.messages.send({ to, type: "text", text: { body: "Hello" } }).catch((error: unknown) => {
    throw error instanceof ApiError ? new Error(error.code) : error;
  });
export const take = (body: Uint8Array) => verifyWebhook(body, {}, "whsec_a").then(({ kind }) => kind);
// @ts-expect-error -- there is no such type
export const refused = () => waypost.messages.send({ to: "+15551230001", type: "fax" });
`;
const OLD = { module: "commonjs", moduleResolution: "node10", target: "es2018" };
const MODES = {
  "node10, ES2018": { ...OLD, lib: ["es2018", "dom"], types: [] },
  "node10, ES2018, Node.js": { ...OLD, lib: ["es2018"], types: ["node"] },
  nodenext: { module: "nodenext", moduleResolution: "nodenext", target: "es2022", types: ["node"] },
  bundler: { module: "esnext", moduleResolution: "bundler", target: "es2022", lib: ["es2022", "dom"], types: [] },
};

await runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
  await prepare();
  const folder = mkdtempSync(join(tmpdir(), "waypost-package-"));
  try {
    const tarball = await packInto(folder);
    const checks = [
      { name: "publint", start: () => judge("publint/src/cli.js", ["run", tarball, "--strict"]) },
      {
        name: "are the types wrong",
        start: () => judge("@arethetypeswrong/cli/dist/index.js", [tarball, "--no-emoji"]),
      },
      ...COMPILERS.flatMap((version) =>
        Object.entries(MODES).map(([mode, options]) => ({
          name: `TypeScript ${version}, ${mode}`,
          start: () => compileWith(version, options, folder),
        })),
      ),
    ];
    const failed = [];
    for (const { name, start } of checks) {
      const started = performance.now();
      const { code, output } = await start();
      console.log(`${code === 0 ? "✓" : "✗"} ${name}  ${secondsSince(started)}`);
      if (code !== 0) failed.push(`${name}\n${output.trimEnd()}`);
    }
    for (const one of failed) console.log(`\nFAILED ${one}`);
    return failed.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Installs the judges, unless these versions are there. */
async function prepare() {
  const done = join(CACHE, "installed");
  const wanted = JSON.stringify(PINS);
  if (existsSync(done) && readFileSync(done, "utf8") === wanted) return;
  console.log("Installing the judges (once) …");
  rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, "package.json"), JSON.stringify({ private: true, dependencies: PINS }));
  const { code, output } = await run("npm", ["install", "--prefix", CACHE, ...QUIET]);
  if (code !== 0) throw new Error(`the judges cannot be installed\n${output}`);
  writeFileSync(done, wanted);
}

/** Packs the SDK and installs it there; resolves to the path of the package. */
async function packInto(folder) {
  const packed = join(folder, "packed");
  mkdirSync(packed);
  const made = await run("npm", ["pack", join(ROOT, "packages/sdk"), "--pack-destination", packed, ...QUIET]);
  if (made.code !== 0) throw new Error(`the SDK cannot be packed\n${made.output}`);
  const tarball = join(packed, readdirSync(packed)[0]);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const installed = await run("npm", ["install", "--prefix", folder, "--offline", ...QUIET, tarball]);
  if (installed.code !== 0) throw new Error(`the packed SDK cannot be installed\n${installed.output}`);
  return tarball;
}

function judge(file, args) {
  return run(process.execPath, [join(CACHE, "node_modules", file), ...args]);
}

async function compileWith(version, options, folder) {
  const file = join(folder, "program.ts");
  const config = join(folder, "tsconfig.json");
  const typeRoots = [join(CACHE, "node_modules/@types")];
  writeFileSync(file, PROGRAM);
  const compilerOptions = { strict: true, noEmit: true, skipDefaultLibCheck: true, typeRoots, ...options };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
  return await judge(`typescript-${version}/bin/tsc`, ["-p", config]);
}
