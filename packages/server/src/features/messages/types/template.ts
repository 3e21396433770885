import { Type } from "typebox";
import { messageType } from "./message-type.ts";
import { type AnyKind, OpenUnion, spellEach } from "./open-union.ts";
import { body } from "./template/body.ts";
import { button } from "./template/button.ts";
import { carousel } from "./template/carousel.ts";
import { footer } from "./template/footer.ts";
import { header } from "./template/header.ts";
import { limitedTimeOffer } from "./template/limited-time-offer.ts";

/** Components of a send: the provider's own limits are far lower; this bounds the work of checking them. */
const MOST_COMPONENTS = 20;

/** The components of a template that take parameters (Cloud API documentation, sending: template). */
const COMPONENTS = new OpenUnion("type", [header, body, footer, button, limitedTimeOffer, carousel], {
  $id: "TemplateComponent",
  description: "The parameters of one component; `type` says of which, in any case.",
  inAnyCase: true,
});

export const template = messageType({
  name: "template",
  content: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 512 }),
      language: Type.Object({
        code: Type.String({ minLength: 2, maxLength: 10, examples: ["en_US"] }),
        policy: Type.Optional(Type.Literal("deterministic")),
      }),
      components: Type.Optional(
        Type.Array(COMPONENTS.schema, {
          maxItems: MOST_COMPONENTS,
          description: "The parameters in the provider's format; checked against the template's definition.",
        }),
      ),
    },
    { $id: "MessageTemplate", description: "An approved template of the sender." },
  ),
  needsWindow: false,
  description: "An approved template.",
  shown: "For a template: the name, language and components as they were sent.",
  check({ components }, at) {
    for (const [index, component] of (components ?? []).entries())
      COMPONENTS.check(component, `${at}/components/${index}`);
  },
  spell(content) {
    if (typeof content === "object" && content !== null) spellEach(COMPONENTS, (content as AnyKind)["components"]);
  },
});
