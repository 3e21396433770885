import { serve } from "../../packages/server/src/main.ts";

// `waypost serve` from the sources, so that no test runs an old build.
process.exitCode = await serve({});
