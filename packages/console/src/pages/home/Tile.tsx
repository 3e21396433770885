import { Link } from "@tanstack/react-router";
import type { PhoneNumber } from "@waypost/sdk";
import type { ReactNode } from "react";
import { useScope } from "../../parts/Action.tsx";
import { StateSign } from "../../parts/Status.tsx";
import { paths } from "../../paths.ts";
import { LOCALE, text } from "../../text/text.ts";
import type { Figure } from "./figures.ts";
import styles from "./home.module.css";
import { type Asked, rfc3339, unitsOf } from "./range.ts";
import { isOwn, type Range } from "./search.ts";

type TileProps = {
  figure: Figure;
  range: Range;
  asked: Asked;
  /** The only one that is counted, if it is one. */
  number: PhoneNumber | undefined;
};

/** A figure of the range, against the one before; it leads to what it counts. */
export function Tile({ figure: { status, count, before, bars, share }, range, asked, number }: TileProps) {
  const since = rfc3339(asked.begin);
  const { ended } = asked;
  const shown = (
    <>
      <StateSign state={status} />
      {text.home.tiles[status]}
    </>
  );
  return (
    <li className={styles["tile"]} data-status={status}>
      {status === "received" ? (
        <Link
          {...paths.messages({
            status,
            created_after: since,
            ...(ended && { created_before: ended }),
            ...(number && { to: number.phone }),
          })}
          className={styles["tileLink"]}
        >
          {shown}
        </Link>
      ) : (
        <ToEvents kind={status} since={since} until={ended} number={number?.id}>
          {shown}
        </ToEvents>
      )}
      <p className={styles["figure"]}>
        <span className={styles["count"]}>{new Intl.NumberFormat(LOCALE).format(count)}</span>
        <span className={styles["change"]}>{shareOf(status, count, share, asked)}</span>
      </p>
      <Sparkline bars={bars} />
      <p
        className={styles["change"]}
        title={isOwn(range) ? text.home.own.before : text.home.before(text.home.range[range])}
      >
        {changeOf(count, before)}
      </p>
    </li>
  );
}

type ToEventsProps = {
  kind: string;
  since: string;
  until: string | undefined;
  number: string | undefined;
  children: ReactNode;
};

/**
 * Messages came to a status at any time after they were created, and most have gone on since: the list of messages, which knows their
 * present status, has not those that were counted. The events are what is counted.
 */
function ToEvents({ kind, since, until, number, children }: ToEventsProps) {
  const { disabled, title } = useScope("webhooks:read");
  if (disabled)
    return (
      <span className={styles["tileLink"]} title={title}>
        {children}
      </span>
    );
  return (
    <Link
      {...paths.events({ kind, since, ...(until && { until }), ...(number && { number }) })}
      className={styles["tileLink"]}
    >
      {children}
    </Link>
  );
}

const rate = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });

/** The rate beside a count: its share, or how many of them an hour or a day has. */
function shareOf(status: Figure["status"], count: number, share: number | null, asked: Asked): string {
  const { unit, count: units } = unitsOf(asked);
  if (status === "sent" || status === "received") return text.home.pace[unit](rate.format(count / units));
  return share === null ? "" : text.home.share[status](percent.format(share));
}

const percent = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 0 });

function changeOf(count: number, before: number | null): string {
  if (before === null) return text.home.own.notKept;
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
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={`${styles["spark"]} mirrored`}
      aria-hidden
      preserveAspectRatio="none"
    >
      {bars.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(2, (count / most) * HEIGHT);
        return (
          <rect key={index} x={index * width} y={HEIGHT - height} width={Math.max(1, width - 1)} height={height} />
        );
      })}
    </svg>
  );
}
