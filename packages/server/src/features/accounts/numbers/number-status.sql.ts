/**
 * Statuses of a phone number that is not registered, or no longer there (Graph API, in lower case). A flagged, restricted or rate
 * limited number still sends some or all messages, and the provider answers for each: as it does where it gives no status, or a
 * new one.
 */
const UNUSABLE = ["pending", "unverified", "disconnected", "banned", "migrated", "deleted"];

/** Whether a number of this status may be sent from. */
export const canSend = (status: string): boolean => !UNUSABLE.includes(status);

/** As `canSend`, in SQL; null for null. */
export const statusCanSend = (status: string): string =>
  `${status} not in (${UNUSABLE.map((one) => `'${one}'`).join(", ")})`;

/** Whether a number of this status has left its account, in SQL: the provider may list it in another one, of any workspace. */
export const statusHasLeft = (status: string): string => `${status} in ('disconnected', 'migrated', 'deleted')`;
