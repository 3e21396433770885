import { Type } from "typebox";
import { checkSource, source } from "./media.ts";
import { messageType } from "./message-type.ts";

export const audio = messageType({
  name: "audio",
  content: Type.Object(
    {
      ...source,
      voice: Type.Optional(
        Type.Boolean({
          description: "Whether to show it as a voice message, which has to be OGG with the Opus codec.",
        }),
      ),
    },
    { description: "Audio of up to 16 MB. It has no caption." },
  ),
  needsWindow: true,
  description: "Audio, or a voice message.",
  shown: "For audio: its `id` or `link`.",
  check: checkSource,
});
