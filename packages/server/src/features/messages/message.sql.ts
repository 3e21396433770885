import { sqlInterval } from "../../db/hot-function.ts";
import { ofPossibleDuplicates, type Reach } from "../identity/possible-duplicates.sql.ts";
import { isOutsideWindow, WINDOW_MS } from "../threads/thread.sql.ts";

/**
 * boolean: whether a free-form message to a contact is too late. `lastInboundAt` is the conversation's, `windowMs` one of the two
 * above. A contact that may be the
 * same person opens no window, but then the provider decides: it knows who they are.
 */
export const windowClosed = (
  { lastInboundAt, now, contact, phoneNumber }: Record<"lastInboundAt" | "now" | "contact" | "phoneNumber", string>,
  reach: Reach,
  windowMs = WINDOW_MS,
): string =>
  `case when ${isOutsideWindow(lastInboundAt, now, windowMs)}
      then not ${ofPossibleDuplicates("twin_wrote_since", contact, reach, phoneNumber, `${now} - ${sqlInterval(windowMs)}`)}
      else false end`;
