// `npm run release -- --dry-run`: packs all that is published, and checks the packages as those who install them have them: only
// declared packages beside them, nothing of the repository. Without `--dry-run` it wants a committed tree and a version with a heading in
// CHANGELOG.md, and leaves the packages in `release/`. Nothing is published by it: docs/releasing.md.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { ensureBuilt } from "./compile.mjs";
import { ensureInstalled } from "./install.mjs";
import { onSignal, ROOT, run, runMain } from "./run.mjs";

const SCOPE = "@waypost";
/** In the repository they are in `docs`. */
const GUIDES = "guides";
/** In the order in which they need each other; what of each is published beside its manifest. */
const PACKAGES = {
  sdk: ["dist/esm", "dist/cjs", "README.md"],
  console: ["dist", "README.md"],
  simulator: ["dist", "README.md"],
  server: ["dist", "migrations", "migrations.txt", "functions.sql", "reference", GUIDES],
  cli: ["dist", "bin"],
};
const PYTHON_VERSION = "packages/sdk-python/src/waypost/_version.py";
const OUT = join(ROOT, "release");
/** Not copied: what builds note, and of the guides their pictures and decisions. */
const LEFT_BEHIND = /(?:^|\/)(?:\.built-from|docs\/(?:adr|pictures))$/;
/** What no package may have in it. */
const UNWANTED = [LEFT_BEHIND, /\.test\./, /(?:^|\/)testing\//, /(?<!\.d)\.ts$/];
const QUIET = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
const STARTED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 100;

await runMain(async () => {
  const isDry = process.argv.includes("--dry-run");
  await ensureInstalled();
  await ensureBuilt();
  const version = oneVersion();
  const refusal = isDry ? null : await notReady(version);
  if (refusal !== null) {
    console.error(`waypost: ${refusal}`);
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), "waypost-release-"));
  try {
    const tarballs = await packAll(folder);
    const faults = [...checkAll(folder), ...(await tryOut(folder, version))];
    for (const fault of faults) console.log(`✗ ${fault}`);
    if (faults.length > 0) return 1;
    console.log(`Version ${version} is whole.`);
    if (!isDry) keep(tarballs);
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function manifestOf(name) {
  return JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8"));
}

/** The version of all packages, which is also what each needs of the others. */
function oneVersion() {
  const [, inPython] = /VERSION = "([^"]+)"/.exec(readFileSync(join(ROOT, PYTHON_VERSION), "utf8"));
  const versions = new Set([inPython]);
  for (const name of Object.keys(PACKAGES)) {
    const { version, dependencies = {} } = manifestOf(name);
    versions.add(version);
    for (const [other, wanted] of Object.entries(dependencies)) if (other.startsWith(`${SCOPE}/`)) versions.add(wanted);
  }
  if (versions.size > 1) throw new Error(`the packages have different versions: ${[...versions].join(", ")}`);
  return [...versions][0];
}

/** Why the version cannot be released yet, or null. */
async function notReady(version) {
  const { output } = await run("git", ["status", "--porcelain"]);
  if (output.trim() !== "") return "there are changes that are not committed";
  const changes = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
  if (!new RegExp(`^## ${version.replaceAll(".", "\\.")} `, "m").test(changes))
    return `CHANGELOG.md has no heading for ${version}: "Unreleased" becomes "${version} - <date>"`;
  return null;
}

/** Makes each package, and unpacks it where Node.js finds it, with what it declares beside it; resolves to the paths of the packages. */
async function packAll(folder) {
  const tarballs = [];
  for (const [name, content] of Object.entries(PACKAGES)) {
    const staged = join(folder, "staged", name);
    stage(name, content, staged);
    const packed = join(folder, "packed", name);
    mkdirSync(packed, { recursive: true });
    await succeed("npm", ["pack", staged, "--pack-destination", packed, ...QUIET]);
    const tarball = join(packed, readdirSync(packed)[0]);
    const installed = installedAt(folder, name);
    mkdirSync(installed, { recursive: true });
    await succeed("tar", ["-xzf", tarball, "-C", installed, "--strip-components", "1"]);
    linkDeclared(name, installed);
    console.log(`${SCOPE}/${name}  ${Math.ceil(statSync(tarball).size / 1024)} KiB`);
    tarballs.push(tarball);
  }
  return tarballs;
}

function installedAt(folder, name) {
  return join(folder, "node_modules", SCOPE, name);
}

async function succeed(command, args) {
  const { code, output } = await run(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}\n${output}`);
}

/** What is published of a package. Types that lead to sources stay behind with these. */
function stage(name, content, staged) {
  const { private: _private, devDependencies: _dev, scripts: _scripts, ...manifest } = manifestOf(name);
  const { exports, types } = manifest;
  if (types === undefined && exports?.["."] !== undefined) delete exports["."].types;
  mkdirSync(staged, { recursive: true });
  writeFileSync(join(staged, "package.json"), `${JSON.stringify({ ...manifest, files: content }, null, 2)}\n`);
  cpSync(join(ROOT, "LICENSE"), join(staged, "LICENSE"));
  for (const path of content) {
    const from = path === GUIDES ? join(ROOT, "docs") : join(ROOT, "packages", name, path);
    mkdirSync(dirname(join(staged, path)), { recursive: true });
    cpSync(from, join(staged, path), { recursive: true, filter: (file) => !LEFT_BEHIND.test(file) });
  }
}

/** Only what a package declares is found from it. */
function linkDeclared(name, installed) {
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(name);
  for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (other.startsWith(`${SCOPE}/`)) continue;
    const there = [join(ROOT, "packages", name, "node_modules", other), join(ROOT, "node_modules", other)].find(
      existsSync,
    );
    if (there === undefined) continue; // an optional one, for another machine
    const link = join(installed, "node_modules", other);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(there, link);
  }
}

/** What is wrong with the content of the packages. */
function checkAll(folder) {
  return Object.keys(PACKAGES).flatMap((name) => {
    const installed = installedAt(folder, name);
    const files = filesIn(installed);
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const faults = [
      ...["LICENSE", "package.json"].filter((file) => !files.includes(file)).map((file) => `has no ${file}`),
      ...files.filter((file) => UNWANTED.some((pattern) => pattern.test(file))).map((file) => `has ${file} in it`),
      ...files
        .filter((file) => namesThisMachine(join(installed, file)))
        .map((file) => `names a folder of this machine in ${file}`),
      ...["private", "devDependencies", "scripts"].filter((field) => field in manifest).map((field) => `has ${field}`),
    ];
    return faults.map((fault) => `${SCOPE}/${name} ${fault}`);
  });
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("node_modules"));
}

function namesThisMachine(file) {
  return /\.(?:[cm]?js|ts|json|map|md|sql|html)$/.test(file) && readFileSync(file, "utf8").includes(ROOT);
}

/** What does not work of them: the whole gateway starts from the packages, with its own database, simulator and console. */
async function tryOut(folder, version) {
  const cli = installedAt(folder, "cli");
  const said = await run(process.execPath, [join(cli, "bin/waypost.js"), "--version"]);
  if (said.output.trim() !== version) return [`waypost --version says ${said.output.trim()}`];
  const data = join(folder, "data");
  const env = { PATH: process.env.PATH, HOME: folder, PORT: "0", SIMULATOR_PORT: "0", WAYPOST_DATA_DIR: data };
  const gateway = spawn(process.execPath, [join(cli, "dist/dev/main.js")], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stopListening = onSignal((signal) => gateway.kill(signal));
  let output = "";
  for (const stream of [gateway.stdout, gateway.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  const ended = new Promise((resolve) => gateway.once("exit", resolve));
  try {
    return await lookAt(join(data, "dev.json"), gateway);
  } catch (error) {
    return [`the gateway did not start from the packages: ${error.message}\n${output}`];
  } finally {
    gateway.kill("SIGTERM");
    await ended;
    stopListening();
  }
}

/** What of the started gateway is not there. */
async function lookAt(devFile, gateway) {
  const until = performance.now() + STARTED_WITHIN_MS;
  while (!existsSync(devFile)) {
    if (gateway.exitCode !== null) throw new Error("it ended");
    if (performance.now() > until) throw new Error("it took too long");
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  const { base_url: url, simulator_url: simulator, api_key: key } = JSON.parse(readFileSync(devFile, "utf8"));
  const headers = { authorization: `Bearer ${key}`, accept: "text/html, application/json" };
  const faults = [];
  for (const [address, type] of [
    [`${url}/readyz`, "application/json"],
    [`${url}/`, "text/html"],
    [`${url}/openapi.json`, "application/json"],
    [`${url}/docs`, "text/html"],
    [`${url}/docs/guides/concepts`, "text/html"],
    [`${url}/v1/templates`, "application/json"],
    [`${simulator}/sim`, "text/html"],
  ]) {
    const answer = await fetch(address, { headers });
    const given = answer.headers.get("content-type") ?? "nothing";
    if (!answer.ok || !given.startsWith(type))
      faults.push(`${new URL(address).pathname} answered ${answer.status}, ${given}`);
  }
  return faults;
}

/** The packages, and what a person does with them. */
function keep(tarballs) {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT);
  for (const tarball of tarballs) cpSync(tarball, join(OUT, tarball.slice(dirname(tarball).length + 1)));
  console.log("In the order in which they need each other:");
  for (const tarball of tarballs)
    console.log(`npm publish release/${tarball.slice(dirname(tarball).length + 1)} --access public`);
}
