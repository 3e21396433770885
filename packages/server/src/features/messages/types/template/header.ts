import { Type } from "typebox";
import { kind } from "../open-union.ts";
import { HEADER_PARAMETERS } from "./parameter.ts";
import { ofParameters, parametersOf } from "./parameters.ts";

export const header = kind({
  name: "header",
  content: Type.Object(
    { type: Type.Literal("header"), ...parametersOf(HEADER_PARAMETERS) },
    { $id: "TemplateHeader", description: "The text, media, location or product of the header." },
  ),
  ...ofParameters(HEADER_PARAMETERS),
});
