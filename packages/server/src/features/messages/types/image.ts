import { Type } from "typebox";
import { caption, checkSource, source } from "./media.ts";
import { messageType } from "./message-type.ts";

export const image = messageType({
  name: "image",
  content: Type.Object(
    { ...source, ...caption },
    { description: "An image, JPEG or PNG of up to 5 MB, with a caption." },
  ),
  needsWindow: true,
  description: "An image.",
  shown: "For an image: its `id` or `link` and `caption`.",
  check: checkSource,
});
