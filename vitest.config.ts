import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Tests run on the sources of our own packages, built or not. Exact names: the condition `types` would do it too, but it also
  // leads Node to the declaration files of other packages.
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
    maxWorkers: 2,
    maxConcurrency: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A condition is waited for until it holds; how fast it does is for the benchmarks.
    expect: { poll: { timeout: 10_000 } },
    server: { deps: { inline: [/@waypost\//] } },
  },
});
