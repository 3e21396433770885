import { Type } from "typebox";
import { provided } from "../provided.ts";
import { messageType } from "./message-type.ts";

/** Components of a send: the provider's own limits are far lower; this bounds the work of checking them. */
const MOST_COMPONENTS = 20;

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
        Type.Array(
          provided("The `type` of the component, its `parameters`, and for a button `sub_type` and `index`."),
          {
            maxItems: MOST_COMPONENTS,
            description: "The parameters in the provider's format; checked against the template's definition.",
          },
        ),
      ),
    },
    { description: "An approved template of the sender." },
  ),
  needsWindow: false,
  description: "An approved template.",
  shown: "For a template: the name, language and components as they were sent.",
});
