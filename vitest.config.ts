import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./packages/server/src/testing/longest-first.ts";

export default defineConfig({
  // Tests run on the sources of our own packages, whether built or not. Exact names: the condition `types` would have the same
  // effect, but would also make Node load the declaration files of other packages.
  resolve: {
    alias: ["server", "simulator", "sdk"].map((name) => ({
      find: new RegExp(`^@waypost/${name}$`),
      replacement: fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url)),
    })),
  },
  test: {
    include: ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: ["packages/server/src/testing/global-setup.ts"],
    pool: "forks",
    // Files of one worker share its modules: loading the server again for each file took a third of the time of short files.
    isolate: false,
    maxWorkers: 3,
    maxConcurrency: 4,
    sequence: { sequencer: LongestFirst },
    // Tests wait until a condition holds; how long that takes is a matter of the benchmarks. So these bound a failing test alone,
    // and are far longer than anything takes on a machine that has ten times as much to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    server: { deps: { inline: [/@waypost\//] } },
  },
});
