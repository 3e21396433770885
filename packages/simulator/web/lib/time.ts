const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit" });
const EXACT = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** Of epoch milliseconds: hours and minutes. */
export const clockTime = (at: number): string => CLOCK.format(at);
/** With the day of the week. */
export const dayTime = (at: number): string => DAY.format(at);
/** With seconds. */
export const exactTime = (at: number): string => EXACT.format(at);
