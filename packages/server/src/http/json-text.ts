import { Problem } from "./problem.ts";
import { parseBody } from "./request/bodies/parse-body.ts";

/**
 * What a text of JSON has, by the rules of a body: forms and queries have objects and lists so. A text that is none is itself. Throws 400
 * for what no body may have: what cannot be stored, or is nested too deep.
 */
export function parsedText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseBody(Buffer.from(text));
  } catch (refusal) {
    if (refusal instanceof Problem && refusal.code === "invalid_json") return text;
    throw refusal;
  }
}
