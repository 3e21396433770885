import { serve } from "../../packages/server/src/main.ts";

// `waypost serve` from the sources, so that no test runs an old build. Ends with the process that started it.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.channel?.unref();
process.exitCode = await serve({});
