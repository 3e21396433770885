import { Type } from "typebox";
import { messageType } from "./message-type.ts";

/** The provider's limit of a text body, in characters. */
const LONGEST_TEXT = 4_096;

export const text = messageType({
  name: "text",
  content: Type.Object(
    {
      body: Type.String({ minLength: 1, maxLength: LONGEST_TEXT }),
      preview_url: Type.Optional(Type.Boolean({ description: "Whether to show a preview of the first link." })),
    },
    { description: "Free text." },
  ),
  needsWindow: true,
  description: "Free text.",
  shown: "For a text: its `body`.",
});
