import { Type } from "typebox";
import { checkSource, source } from "./media.ts";
import { messageType } from "./message-type.ts";

export const sticker = messageType({
  name: "sticker",
  content: Type.Object({ ...source }, { description: "A sticker: WebP of up to 100 KB, animated of up to 500 KB." }),
  needsWindow: true,
  description: "A sticker.",
  shown: "For a sticker: its `id` or `link`.",
  check: checkSource,
});
