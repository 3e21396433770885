// The SDK as it is published: a file of each module format, and types for both.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "./run.mjs";
import { withEsbuild } from "./with-esbuild.mjs";

const FORMATS = ["esm", "cjs"];
/** What the runtimes that it is for all have, and what their bundlers need not rewrite. */
const TARGET = "es2022";
/** Most of the types, and the same for both formats: modules may import the types of CommonJS, and not the other way. */
const SHARED = "api.gen.d.ts";

/** Null, or the fault. */
export async function compileSdk(folder, draft) {
  return (await types(folder, draft)) ?? (await code(folder, draft));
}

/** Declarations in a folder for each format, whose `package.json` says which it is: so each way of resolving them finds its own. */
async function types(folder, draft) {
  const whole = join(draft, "types");
  const flags = ["--noCheck", "--declaration", "--emitDeclarationOnly", "--sourceMap", "false", "--outDir", whole];
  const { code, output } = await runTool("@typescript/native/bin/tsc", ["-p", folder, ...flags]);
  if (code !== 0) return output;
  const declared = reachable(whole);
  for (const format of FORMATS) {
    mkdirSync(join(draft, format), { recursive: true });
    for (const [name, text] of declared) writeFileSync(join(draft, format, name), text);
  }
  writeFileSync(join(draft, "esm", SHARED), `export type * from "../cjs/${SHARED.replace(".d.ts", ".js")}";\n`);
  writeFileSync(join(draft, "cjs/package.json"), `{ "type": "commonjs" }\n`);
  rmSync(whole, { recursive: true });
  return null;
}

const IMPORTED = /((?:from|import\() ?"\.\/)([^"]+)\.ts"/g;

/** Declarations by the name of their file: those that others lead to. Older compilers know no imports of `.ts`. */
function reachable(folder, name = "index.d.ts", found = new Map()) {
  const text = readFileSync(join(folder, name), "utf8");
  found.set(name, text.replaceAll(IMPORTED, '$1$2.js"'));
  for (const [, , other] of text.matchAll(IMPORTED)) {
    if (!found.has(`${other}.d.ts`)) reachable(folder, `${other}.d.ts`, found);
  }
  return found;
}

async function code(folder, draft) {
  for (const format of FORMATS) {
    const fault = await withEsbuild({
      entryPoints: [join(folder, "src/index.ts")],
      outfile: join(draft, format, "index.js"),
      bundle: true,
      platform: "neutral",
      format,
      target: TARGET,
    });
    if (fault !== null) return fault;
  }
  return null;
}
