import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { PhoneNumber } from "@waypost/sdk";
import { metricsQuery } from "../../api/queries/metrics.ts";
import { Empty } from "../../parts/Empty.tsx";
import { now } from "../../parts/now.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { Chart } from "./Chart.tsx";
import { useCountedNumber } from "./counted-number.ts";
import { FirstSteps } from "./FirstSteps.tsx";
import { figuresOf, type Range, rangeOf } from "./figures.ts";
import styles from "./home.module.css";
import { Narrowing } from "./Narrowing.tsx";
import { Needs } from "./Needs.tsx";
import { Tile } from "./Tile.tsx";

const route = getRouteApi("/app/workspace/");

/** What happens in the workspace, and what needs a person. */
export function HomePage() {
  const search = route.useSearch();
  const { range = "24h" } = search;
  const current = useStore(now);
  const { numbers, number, isKnown } = useCountedNumber(search.number);
  return (
    <>
      <PageHead title={text.home.title}>
        <Narrowing search={search} numbers={numbers} path={paths.home} />
      </PageHead>
      <FirstSteps />
      <Figures range={range} number={number} isKnown={isKnown} />
      <Needs since={new Date(rangeOf(range, current).begin).toISOString()} />
    </>
  );
}

type FiguresProps = { range: Range; number: PhoneNumber | undefined; isKnown: boolean };

/** `isKnown`: whether it is settled of which number. */
function Figures({ range, number, isKnown }: FiguresProps) {
  const asked = rangeOf(range, useStore(now));
  const { data, error, refetch } = useQuery({
    ...metricsQuery({
      at_after: asked.asked,
      interval: asked.interval,
      ...(number && { phone_number_id: number.id }),
    }),
    enabled: isKnown,
  });
  if (data === undefined)
    return error === null ? (
      <Skeleton label={text.loading} rows={6} />
    ) : (
      <Problem error={error} retry={() => void refetch()} />
    );
  const figures = figuresOf(data.data, asked);
  const isEmpty = figures.every(({ count, before }) => count === 0 && before === 0);
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
        {figures.map((figure) => (
          <Tile key={figure.status} figure={figure} range={range} since={since} number={number} />
        ))}
      </ul>
      <Chart figures={figures} begin={asked.begin} stepMs={asked.stepMs} />
    </>
  );
}
