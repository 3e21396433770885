import { Type } from "typebox";
import { invalidAt } from "../../../../http/problem.ts";
import { interactiveKind } from "./kind.ts";
import { actionWith, text, usualParts } from "./parts.ts";

const LONGEST_LABEL = 30;

export const flow = interactiveKind({
  name: "flow",
  description: "A button that opens a flow.",
  parts: usualParts,
  action: actionWith(
    "flow",
    Type.Object({
      flow_message_version: Type.Literal("3"),
      flow_id: Type.Optional(Type.String({ minLength: 1, description: "Either this or `flow_name`." })),
      flow_name: Type.Optional(Type.String({ minLength: 1 })),
      flow_cta: text(LONGEST_LABEL, "The text of the button."),
      mode: Type.Optional(Type.Enum(["draft", "published"])),
      flow_token: Type.Optional(Type.String({ description: "Your own value; it comes back with the answer." })),
      flow_action: Type.Optional(Type.Enum(["navigate", "data_exchange"])),
      flow_action_payload: Type.Optional(
        Type.Object({
          screen: Type.String({ minLength: 1 }),
          data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { minProperties: 1 })),
        }),
      ),
    }),
  ),
  check({ parameters: { flow_id, flow_name } }, at) {
    if (flow_id !== undefined && flow_name !== undefined)
      throw invalidAt(`${at}/parameters/flow_name`, "Give either `flow_id` or `flow_name`, not both.");
    if (flow_id === undefined && flow_name === undefined)
      throw invalidAt(`${at}/parameters/flow_id`, "Give `flow_id` or `flow_name`.", "required");
  },
});
