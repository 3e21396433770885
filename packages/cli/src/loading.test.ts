import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION as GATEWAY } from "../../server/src/process/version.ts";
import { argumentsOf } from "./testing/waypost.ts";
import { VERSION } from "./version.ts";

/** Writes the name of each package of ours that is imported, as it is imported, and of the one that all commands need. */
const NAMED = `(name) => (name.startsWith("@waypost/") || name === "commander") && writeSync(2, "imports " + name + "\\n");`;
const HOOKS = `import { writeSync } from "node:fs";
const say = ${NAMED}
export const resolve = (name, context, next) => (say(name), next(name, context));`;
/** Hooks of the main thread come before those of the loader's thread, and Node.js 20 has only these. */
const REGISTER = `import { writeSync } from "node:fs";
import module from "node:module";
const say = ${NAMED}
if (module.registerHooks) module.registerHooks({ resolve: (name, context, next) => (say(name), next(name, context)) });
else module.register(${JSON.stringify(dataUrl(HOOKS))});`;

function dataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** The packages of ours that a process of its own loads for these arguments, and what it prints. */
async function loadedBy(...args: string[]): Promise<{ loads: string[]; out: string }> {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--import", dataUrl(REGISTER), ...argumentsOf(args).slice(2)],
    {
      env: { PATH: process.env["PATH"], WAYPOST_BASE_URL: "http://127.0.0.1:1", WAYPOST_API_KEY: "wp_live_a" },
    },
  );
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  await new Promise((resolve) => child.once("close", resolve));
  return { loads: [...new Set([...err.matchAll(/^imports (.*)$/gm)].map(([, name = ""]) => name))], out };
}

test.concurrent("--version loads nothing, not even what reads its arguments", async () => {
  expect(await loadedBy("--version")).toEqual({ loads: [], out: `${VERSION}\n` });
});

test.concurrent.each(["--help", "send --help", "messages list --help", "trigger --list", "completion bash"])(
  "%s loads neither gateway nor client",
  async (line) => {
    const { loads, out } = await loadedBy(...line.split(" "));
    expect(loads).toEqual(["commander"]);
    expect(out).toMatch(/^Usage: waypost|^KIND|^# Completion/);
  },
);

test.concurrent("a command loads what it runs with", async () => {
  expect((await loadedBy("migrate")).loads).toContain("@waypost/server");
  expect((await loadedBy("send", "--to", "+1", "--text", "a", "--idempotency-key", "a\nb")).loads).toEqual([
    "commander",
    "@waypost/sdk",
  ]);
});

test("the version is that of the package and of the gateway", () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect([VERSION, GATEWAY]).toEqual([version, version]);
});
