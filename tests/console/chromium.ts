import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";

/** A browser of this machine: its program, and what its environment needs besides. */
export type Chromium = { path: string; env: Record<string, string> };

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PACKED = join(ROOT, "node_modules/@sparticuz/chromium");
/** Where Debian and others install it. */
const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * Finds a browser: CHROMIUM_PATH, an installed one, else the one that a development package brings for Linux on x64, unpacked once into
 * node_modules. Throws where there is none, with what to install.
 */
export async function findChromium(): Promise<Chromium> {
  const named = process.env["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH is ${named}, and there is no such file`);
    return { path: named, env: {} };
  }
  const installed = INSTALLED.find((path) => existsSync(path));
  if (installed !== undefined) return { path: installed, env: {} };
  if (process.platform === "linux" && process.arch === "x64" && existsSync(join(PACKED, "bin")))
    return await unpacked();
  throw new Error(
    "The tests of the console need a browser: install Chromium (Debian: apt-get install chromium; macOS: brew install chromium), or set CHROMIUM_PATH to one.",
  );
}

async function unpacked(): Promise<Chromium> {
  const { version } = JSON.parse(readFileSync(join(PACKED, "package.json"), "utf8")) as { version: string };
  const folder = join(ROOT, `node_modules/.cache/chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder);
  return {
    path: join(folder, "chromium"),
    env: {
      LD_LIBRARY_PATH: join(folder, "lib"),
      ...(existsSync("/etc/fonts") ? {} : { FONTCONFIG_PATH: folder, XDG_DATA_HOME: folder }),
    },
  };
}

/** Whole or not at all: two runs at once, and one that is cut off, leave no half of it. */
async function unpackInto(folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    const packed = (name: string): string => join(PACKED, "bin", name);
    await pipeline(
      createReadStream(packed("chromium.br")),
      createBrotliDecompress(),
      createWriteStream(join(draft, "chromium"), { mode: 0o755 }),
    );
    // The libraries that it needs, and fonts for a machine without any.
    for (const name of ["al2023.tar.br", "fonts.tar.br"]) await untar(packed(name), draft);
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function untar(path: string, folder: string): Promise<void> {
  const archive = join(folder, "archive.tar");
  await pipeline(createReadStream(path), createBrotliDecompress(), createWriteStream(archive));
  await promisify(execFile)("tar", ["-x", "-f", archive, "-C", folder]);
  await rm(archive);
}
