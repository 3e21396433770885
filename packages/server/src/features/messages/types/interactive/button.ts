import { Type } from "typebox";
import { invalidAt } from "../../../../http/problem.ts";
import { interactiveKind } from "./kind.ts";
import { checkDistinct, label, text, usualParts } from "./parts.ts";

const MOST_BUTTONS = 3;
const LONGEST_ID = 256;

export const button = interactiveKind({
  name: "button",
  description: "Up to three buttons; the person's choice comes back as a message.",
  parts: usualParts,
  action: Type.Object({
    buttons: Type.Array(
      Type.Object({ type: Type.Literal("reply"), reply: Type.Object({ id: text(LONGEST_ID), title: label() }) }),
      { minItems: 1, maxItems: MOST_BUTTONS },
    ),
  }),
  check({ buttons }, at) {
    for (const field of ["id", "title"] as const)
      checkDistinct(
        buttons.map(({ reply }) => reply[field]),
        (index) => `${at}/buttons/${index}/reply/${field}`,
        `${field} of a button`,
      );
    const padded = buttons.findIndex(({ reply: { id } }) => id.trim() !== id);
    if (padded !== -1)
      throw invalidAt(
        `${at}/buttons/${padded}/reply/id`,
        "The id of a button has no spaces at its beginning or end: remove them.",
        "spaces",
      );
  },
});
