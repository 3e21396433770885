import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Experiment, none } from "./experiment.ts";

/** The tests of processes that `npm test` runs at a small size: they read it from `tests/process/size.ts`. */
const FILES = ["callbacks", "import", "merge", "schedule", "kill"].map((name) => `tests/process/${name}.test.ts`);
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const VITEST = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));

export const fullSize: Experiment = {
  promise: "what the tests of processes show of hundreds of messages, callbacks and rows holds for thousands",
  async run(lab) {
    const env = { ...process.env, TEST_SIZE: lab.short ? "small" : "full" };
    // One after the other, each with the machine for itself. Their servers and processes are their own, and end with them.
    const child = spawn(process.execPath, [VITEST, "run", ...FILES, "--maxWorkers", "1"], {
      cwd: ROOT,
      env,
      stdio: "inherit",
    });
    const [code] = (await once(child, "exit")) as [number | null];
    return { figures: {}, bounds: [none("runs of these tests that failed", code === 0 ? 0 : 1)] };
  },
};
