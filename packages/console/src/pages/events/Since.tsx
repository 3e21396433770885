import { useInfiniteQuery } from "@tanstack/react-query";
import { eventsSinceQuery } from "../../api/queries/events.ts";
import controls from "../../parts/controls.module.css";
import { DataTable } from "../../parts/DataTable.tsx";
import { NoneFit } from "../../parts/Empty.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { COLUMNS } from "./columns.tsx";
import type { EventsSearch } from "./search.ts";
import { WithEvent } from "./WithEvent.tsx";

const words = text.events;

/** What happened since a time, oldest first: the rows of a figure that counts events. They stand still. */
export function Since({ since, search }: { since: string; search: EventsSearch }) {
  const { kind, contact_id, message_id, number, until } = search;
  const asked = {
    ...(kind && { kind }),
    ...(contact_id && { contact_id }),
    ...(message_id && { message_id }),
    ...(number && { number }),
    ...(until && { until }),
  };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = useInfiniteQuery(
    eventsSinceQuery(since, asked),
  );
  if (data === undefined)
    return error === null ? <Skeleton label={text.loading} /> : <Problem error={error} retry={() => void refetch()} />;
  const rows = data.pages.flatMap((page) => page.data);
  return (
    <WithEvent search={search} rows={rows}>
      {(row) => (
        <>
          {error !== null && <Problem error={error} retry={() => void refetch()} />}
          {rows.length === 0 && !hasNextPage && !isPlaceholderData ? (
            <NoneFit title={words.none} help={words.sinceNone} all={paths.events({ since })} />
          ) : (
            <DataTable
              label={words.title}
              columns={COLUMNS}
              rows={rows}
              keyOf={({ id }) => id}
              linkOf={({ id }) => row.linkTo(id)}
              openKey={row.open}
              isStale={isPlaceholderData}
            />
          )}
          {hasNextPage && (
            <button
              type="button"
              className={controls["button"]}
              disabled={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              {isFetchingNextPage ? text.loading : words.later}
            </button>
          )}
        </>
      )}
    </WithEvent>
  );
}
