import { audio } from "./types/audio.ts";
import { contacts } from "./types/contacts.ts";
import { document } from "./types/document.ts";
import { image } from "./types/image.ts";
import { location } from "./types/location.ts";
import { sticker } from "./types/sticker.ts";
import { template } from "./types/template.ts";
import { text } from "./types/text.ts";
import { video } from "./types/video.ts";

/** The types of message that can be sent. */
export const MESSAGE_TYPES = [template, text, image, video, audio, document, sticker, location, contacts] as const;

export type SendableType = (typeof MESSAGE_TYPES)[number];

const BY_NAME: ReadonlyMap<string, SendableType> = new Map(MESSAGE_TYPES.map((type) => [type.name, type]));

type Fields = Readonly<Record<string, unknown>>;

/** The content of a request; throws the Problem of one that the schemas allow and the provider would refuse. */
export function checkedContent(body: { type: string }): unknown {
  const content = (body as Fields)[body.type];
  BY_NAME.get(body.type)?.check?.(content as never, `/${body.type}`); // the schema of its type has passed
  return content;
}

/** Whether the type `column` of a message can only be sent inside the window, as SQL. */
export const needsWindow = (column: string): string =>
  `${column} not in (${MESSAGE_TYPES.filter((type) => !type.needsWindow)
    .map(({ name }) => `'${name}'`)
    .join(", ")})`;
