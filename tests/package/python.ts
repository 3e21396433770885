import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { output, ROOT } from "./packed.ts";

const PACKAGE = join(ROOT, "packages/sdk-python");
const CACHE = join(ROOT, "node_modules/.cache/sdk-python");
/** What the SDK needs, what builds and checks it, and what its example needs. */
const PINS = [
  "httpx==0.28.1",
  "hatchling==1.27.0",
  "mypy==1.15.0",
  ...readFileSync(join(ROOT, "examples/fastapi/requirements.txt"), "utf8").match(/^(fastapi|uvicorn)==.*$/gm)!,
];

/** An environment of Python in a folder outside the repository, into which the SDK is installed as it is published. */
export type PythonElsewhere = {
  folder: string;
  /** The interpreter of that environment. */
  python: string;
  wheel: string;
  sdist: string;
  /** Runs a program there; resolves with its standard output, rejects with all output where it fails. */
  run(args: readonly string[], env?: Record<string, string>): Promise<string>;
  remove(): Promise<void>;
};

/** Null, with a line that says why, where there is no Python with `venv`, or no network when its packages are needed for the first time. */
export async function pythonElsewhere(): Promise<PythonElsewhere | null> {
  const others = await packages();
  if (others === null) return null;
  const folder = await mkdtemp(join(tmpdir(), "waypost-python-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const built = join(folder, "built");
    await output(PACKAGE, others.python, ["-m", "hatchling", "build", "-d", built]);
    const named = async (end: string): Promise<string> =>
      join(built, (await readdir(built)).find((name) => name.endsWith(end)) ?? "");
    const [wheel, sdist] = [await named(".whl"), await named(".tar.gz")];
    const home = join(folder, "venv");
    await output(folder, others.python, ["-m", "venv", "--without-pip", home]);
    const python = join(home, "bin/python");
    // The others are read from where they are; only the SDK is installed for each run.
    await writeFile(join(await sitePackages(python), "others.pth"), `${await sitePackages(others.python)}\n`);
    await output(folder, others.python, ["-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel]);
    const run = (args: readonly string[], env: Record<string, string> = {}): Promise<string> =>
      output(folder, python, args, { PATH: process.env["PATH"] ?? "", PYTHONDONTWRITEBYTECODE: "1", ...env });
    return { folder, python, wheel, sdist, run, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The other makers' packages, installed once into a cache folder; null where they cannot be. */
async function packages(): Promise<{ python: string } | null> {
  const version = await output(ROOT, "python3", ["-c", "import venv, ensurepip, sys; print(sys.version)"]).catch(
    () => null,
  );
  if (version === null) return skipped("there is no python3 with venv here");
  const home = join(CACHE, createHash("sha256").update(`${version}${PINS.join()}`).digest("hex").slice(0, 16));
  const python = join(home, "bin/python");
  if (existsSync(python)) return { python };
  await mkdir(CACHE, { recursive: true });
  // Two tests may be at it at a time: the one that is ready first keeps its own.
  const draft = await mkdtemp(join(CACHE, "draft-"));
  try {
    await output(draft, "python3", ["-m", "venv", draft]);
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "2"];
    await output(draft, join(draft, "bin/python"), [...pip, ...PINS]);
    await rename(draft, home).catch((error: unknown) => {
      if (!existsSync(python)) throw error;
    });
    return { python };
  } catch (error) {
    return skipped(`its packages cannot be installed: ${String(error).trim().split("\n").at(-1)}`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function skipped(reason: string): null {
  console.warn(`The Python SDK is not tested: ${reason}`);
  return null;
}

async function sitePackages(python: string): Promise<string> {
  return (await output(ROOT, python, ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])).trim();
}
