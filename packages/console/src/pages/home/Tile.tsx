import { Link } from "@tanstack/react-router";
import { StateSign } from "../../parts/Status.tsx";
import { paths } from "../../paths.ts";
import { LOCALE, text } from "../../text/text.ts";
import type { Figure, Range } from "./figures.ts";
import styles from "./home.module.css";

/** A figure of the range, against the one before; it leads to its messages. */
export function Tile({
  figure: { status, count, before, bars },
  range,
  since,
}: {
  figure: Figure;
  range: Range;
  since: string;
}) {
  return (
    <li className={styles["tile"]} data-status={status}>
      <Link {...paths.messages({ status, created_after: since })} className={styles["tileLink"]}>
        <StateSign state={status} />
        {text.home.tiles[status]}
      </Link>
      <p className={styles["count"]}>{new Intl.NumberFormat(LOCALE).format(count)}</p>
      <Sparkline bars={bars} />
      <p className={styles["change"]} title={text.home.before(text.home.range[range])}>
        {changeOf(count, before)}
      </p>
    </li>
  );
}

const percent = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 0 });

function changeOf(count: number, before: number): string {
  if (count === before) return text.home.same;
  if (before === 0) return text.home.fresh;
  const change = (count - before) / before;
  return change > 0 ? text.home.more(percent.format(change)) : text.home.less(percent.format(-change));
}

const WIDTH = 120;
const HEIGHT = 24;

function Sparkline({ bars }: { bars: readonly number[] }) {
  const most = Math.max(1, ...bars);
  const width = WIDTH / bars.length;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles["spark"]} aria-hidden preserveAspectRatio="none">
      {bars.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(2, (count / most) * HEIGHT);
        return (
          <rect key={index} x={index * width} y={HEIGHT - height} width={Math.max(1, width - 1)} height={height} />
        );
      })}
    </svg>
  );
}
