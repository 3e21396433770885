import { type GraphError, graphRefusal } from "../protocol/error.ts";

/** Titles of the subcodes with which submissions are refused (provider reference 2.4). */
const TITLES: Readonly<Record<number, string>> = {
  2388019: "Message template limit exceeded",
  2388023: "Name is being deleted",
  2388024: "Content in this language already exists",
  2388039: "Message template cannot be changed",
  2388040: "Character limit exceeded",
  2388047: "Message header format is incorrect",
  2388072: "Message body format is incorrect",
  2388073: "Message footer format is incorrect",
  2388293: "Too many variables for the length of the message",
  2388299: "Leading or trailing variables are not allowed",
};

/** Code 100 with a subcode, and a title and sentence for people. */
export function templateRefusal(subcode: number, sentence: string): GraphError {
  return graphRefusal(100, "Invalid parameter", {
    subcode,
    title: TITLES[subcode] ?? "Invalid template",
    text: sentence,
  });
}

/** Code 100 for what has no subcode of its own. */
export function parameterRefusal(sentence: string): GraphError {
  return graphRefusal(100, "Invalid parameter", { title: "Invalid parameter", text: sentence });
}
