import { Type } from "typebox";
import { caption, checkSource, source } from "./media.ts";
import { messageType } from "./message-type.ts";

const LONGEST_FILENAME = 255;

export const document = messageType({
  name: "document",
  content: Type.Object(
    {
      ...source,
      ...caption,
      filename: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: LONGEST_FILENAME,
          description: "The name that the person sees; its extension decides about the icon.",
        }),
      ),
    },
    { description: "A file of any type of up to 100 MB, with a caption." },
  ),
  needsWindow: true,
  description: "A document.",
  shown: "For a document: its `link`, `caption` and `filename`.",
  check: checkSource("document"),
});
