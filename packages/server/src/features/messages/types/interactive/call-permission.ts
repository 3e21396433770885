import { interactiveKind } from "./kind.ts";
import { namedAction, usualParts } from "./parts.ts";

export const callPermission = interactiveKind({
  name: "call_permission_request",
  description: "Asks the person for permission to call.",
  parts: usualParts,
  action: namedAction("call_permission_request"),
});
