import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { PhoneNumber } from "@waypost/sdk";
import { failuresQuery } from "../../api/queries/metrics.ts";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { DataTable } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { now } from "../../parts/now.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { useStore } from "../../store.ts";
import { LOCALE, text } from "../../text/text.ts";
import { useCountedNumber } from "../home/counted-number.ts";
import { Narrowing } from "../home/Narrowing.tsx";
import { type Asked, faultOf, rangeOf } from "../home/range.ts";
import { columnsOf } from "./columns.tsx";
import styles from "./failures.module.css";
import { failuresAsked, failuresOf, messagesOf } from "./failures.ts";

const route = getRouteApi("/app/workspace/failures");
const words = text.failures;
const number = new Intl.NumberFormat(LOCALE);

/** Why messages failed, and how that changed. */
export function FailuresPage() {
  const search = route.useSearch();
  const { numbers, number, isKnown } = useCountedNumber(search.number);
  const { range = "24h" } = search;
  const current = useStore(now);
  const asked = rangeOf(range, current);
  const call = stringifySearch({ ...failuresAsked(asked, number), group_by: "error_code" });
  const isCounted = faultOf(range, current) === null;
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Narrowing search={search} numbers={numbers} path={paths.failures} />
        {isCounted && <CopyCurl path={`v1/metrics/messages${call}`} />}
      </PageHead>
      {isCounted && <Rows asked={asked} number={number} isKnown={isKnown} />}
    </>
  );
}

type RowsProps = { asked: Asked; number: PhoneNumber | undefined; isKnown: boolean };

/** `isKnown`: whether it is settled of which number. */
function Rows({ asked, number: one, isKnown }: RowsProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...failuresQuery(failuresAsked(asked, one)),
    enabled: isKnown,
  });
  if (data === undefined)
    return error === null ? <Skeleton label={text.loading} /> : <Problem error={error} retry={() => void refetch()} />;
  const failures = failuresOf(data, asked);
  const total = failures.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...failures.flatMap(({ bars }) => bars));
  // Of the range before, while those of this one come: that there are none is not known of it.
  if (total === 0 && isPlaceholderData) return <Skeleton label={text.loading} />;
  if (total === 0)
    return (
      <Empty title={words.empty}>
        <p className="muted">{words.emptyHelp}</p>
      </Empty>
    );
  return (
    <>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      <p className={styles["total"]}>{total === 1 ? words.one : words.total(number.format(total))}</p>
      <DataTable
        label={words.title}
        columns={columnsOf(total, most)}
        rows={failures}
        keyOf={({ code }) => code ?? ""}
        linkOf={(failure) => messagesOf(failure, asked, one)}
        isStale={isPlaceholderData}
      />
    </>
  );
}
