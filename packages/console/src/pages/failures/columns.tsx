import type { Column } from "../../parts/DataTable.tsx";
import { ErrorCode } from "../../parts/ErrorCode.tsx";
import { listOf } from "../../parts/list-of.ts";
import { LOCALE, text } from "../../text/text.ts";
import styles from "./failures.module.css";
import type { Failure } from "./failures.ts";

const words = text.failures;
const number = new Intl.NumberFormat(LOCALE);
const percent = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });

/** `most`: of the largest interval of all rows. */
export const columnsOf = (total: number, most: number): readonly Column<Failure>[] => [
  {
    key: "code",
    head: words.columns.code,
    narrow: "lead",
    isLink: true,
    cell: ({ code }) => <span className={styles["code"]}>{code ?? words.none}</span>,
  },
  {
    key: "bars",
    head: words.columns.bars,
    narrow: "second",
    isWide: true,
    cell: ({ bars }) => <Bars bars={bars} most={most} />,
  },
  {
    key: "share",
    head: words.columns.share,
    narrow: "second-end",
    isFigure: true,
    cell: ({ count }) => percent.format(count / total),
  },
  { key: "count", head: words.columns.count, narrow: "end", isFigure: true, cell: ({ count }) => number.format(count) },
  {
    key: "meaning",
    head: words.columns.meaning,
    cell: ({ code }) => code !== null && <Meaning code={code} />,
  },
];

/** The row itself leads to its messages. */
const Meaning = ({ code }: { code: string }) => (
  <ErrorCode code={code}>
    {words.meaning}
    <span className="visually-hidden"> {code}</span>
  </ErrorCode>
);

const WIDTH = 240;
const HEIGHT = 24;

/** All rows have one scale, so that their heights compare. */
function Bars({ bars, most }: { bars: readonly number[]; most: number }) {
  const width = WIDTH / bars.length;
  return (
    <>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className={`${styles["bars"]} mirrored`}
        aria-hidden
        preserveAspectRatio="none"
      >
        {bars.map((count, index) => {
          const height = count === 0 ? 1 : Math.max(3, (count / most) * HEIGHT);
          return (
            <rect
              key={index}
              data-some={count > 0}
              x={index * width}
              y={HEIGHT - height}
              width={Math.max(1, width - 1)}
              height={height}
            />
          );
        })}
      </svg>
      <span className="visually-hidden">{words.over(listOf(bars.map(String)))}</span>
    </>
  );
}
