import { serve } from "../../packages/server/src/process/main.ts";

// `waypost serve` from the sources: the upgrade test of a later version starts this one without building it.
process.exitCode = await serve({});
