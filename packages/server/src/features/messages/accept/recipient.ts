import { Problem } from "../../../http/problem.ts";
import { parseId } from "../../../lib/ids.ts";
import { normalizePhone } from "../../../lib/phone.ts";

/** How a request names a person: exactly one is set. */
export type Recipient = { phone: string | null; contactId: string | null; userId: string | null };

/** Business-scoped user ids: two letters, a dot, then what the provider made (`US.1349…`, `US.ENT.…`). */
const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9.]{1,128}$/;

/** Reads `to`; 422 when it can be nobody. */
export function recipientOf(to: string): Recipient {
  if (to.startsWith("con_")) {
    const contactId = parseId("con", to);
    if (contactId === null) throw atTo("reference_not_found", "There is no such contact.");
    return { phone: null, contactId, userId: null };
  }
  if (USER_ID.test(to)) return { phone: null, contactId: null, userId: to };
  const phone = normalizePhone(to);
  if (phone === null) throw atTo("invalid_phone_number", "This is not a possible number in E.164 with a leading +.");
  return { phone, contactId: null, userId: null };
}

const atTo = (code: "reference_not_found" | "invalid_phone_number", detail: string): Problem =>
  new Problem(code, detail, { errors: [{ pointer: "/to", code, detail }] });
