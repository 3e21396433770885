import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { metricsQuery } from "../../api/queries/metrics.ts";
import { Choices } from "../../parts/Choices.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { now } from "../../parts/now.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { Chart } from "./Chart.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { figuresOf, rangeOf } from "./figures.ts";
import styles from "./home.module.css";
import { Needs } from "./Needs.tsx";
import { RANGES } from "./ranges.ts";
import { Tile } from "./Tile.tsx";

const route = getRouteApi("/app/workspace/");

/** What happens in the workspace, and what needs a person. */
export function HomePage() {
  const { range = "24h" } = route.useSearch();
  const current = useStore(now);
  return (
    <>
      <PageHead title={text.home.title}>
        <Choices
          label={text.home.range.label}
          options={RANGES.map((one) => ({
            label: text.home.range[one],
            link: paths.home(one === "24h" ? {} : { range: one }),
          }))}
        />
      </PageHead>
      <FirstSteps />
      <Figures range={range} />
      <Needs since={new Date(rangeOf(range, current).begin).toISOString()} />
    </>
  );
}

function Figures({ range }: { range: (typeof RANGES)[number] }) {
  const asked = rangeOf(range, useStore(now));
  const { data, error, refetch } = useQuery(metricsQuery({ at_after: asked.asked, interval: asked.interval }));
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
  return (
    <>
      <ul className={styles["tiles"]} aria-label={text.home.figures}>
        {figures.map((figure) => (
          <Tile key={figure.status} figure={figure} range={range} since={new Date(asked.begin).toISOString()} />
        ))}
      </ul>
      <Chart figures={figures} begin={asked.begin} stepMs={asked.stepMs} />
    </>
  );
}
