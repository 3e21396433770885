export { KEY_FUNCTIONS } from "./store.ts";

import type { Feature } from "../../feature.ts";
import type { Authenticator } from "./authenticate.ts";
import { keyRoutes } from "./routes.ts";

const RECORD_USES_MS = 60_000;

/** API keys. `authenticator` is the one that HTTP calls. */
export const keysFeature = (authenticator: Authenticator): Feature => ({
  name: "keys",
  routes: keyRoutes(),
  timers: [{ name: "key uses", role: "api", everyMs: RECORD_USES_MS, run: () => authenticator.recordUses() }],
  stop: () => authenticator.stop(),
});
