import { Type } from "typebox";
import { explained } from "../../../../http/schema-types.ts";
import { capitalise } from "../open-union.ts";
import { interactiveKind } from "./kind.ts";
import { actionWith, usualParts } from "./parts.ts";

const fields = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const addressMessage = interactiveKind({
  name: "address_message",
  description: "A form for an address, in countries where the provider has one.",
  parts: usualParts,
  action: actionWith(
    "address_message",
    Type.Object({
      country: Type.String({
        pattern: explained("^[A-Z]{2}$", { detail: "must be a country in two letters, such as IN" }),
        description: "Two letters, in any case.",
        examples: ["IN"],
      }),
      values: Type.Optional(fields("What the form has filled in, by field.")),
      saved_addresses: Type.Optional(Type.Array(fields("An address that the person can choose."))),
      validation_errors: Type.Optional(fields("What is wrong with an earlier answer, by field.")),
    }),
  ),
  spell: (content) => capitalise(content, ["action", "parameters", "country"]),
});
