import { asBody, BodyCheck } from "../../http/body-check.ts";
import { Problem } from "../../http/problem.ts";
import { SendMessage } from "./schema.ts";
import { spellContent } from "./types.ts";

/** The check of a message to send, by the schema of `POST /v1/messages`. */
export const SEND_CHECK = new BodyCheck(SendMessage);

/**
 * Reads a message to send that no request has brought, such as one of a stored list: a copy of it for `Sending.send` or `sendAll`, or the
 * Problem with which `POST /v1/messages` would refuse it, with its pointers. The value itself stays as it is.
 */
export function readBody(value: unknown): SendMessage | Problem {
  try {
    const body = asBody(value);
    spellContent(body);
    return SEND_CHECK.refusalOf(body) ?? (body as SendMessage); // its schema has passed
  } catch (refusal) {
    if (refusal instanceof Problem) return refusal;
    throw refusal;
  }
}
