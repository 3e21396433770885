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
import { figuresOf, type Range, rangeOf } from "./figures.ts";
import styles from "./home.module.css";
import { Limits } from "./Limits.tsx";
import { Narrowing } from "./Narrowing.tsx";
import { Needs } from "./Needs.tsx";
import { Tile } from "./Tile.tsx";
import { TopFailures } from "./TopFailures.tsx";

const route = getRouteApi("/app/workspace/");

/** What happens in the workspace, and what needs a person. */
export function HomePage() {
  const search = route.useSearch();
  const { range = "24h" } = search;
  const asked = rangeOf(range, useStore(now));
  const { numbers, number, isKnown } = useCountedNumber(search.number);
  const counted = { at_after: asked.asked, interval: asked.interval, ...(number && { phone_number_id: number.id }) };
  const figures = useQuery({ ...metricsQuery(counted), enabled: isKnown });
  return (
    <>
      <PageHead title={text.home.title}>
        <Narrowing search={search} numbers={numbers} path={paths.home} />
        <CopyCurl path={`v1/metrics/messages${stringifySearch({ ...counted, group_by: "status" })}`} />
      </PageHead>
      <FirstSteps />
      <Figures range={range} asked={asked} figures={figures} number={number} />
      <Needs since={new Date(asked.begin).toISOString()} isDue={!figures.isPending} />
      <Limits isDue={!figures.isPending} />
      <TopFailures range={range} asked={asked} number={number} search={search} isDue={!figures.isPending} />
    </>
  );
}

type FiguresProps = {
  range: Range;
  asked: ReturnType<typeof rangeOf>;
  figures: UseQueryResult<MessageMetrics>;
  number: PhoneNumber | undefined;
};

function Figures({ range, asked, figures: { data, error, refetch }, number }: FiguresProps) {
  if (data === undefined)
    return error === null ? (
      <Skeleton label={text.loading} rows={6} />
    ) : (
      <Problem error={error} retry={() => void refetch()} />
    );
  const shown = figuresOf(data.data, asked);
  const isEmpty = shown.every(({ count, before }) => count === 0 && before === 0);
  if (isEmpty)
    return (
      <Empty title={text.home.start}>
        <p className="muted">{text.home.startHelp}</p>
        <Link {...paths.messages()}>{text.nav.messages}</Link>
      </Empty>
    );
  const since = new Date(asked.begin).toISOString();
  return (
    <>
      <ul className={styles["tiles"]} aria-label={text.home.figures}>
        {shown.map((figure) => (
          <Tile key={figure.status} figure={figure} range={range} since={since} number={number} />
        ))}
      </ul>
      <Chart figures={shown} begin={asked.begin} stepMs={asked.stepMs} />
    </>
  );
}
