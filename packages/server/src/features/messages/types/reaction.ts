import { Type } from "typebox";
import { idSchema } from "../../../http/ids.ts";
import { invalidAt } from "../../../http/problem.ts";
import { messageType } from "./message-type.ts";

/** In characters of Unicode: one emoji may be composed of a dozen. */
const LONGEST_EMOJI = 32;

export const reaction = messageType({
  name: "reaction",
  content: Type.Object(
    {
      message_id: idSchema("msg", "The id of the message to react to, in either direction."),
      emoji: Type.String({
        maxLength: LONGEST_EMOJI,
        description: "One emoji. An empty text removes the reaction.",
        examples: ["👍"],
      }),
    },
    { description: "A reaction to a message of the last 30 days." },
  ),
  needsWindow: true,
  description: "A reaction to a message.",
  shown:
    "For a reaction: its `message_id` and `emoji`. An inbound one to a message that is not known here has the provider's id of it.",
  check({ emoji }, at) {
    if (emoji !== "" && !isEmoji(emoji))
      throw invalidAt(`${at}/emoji`, "Give exactly one emoji, or an empty text to remove the reaction.");
  },
  target: "message_id",
});

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
// The last one is the frame of keycaps: digits count as emoji only with it.
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

const isEmoji = (text: string): boolean => [...GRAPHEMES.segment(text)].length === 1 && EMOJI.test(text);
