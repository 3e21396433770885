export const UNITS = { week: "W", day: "D", hour: "H", minute: "M", second: "S" } as const;
export type Unit = keyof typeof UNITS;
export const UNIT_NAMES = Object.keys(UNITS) as readonly Unit[]; // its keys

/** The amount, as it was written, and the unit of an ISO 8601 duration that has one unit; null for any other. */
export function amountOf(duration: string): { amount: string; unit: Unit } | null {
  const found = /^P(\d*)([WD])$/.exec(duration) ?? /^PT(\d*)([HMS])$/.exec(duration);
  const unit = UNIT_NAMES.find((name) => UNITS[name] === found?.[2]);
  return found === null || unit === undefined ? null : { amount: found[1] ?? "", unit };
}

export const durationOf = (amount: string, unit: Unit): string =>
  unit === "week" || unit === "day" ? `P${amount}${UNITS[unit]}` : `PT${amount}${UNITS[unit]}`;
