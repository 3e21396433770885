export { AUDIT_FUNCTIONS } from "./store.ts";

import type { Feature } from "../../feature.ts";
import type { Recorder } from "./recorder.ts";
import { auditRoutes } from "./routes.ts";

/** The audit log. `recorder` is the one that HTTP writes to. */
export const auditFeature = (recorder: Recorder): Feature => ({
  name: "audit",
  routes: auditRoutes(),
  stop: () => recorder.stop(),
});
