import { Type } from "typebox";
import { kind } from "../open-union.ts";

export const footer = kind({
  name: "footer",
  content: Type.Object(
    { type: Type.Literal("footer"), parameters: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 0 })) },
    { $id: "TemplateFooter", description: "A footer has no parameters and may be left out." },
  ),
});
