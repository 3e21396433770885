import { Type } from "typebox";
import { interactiveKind } from "./kind.ts";
import { label, namedActionWith, usualParts } from "./parts.ts";

/** The provider's limit: 30 days. */
const MOST_MINUTES = 43_200;

export const ttlMinutes = Type.Integer({
  minimum: 1,
  maximum: MOST_MINUTES,
  description: "How long the button works; the provider's default is 7 days.",
});

export const voiceCall = interactiveKind({
  name: "voice_call",
  description: "A button that calls the business. The number needs calling enabled.",
  parts: usualParts,
  action: namedActionWith(
    "voice_call",
    Type.Object({
      display_text: Type.Optional(label()),
      ttl_minutes: Type.Optional(ttlMinutes),
      payload: Type.Optional(Type.String({ description: "Your own value; it comes back with the call." })),
    }),
  ),
});
