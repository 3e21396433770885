import { useState } from "react";
import controls from "../../parts/controls.module.css";
import { zoneName } from "../../parts/time-format.ts";
import { zone } from "../../preferences.ts";
import { useStore } from "../../store.ts";
import { LOCALE, text } from "../../text/text.ts";
import type { Figure } from "./figures.ts";
import styles from "./home.module.css";
import { type Asked, isOfDays } from "./range.ts";

const WIDTH = 960;
const HEIGHT = 160;
const FLOOR = HEIGHT - 1;
const DAY_MS = 86_400_000;
const MOST_OF_YEAR_MS = 300 * DAY_MS;

/** As much of a time as names a step of the range. */
function partsOf({ interval, begin, end }: Asked): Intl.DateTimeFormatOptions {
  const length = end - begin;
  return {
    ...(interval !== "1d" && { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    ...((interval === "1d" || length > DAY_MS) && { month: "short", day: "numeric" }),
    ...(length > MOST_OF_YEAR_MS && { year: "numeric" }),
  };
}

type ChartProps = { figures: readonly Figure[]; asked: Asked };

/** Messages over time: bars of what was delivered, the failed ones above them, each with a pattern of its own. The same as a table. */
export function Chart({ figures, asked }: ChartProps) {
  const { begin, stepMs } = asked;
  const [isTable, setTable] = useState(false);
  const chosen = useStore(zone);
  // Days are those of UTC, as the API counts them.
  const shownZone = isOfDays(asked) ? "utc" : chosen;
  const format = new Intl.DateTimeFormat(LOCALE, {
    ...partsOf(asked),
    ...(shownZone === "utc" ? { timeZone: "UTC" } : {}),
  });
  const times = (figures[0]?.bars ?? []).map((_, index) => format.format(begin + index * stepMs));
  return (
    <section className={styles["chart"]} aria-labelledby="chart-title">
      <div className={styles["chartHead"]}>
        <h2 id="chart-title">{text.home.chart}</h2>
        <span className="muted">{text.home.chartZone(zoneName(shownZone))}</span>
        <button type="button" className={controls["quiet"]} onClick={() => setTable(!isTable)}>
          {isTable ? text.home.chartHide : text.home.chartTable}
        </button>
      </div>
      {isTable ? <ChartTable figures={figures} times={times} /> : <Bars figures={figures} times={times} />}
    </section>
  );
}

function Bars({ figures, times }: { figures: readonly Figure[]; times: readonly string[] }) {
  const barsOf = (status: Figure["status"]): readonly number[] =>
    figures.find((one) => one.status === status)?.bars ?? [];
  const [sent, delivered, failed] = [barsOf("sent"), barsOf("delivered"), barsOf("failed")];
  const most = Math.max(
    1,
    ...times.map((_, index) => Math.max(sent[index] ?? 0, delivered[index] ?? 0) + (failed[index] ?? 0)),
  );
  const width = WIDTH / Math.max(1, times.length);
  const tall = (count: number): number => (count / most) * (HEIGHT - 8);
  return (
    <>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className={`${styles["bars"]} mirrored`}
        aria-hidden
        preserveAspectRatio="none"
      >
        <defs>
          <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="3" height="6" className={styles["failed"]} />
          </pattern>
        </defs>
        {times.map((time, index) => {
          const reached = Math.max(sent[index] ?? 0, delivered[index] ?? 0);
          const [x, wide] = [index * width + 1, Math.max(1, width - 2)];
          const part = (count: number, above: number, className: string, fill?: string) => (
            <rect
              x={x}
              y={FLOOR - tall(above) - tall(count)}
              width={wide}
              height={tall(count)}
              className={className}
              fill={fill}
            />
          );
          return (
            <g key={time + String(index)}>
              {part(reached, 0, styles["sent"] ?? "")}
              {part(delivered[index] ?? 0, 0, styles["delivered"] ?? "")}
              {part(failed[index] ?? 0, reached, "", "url(#hatch)")}
            </g>
          );
        })}
        <line x1="0" x2={WIDTH} y1={FLOOR} y2={FLOOR} className={styles["floor"]} />
      </svg>
      <p className={styles["scale"]}>
        <span>{times[0]}</span>
        <span className={styles["legend"]}>
          <i className={styles["keySent"]} /> {text.home.tiles.sent} <i className={styles["keyDelivered"]} />{" "}
          {text.home.tiles.delivered} <i className={styles["keyFailed"]} /> {text.home.tiles.failed}
        </span>
        <span>{times.at(-1)}</span>
      </p>
    </>
  );
}

function ChartTable({ figures, times }: { figures: readonly Figure[]; times: readonly string[] }) {
  return (
    <div className={styles["tableFrame"]} tabIndex={0} role="group" aria-label={text.home.chart}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.messages.columns.time}</th>
            {figures.map(({ status }) => (
              <th key={status} scope="col">
                {text.home.tiles[status]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, index) => (
            <tr key={time + String(index)}>
              <th scope="row">{time}</th>
              {figures.map(({ status, bars }) => (
                <td key={status}>{bars[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
