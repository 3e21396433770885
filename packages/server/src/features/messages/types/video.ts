import { Type } from "typebox";
import { caption, checkSource, source } from "./media.ts";
import { messageType } from "./message-type.ts";

export const video = messageType({
  name: "video",
  content: Type.Object(
    { ...source, ...caption },
    { description: "A video, MP4 or 3GPP of up to 16 MB, with a caption." },
  ),
  needsWindow: true,
  description: "A video.",
  shown: "For a video: its `id` or `link` and `caption`.",
  check: checkSource,
});
