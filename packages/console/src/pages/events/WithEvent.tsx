import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Event } from "@waypost/sdk";
import type { ReactNode } from "react";
import { eventQuery } from "../../api/queries/events.ts";
import { Beside, type OpenRow, useOpenRow } from "../../parts/Beside.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { nameOfKind } from "../../parts/EventKind.tsx";
import { JsonView } from "../../parts/JsonView.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { messageIdOf } from "./about.ts";
import styles from "./events.module.css";
import { type EventsSearch, eventsSearch } from "./search.ts";

type WithEventProps = { search: EventsSearch; rows: readonly Event[]; children(row: OpenRow): ReactNode };

/** A list of events, with the one that is open as it is posted; that of an address is read, the one of a row is there. */
export function WithEvent({ search, rows, children }: WithEventProps) {
  const row = useOpenRow({ open: search.open, list: (id) => paths.events(eventsSearch({ ...search, open: id })) });
  const { open } = row;
  const known = rows.find(({ id }) => id === open);
  const { data, error, refetch } = useQuery({
    ...eventQuery(open ?? ""),
    enabled: open !== null,
    ...(known && { initialData: known }),
  });
  return (
    <Beside
      row={row}
      keys={rows.map(({ id }) => id)}
      title={data === undefined ? (open ?? "") : nameOfKind(data.kind)}
      detail={
        data !== undefined ? (
          <Shown event={data} />
        ) : error === null ? (
          <Skeleton label={text.loading} />
        ) : (
          <Problem error={error} retry={() => void refetch()} />
        )
      }
    >
      {children(row)}
    </Beside>
  );
}

function Shown({ event }: { event: Event }) {
  const message = messageIdOf(event);
  return (
    <div className={styles["sheet"]}>
      <div className={styles["actions"]}>
        {message !== null && (
          <Link {...paths.message(message)} className={controls["button"]}>
            {text.events.toMessage}
          </Link>
        )}
        <CopyCurl path={`v1/events/${event.id}`} />
      </div>
      <JsonView value={event} label={text.events.body} />
    </div>
  );
}
