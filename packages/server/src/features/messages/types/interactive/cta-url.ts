import { Type } from "typebox";
import { webUrl } from "../media.ts";
import { interactiveKind } from "./kind.ts";
import { actionWith, label, usualParts } from "./parts.ts";

/** A button that opens a page. */
export const openUrl = actionWith(
  "cta_url",
  Type.Object({ display_text: label(), url: webUrl("The page that the button opens.") }),
);

export const ctaUrl = interactiveKind({
  name: "cta_url",
  description: "A button that opens a page.",
  parts: usualParts,
  action: openUrl,
});
