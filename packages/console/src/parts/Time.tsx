import { zone } from "../preferences.ts";
import { useStore } from "../store.ts";
import { NOW_EVERY_MS, now } from "./now.ts";
import { exactTime, shortTime } from "./time-format.ts";

/** A time: relative within a day, else the date. `exact`: to the millisecond. Its title is UTC with milliseconds. */
export function Time({ at, exact = false }: { at: string; exact?: boolean }) {
  const shown = useStore(zone);
  const current = useStore(now);
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={new Date(ms).toISOString()}>
      {exact
        ? exactTime(ms, shown)
        : shortTime(ms, Math.max(current, ms > current && ms - current < NOW_EVERY_MS ? ms : 0), shown)}
    </time>
  );
}
