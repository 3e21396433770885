import { interactiveKind } from "./kind.ts";
import { namedAction, usualParts } from "./parts.ts";

export const locationRequest = interactiveKind({
  name: "location_request_message",
  description: "A button with which the person sends a location.",
  parts: usualParts,
  action: namedAction("send_location"),
});
