import { audio } from "./types/audio.ts";
import { document } from "./types/document.ts";
import { image } from "./types/image.ts";
import { location } from "./types/location.ts";
import { sticker } from "./types/sticker.ts";
import { template } from "./types/template.ts";
import { text } from "./types/text.ts";
import { video } from "./types/video.ts";

/** The types of message that can be sent. */
export const MESSAGE_TYPES = [template, text, image, video, audio, document, sticker, location] as const;

export type SendableType = (typeof MESSAGE_TYPES)[number];

/** Whether the type `column` of a message can only be sent inside the window, as SQL. */
export const needsWindow = (column: string): string =>
  `${column} not in (${MESSAGE_TYPES.filter((type) => !type.needsWindow)
    .map(({ name }) => `'${name}'`)
    .join(", ")})`;
