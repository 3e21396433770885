export { ConfigError, readConfig } from "./config.ts";
export { makeDirectories } from "./db/embedded/directory.ts";
export { startEmbedded } from "./db/embedded/embedded.ts";
export { EmbeddedDatabaseError, inOneLine } from "./db/embedded/error.ts";
export { diagnose, type Finding } from "./doctor.ts";
export { install } from "./install.ts";
export { onStopSignal, type StopSignal } from "./lib/stop-signal.ts";
export { serve, startFault } from "./main.ts";
export { VERSION } from "./version.ts";
