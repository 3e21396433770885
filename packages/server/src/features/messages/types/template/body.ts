import { Type } from "typebox";
import { kind } from "../open-union.ts";
import { BODY_PARAMETERS } from "./parameter.ts";
import { ofParameters, parametersOf } from "./parameters.ts";

export const body = kind({
  name: "body",
  content: Type.Object(
    { type: Type.Literal("body"), ...parametersOf(BODY_PARAMETERS) },
    { $id: "TemplateBody", description: "The texts of the body: in their order, or each with its `parameter_name`." },
  ),
  ...ofParameters(BODY_PARAMETERS),
});
