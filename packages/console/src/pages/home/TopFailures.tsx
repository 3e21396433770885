import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { PhoneNumber } from "@waypost/sdk";
import { failuresQuery } from "../../api/queries/metrics.ts";
import { can } from "../../api/session.ts";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { LOCALE, text } from "../../text/text.ts";
import { failuresAsked, failuresOf, messagesOf } from "../failures/failures.ts";
import styles from "./home.module.css";
import { Line } from "./Line.tsx";
import type { Asked } from "./range.ts";
import type { HomeSearch } from "./search.ts";

const app = getRouteApi("/app");
const words = text.home;
const figure = new Intl.NumberFormat(LOCALE);
const percent = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 0 });
const MOST_LINES = 5;

type TopFailuresProps = {
  asked: Asked;
  number: PhoneNumber | undefined;
  /** Of this page: that of all failures counts the same. */
  search: HomeSearch;
  /** The page's first data is there. */
  isDue: boolean;
};

/** The most frequent errors of the range; nothing where nothing failed. */
export function TopFailures({ asked, number, search, isDue }: TopFailuresProps) {
  const { session } = app.useRouteContext();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...failuresQuery(failuresAsked(asked, number)),
    enabled: isDue && can(session, "messages:read"),
  });
  const failures = failuresOf(data ?? [], asked);
  const total = failures.reduce((sum, { count }) => sum + count, 0);
  const broken = data === undefined ? error : null;
  if (failures.length === 0 && broken === null) return null;
  return (
    <section
      className={styles["lines"]}
      aria-labelledby="failures-title"
      data-stale={isPlaceholderData}
      aria-busy={isPlaceholderData}
    >
      <h2 id="failures-title">{words.failures}</h2>
      {broken !== null && <Problem error={broken} retry={() => void refetch()} />}
      <ul>
        {failures.slice(0, MOST_LINES).map((failure) => (
          <Line
            key={failure.code}
            link={messagesOf(failure, asked, number)}
            name={<span className="mono">{failure.code ?? text.failures.none}</span>}
            share={failure.count / total}
            tone="failed"
          >
            <span>{figure.format(failure.count)}</span>
            <span className="muted">{percent.format(failure.count / total)}</span>
          </Line>
        ))}
      </ul>
      <Link {...paths.failures(search)}>{words.allFailures}</Link>
    </section>
  );
}
