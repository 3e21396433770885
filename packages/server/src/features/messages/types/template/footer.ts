import { Type } from "typebox";
import { provided } from "../../provided.ts";
import { kind } from "../open-union.ts";

export const footer = kind({
  name: "footer",
  content: Type.Object(
    {
      type: Type.Literal("footer"),
      parameters: Type.Optional(Type.Array(provided("There is none."), { maxItems: 0 })),
    },
    { $id: "TemplateFooter", description: "A footer has no parameters and may be left out." },
  ),
});
