import { searchOf, text, time } from "../../search.ts";

const status = (given: unknown): string | undefined =>
  typeof given === "string" && /^[1-5]\d\d$/.test(given) ? given : undefined;

/** Filters and place of the list of calls, as in its address and in the API; and the call that is open. */
export const activitySearch = searchOf({
  actor: text,
  action: text,
  resource: text,
  status,
  at_after: time,
  at_before: time,
  cursor: text,
  open: text,
});
export type ActivitySearch = ReturnType<typeof activitySearch>;

/** What of it the API is asked for. */
export function askedOf({ open: _open, status: given, ...asked }: ActivitySearch) {
  return given === undefined ? asked : { ...asked, status: Number(given) };
}
