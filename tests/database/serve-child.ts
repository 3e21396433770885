import { serve } from "../../packages/server/src/process/main.ts";

/** `waypost serve` as a process of its own, on the sources. */
process.exit(await serve({}));
