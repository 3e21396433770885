import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const execute = promisify(execFile);
const QUIET = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];

/** A folder outside the repository into which the SDK is installed as it is published. */
export type Elsewhere = {
  folder: string;
  /** Of the package. */
  tarball: string;
  /** Writes files there, by their path. */
  write(files: Record<string, string>): Promise<void>;
  /** Runs a program there; resolves with its standard output, rejects with all output where it fails. */
  run(command: string, ...args: string[]): Promise<string>;
  remove(): Promise<void>;
};

/** Packs the SDK and installs it, without a network. */
export async function elsewhere(): Promise<Elsewhere> {
  const folder = await mkdtemp(join(tmpdir(), "waypost-package-"));
  const run = async (command: string, ...args: string[]): Promise<string> => output(folder, command, args);
  const write = async (files: Record<string, string>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  };
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const tarball = await pack(join(folder, "packed"));
    await write({ "package.json": JSON.stringify({ name: "elsewhere", private: true }) });
    await run("npm", "install", "--offline", ...QUIET, tarball);
    return { folder, tarball, write, run, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The path of the SDK as `npm pack` makes it, built if need be. */
export async function pack(into: string): Promise<string> {
  await mkdir(into);
  await output(join(ROOT, "packages/sdk"), "npm", ["pack", "--pack-destination", into, "--loglevel=error"]);
  const [name = ""] = await readdir(into);
  return join(into, name);
}

/** The standard output of a command; rejects with all of its output where it fails. */
export async function output(
  cwd: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  try {
    return (await execute(command, args, { cwd, env, maxBuffer: 16 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string }; // what execFile adds
    throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}
