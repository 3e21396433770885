import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./run.mjs";

/** Runs `npm ci` unless node_modules holds just what the lockfile names. Throws when it fails, and on an old Node.js. */
export async function ensureInstalled() {
  refuseOldNode();
  if (isInstalled()) return;
  console.log("Installing packages (once; about a minute) …");
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  // Without install scripts: no package of ours needs one, and they would run as the user who starts this. Development packages
  // too, even under NODE_ENV=production: the compiler is one.
  const args = [...first, "ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { code } = await run(command, args, { inherit: true });
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}`);
}

/** The oldest that `engines` of package.json allows; below it packages fail with errors that name no reason. */
function refuseOldNode() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const oldest = engines.node.replace(">=", "").split(".").map(Number);
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  throw new Error(`Node.js ${oldest.join(".")} or newer is needed, and this is ${process.versions.node}`);
}

/** npm notes what it installed in node_modules/.package-lock.json, last of all; times of files say nothing after a copy. */
function isInstalled() {
  const notes = join(ROOT, "node_modules/.package-lock.json");
  if (!existsSync(notes)) return false;
  const wanted = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(notes, "utf8")).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules/")) return true;
    const found = installed[path];
    // Packages of other platforms are in the lockfile only.
    if (found === undefined) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}
