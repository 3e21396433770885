export { startEmbedded } from "./db/embedded/embedded.ts";
export { EmbeddedDatabaseError } from "./db/embedded/error.ts";
export { install } from "./install.ts";
export { serve, startFault } from "./main.ts";
