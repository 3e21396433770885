import { Type } from "typebox";
import { explained } from "../../../../http/schema-types.ts";
import { componentName } from "../component-name.ts";
import { type AnyKind, kind, OpenUnion } from "../open-union.ts";
import { BUTTON_PARAMETERS } from "./parameter.ts";
import { ofParameters, parametersOf } from "./parameters.ts";

const ofEveryButton = {
  type: Type.Literal("button"),
  index: Type.Unsafe<string | number>({
    type: ["string", "integer"],
    pattern: explained("^[0-9]$", { detail: "must be the place of the button, from 0 to 9" }),
    minimum: 0,
    maximum: 9,
    description: "The place of the button in the template, from 0.",
    examples: ["0"],
  }),
};

/** The kinds of button that take a parameter, and how many at most. A one-time password's button is sent as `url`. */
const MOST_PARAMETERS = { quick_reply: 1, url: 1, copy_code: 1, flow: 1, catalog: 1, mpm: 1, voice_call: 2 };

const BUTTONS = new OpenUnion(
  "sub_type",
  Object.entries(MOST_PARAMETERS).map(([name, most]) =>
    kind({
      name,
      content: Type.Object(
        { ...ofEveryButton, sub_type: Type.Literal(name), ...parametersOf(BUTTON_PARAMETERS, most) },
        { $id: componentName("Template", name, "Button") },
      ),
      ...ofParameters(BUTTON_PARAMETERS),
    }),
  ),
  {
    $id: "TemplateButton",
    description: "The parameter of a button; `sub_type` says of which kind, in any case.",
    fields: ofEveryButton,
    inAnyCase: true,
  },
);

export const button = kind({
  name: "button",
  content: BUTTONS.schema,
  check: (content: AnyKind, at) => BUTTONS.check(content, at),
  spell: (content) => BUTTONS.spell(content),
});
