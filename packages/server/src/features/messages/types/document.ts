import { Type } from "typebox";
import { caption, checkSource, filename, source } from "./media.ts";
import { messageType } from "./message-type.ts";

export const document = messageType({
  name: "document",
  content: Type.Object(
    {
      ...source,
      ...caption,
      ...filename,
    },
    { description: "A file of any type of up to 100 MB, with a caption." },
  ),
  needsWindow: true,
  description: "A document.",
  shown: "For a document: its `id` or `link`, `caption` and `filename`.",
  check: checkSource,
});
