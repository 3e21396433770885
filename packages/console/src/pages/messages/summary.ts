import { bubbleOf } from "../../parts/phone/bubble.ts";
import { fieldsOf, textOf } from "../../parts/phone/bubble-shape.ts";

const LONGEST = 60;

/** What a message is in one line: the template's name, or its first 60 letters; its type for what has none. */
export function summaryOf(message: { type: string; [field: string]: unknown }): string {
  if (message.type === "template") return textOf(fieldsOf(message["template"])["name"]) ?? message.type;
  const bubble = bubbleOf(message);
  if (bubble === null) return message.type;
  if (bubble.reaction !== null) return bubble.reaction || message.type;
  const words = bubble.body
    .map(({ text }) => text)
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();
  return words === "" ? message.type : words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
