import { LOCALE } from "../text/text.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type Zone = "local" | "utc";

const relative = new Intl.RelativeTimeFormat(LOCALE, { style: "narrow", numeric: "always" });
const present = new Intl.RelativeTimeFormat(LOCALE, { style: "narrow", numeric: "auto" }).format(0, "second");
const ONE_DAY = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const OTHER_YEAR = { ...ONE_DAY, year: "numeric" } as const;

/** "now", "12s ago" within a day, else the date; `now` and `at` in milliseconds. */
export function shortTime(at: number, now: number, zone: Zone): string {
  const span = at - now;
  const size = Math.abs(span);
  if (Math.round(span / SECOND) === 0) return present;
  if (size < MINUTE) return relative.format(Math.round(span / SECOND), "second");
  if (size < HOUR) return relative.format(Math.trunc(span / MINUTE), "minute");
  if (size < DAY) return relative.format(Math.trunc(span / HOUR), "hour");
  return date(at, now, zone);
}

function date(at: number, now: number, zone: Zone): string {
  const isThisYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
  return new Intl.DateTimeFormat(LOCALE, { ...(isThisYear ? ONE_DAY : OTHER_YEAR), ...zoneOf(zone) }).format(at);
}

const zoneOf = (zone: Zone): { timeZone?: string } => (zone === "utc" ? { timeZone: "UTC" } : {});

/** "27 Nov 2026, 14:03": to the minute, with its year. */
export const exactDate = (at: number, zone: Zone): string =>
  new Intl.DateTimeFormat(LOCALE, { ...OTHER_YEAR, ...zoneOf(zone) }).format(at);

/** "27 Nov, 14:03:07.120": to the millisecond, for a timeline. */
export const exactTime = (at: number, zone: Zone): string =>
  new Intl.DateTimeFormat(LOCALE, {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    hourCycle: "h23",
    ...zoneOf(zone),
  }).format(at);

/** How long something took: "40ms", "1.2s", "3m", "2h", "4d". */
export function span(ms: number): string {
  const size = Math.abs(ms);
  const unit = (value: number, name: string, digits = 0): string =>
    new Intl.NumberFormat(LOCALE, {
      style: "unit",
      unit: name,
      unitDisplay: "narrow",
      maximumFractionDigits: digits,
    }).format(value);
  if (size < SECOND) return unit(Math.round(size), "millisecond");
  if (size < MINUTE) return unit(size / SECOND, "second", size < 10 * SECOND ? 1 : 0);
  if (size < HOUR) return unit(Math.round(size / MINUTE), "minute");
  if (size < DAY) return unit(size / HOUR, "hour", 1);
  return unit(size / DAY, "day", 1);
}

/** Name of the zone that times are shown in. */
export const zoneName = (zone: Zone): string =>
  zone === "utc" ? "UTC" : new Intl.DateTimeFormat(LOCALE).resolvedOptions().timeZone;
