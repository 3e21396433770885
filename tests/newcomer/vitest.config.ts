import { defineConfig } from "vitest/config";

/** For `npm run check`, which has no database: what the pages say, read without the setup of all other tests. */
export default defineConfig({ cacheDir: "../../node_modules/.vite", test: { include: ["docs.test.ts"] } });
