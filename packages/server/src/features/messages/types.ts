import { template } from "./types/template.ts";
import { text } from "./types/text.ts";

/** The types of message that can be sent. */
export const MESSAGE_TYPES = [template, text] as const;

export type SendableType = (typeof MESSAGE_TYPES)[number];

/** Whether the type `column` of a message can only be sent inside the window, as SQL. */
export const needsWindow = (column: string): string =>
  `${column} not in (${MESSAGE_TYPES.filter((type) => !type.needsWindow)
    .map(({ name }) => `'${name}'`)
    .join(", ")})`;
