import { mkdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, stop } from "esbuild";
import { PACKAGE_FOLDER } from "../package-folder.ts";

const FOLDER = fileURLToPath(new URL("../../node_modules/.cache/waypost-tests/", PACKAGE_FOLDER));
const bundling = new Map<string, Promise<string>>();

/**
 * A script of tests as one file, to be run in a process of its own: Node finds and compiles the thousand source files of the server
 * in three seconds of CPU time, and this one in half a second. Bundled once for each file of tests that asks.
 */
export function bundled(script: URL): Promise<string> {
  const known = bundling.get(script.href) ?? bundle(script);
  bundling.set(script.href, known);
  return known;
}

async function bundle(script: URL): Promise<string> {
  const name = basename(script.pathname, ".ts");
  const [draft, outfile] = [join(FOLDER, `${name}.${process.pid}.mjs`), join(FOLDER, `${name}.mjs`)];
  await mkdir(FOLDER, { recursive: true });
  try {
    await build({
      entryPoints: [fileURLToPath(script)],
      outfile: draft,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      packages: "external",
      // The package finds its folder by the place of its sources.
      define: { "import.meta.url": JSON.stringify(new URL("src/index.ts", PACKAGE_FOLDER).href) },
      logLevel: "silent",
    });
  } finally {
    await stop();
  }
  await rename(draft, outfile);
  return outfile;
}
