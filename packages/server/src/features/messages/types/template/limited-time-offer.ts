import { Type } from "typebox";
import { kind, lowerCase } from "../open-union.ts";

const Offer = Type.Object({
  expiration_time_ms: Type.Integer({ minimum: 0, description: "When the offer ends, in milliseconds since 1970." }),
});

export const limitedTimeOffer = kind({
  name: "limited_time_offer",
  content: Type.Object(
    {
      type: Type.Literal("limited_time_offer"),
      // The provider's page shows both ways.
      limited_time_offer: Type.Optional(Offer),
      parameters: Type.Optional(
        Type.Array(Type.Object({ type: Type.Literal("limited_time_offer"), limited_time_offer: Offer }), {
          maxItems: 1,
        }),
      ),
    },
    {
      $id: "TemplateOffer",
      description: "When a limited-time offer ends: after the message is sent, and within ten years.",
    },
  ),
  // Arrays have their items by name too.
  spell: (content) => lowerCase(content, ["parameters", "0", "type"]),
});
