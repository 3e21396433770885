import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Event } from "@waypost/sdk";
import { tail } from "../../api/live.ts";
import { eventQuery } from "../../api/queries/events.ts";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { JsonView } from "../../parts/JsonView.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { messageIdOf } from "./about.ts";
import styles from "./events.module.css";

/** An event as it is posted; that of an address is read, the one of a row is there. */
export function EventSheet({ id, onClose }: { id: string; onClose(): void }) {
  const known = tail.get().find((event) => event.id === id);
  const { data, error, refetch } = useQuery({ ...eventQuery(id), ...(known && { initialData: known }) });
  return (
    <Sheet title={data?.kind ?? id} onClose={onClose}>
      {data !== undefined ? (
        <Shown event={data} />
      ) : error === null ? (
        <Skeleton label={text.loading} />
      ) : (
        <Problem error={error} retry={() => void refetch()} />
      )}
    </Sheet>
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
