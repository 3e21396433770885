import type { PhoneNumberHealth } from "@waypost/sdk";

export type Check = PhoneNumberHealth["checks"][number];
/** What helps most: connecting again, a message that makes callbacks come, or looking once more. */
export type Remedy = "connect" | "test" | "look";

/** What connecting the account again mends. */
const BY_CONNECTING: ReadonlySet<string> = new Set(["token", "access", "subscribed", "registered"]);

/** The check that says most of a number: the first that is bad, else the first that is not known; null where all are well. */
export const worstOf = (checks: readonly Check[]): Check | null =>
  checks.find(({ ok }) => ok === false) ?? checks.find(({ ok, remedy }) => ok === null && remedy !== null) ?? null;

/** The one button beside the headline. */
export function remedyOf(check: Check | null): Remedy {
  if (check === null || (check.ok === null && check.name !== "callback_seen")) return "look";
  if (BY_CONNECTING.has(check.name)) return "connect";
  return check.name === "callback_seen" ? "test" : "look";
}
