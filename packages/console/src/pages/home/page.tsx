import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { MessageMetrics, PhoneNumber } from "@waypost/sdk";
import { metricsQuery } from "../../api/queries/metrics.ts";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { now } from "../../parts/now.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { Chart } from "./Chart.tsx";
import { useCountedNumber } from "./counted-number.ts";
import { FirstSteps } from "./FirstSteps.tsx";
import { figuresOf } from "./figures.ts";
import styles from "./home.module.css";
import { Limits } from "./Limits.tsx";
import { Narrowing } from "./Narrowing.tsx";
import { Needs } from "./Needs.tsx";
import { type Asked, faultOf, rangeOf, spanOf } from "./range.ts";
import { type HomeSearch, isOwn, type Range } from "./search.ts";
import { Tile } from "./Tile.tsx";
import { TopFailures } from "./TopFailures.tsx";

const route = getRouteApi("/app/workspace/");

/** What happens in the workspace, and what needs a person. */
export function HomePage() {
  const search = route.useSearch();
  const { range = "24h" } = search;
  const current = useStore(now);
  const { numbers, number, isKnown } = useCountedNumber(search.number);
  const isCounted = faultOf(range, current) === null;
  const asked = rangeOf(range, current);
  const counted = { ...spanOf(asked, true), ...(number && { phone_number_id: number.id }) };
  return (
    <>
      <PageHead title={text.home.title}>
        <Narrowing search={search} numbers={numbers} path={paths.home} />
        {isCounted && <CopyCurl path={`v1/metrics/messages${stringifySearch({ ...counted, group_by: "status" })}`} />}
      </PageHead>
      <FirstSteps />
      {isCounted && <OfRange search={search} asked={asked} counted={counted} number={number} isKnown={isKnown} />}
    </>
  );
}

type OfRangeProps = {
  search: HomeSearch;
  asked: Asked;
  counted: Parameters<typeof metricsQuery>[0];
  number: PhoneNumber | undefined;
  isKnown: boolean;
};

/** `isKnown`: whether it is settled of which number. */
function OfRange({ search, asked, counted, number, isKnown }: OfRangeProps) {
  const figures = useQuery({ ...metricsQuery(counted), enabled: isKnown });
  const isDue = !figures.isPending;
  return (
    <>
      <Figures range={search.range} asked={asked} figures={figures} number={number} />
      <Needs asked={asked} isDue={isDue} />
      <Limits isDue={isDue} />
      <TopFailures asked={asked} number={number} search={search} isDue={isDue} />
    </>
  );
}

type FiguresProps = {
  range: Range | undefined;
  asked: Asked;
  figures: UseQueryResult<MessageMetrics>;
  number: PhoneNumber | undefined;
};

function Figures({ range = "24h", asked, figures, number }: FiguresProps) {
  const { data, error, refetch, isPlaceholderData } = figures;
  if (data === undefined)
    return error === null ? (
      <Skeleton label={text.loading} rows={6} />
    ) : (
      <Problem error={error} retry={() => void refetch()} />
    );
  const shown = figuresOf(data.data, asked);
  const isEmpty = shown.every(({ count, before }) => count === 0 && !before);
  // Of the range before, while those of this one come: that there are none is not known of it.
  if (isEmpty && isPlaceholderData) return <Skeleton label={text.loading} rows={6} />;
  if (isEmpty && isOwn(range)) return <Empty title={text.home.own.empty} />;
  if (isEmpty)
    return (
      <Empty title={text.home.start}>
        <p className="muted">{text.home.startHelp}</p>
        <Link {...paths.messages()}>{text.nav.messages}</Link>
      </Empty>
    );
  return (
    <div data-stale={isPlaceholderData} aria-busy={isPlaceholderData}>
      <ul className={styles["tiles"]} aria-label={text.home.figures}>
        {shown.map((figure) => (
          <Tile key={figure.status} figure={figure} range={range} asked={asked} number={number} />
        ))}
      </ul>
      <Chart figures={shown} asked={asked} />
    </div>
  );
}
