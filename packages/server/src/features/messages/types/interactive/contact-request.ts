import { interactiveKind } from "./kind.ts";
import { namedAction, usualParts } from "./parts.ts";

export const contactRequest = interactiveKind({
  name: "request_contact_info",
  description: "Asks a person whose number is hidden for the number.",
  parts: usualParts,
  action: namedAction("request_contact_info"),
});
