import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ApiError } from "@waypost/sdk";
import { previewQuery, type SegmentFilter } from "../../api/queries/segments.ts";
import { can } from "../../api/session.ts";
import { DataTable } from "../../parts/DataTable.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { usePaused } from "../../parts/use-paused.ts";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { COLUMNS } from "../contacts/columns.tsx";
import styles from "./segment.module.css";

const words = text.segment;
const app = getRouteApi("/app");
const SCOPE = "contacts:read";
/** As long as people pause between two words. */
const PAUSE_MS = 400;

/** How many fit and the newest of them, asked again at each pause. `filter`: null while something is not filled in. */
export function Preview({ filter }: { filter: SegmentFilter | null }) {
  const { session } = app.useRouteContext();
  const isAllowed = can(session, SCOPE);
  return (
    <section aria-labelledby="preview-title" className={styles["preview"]}>
      <h2 id="preview-title">{words.preview}</h2>
      {!isAllowed ? (
        <p className="muted">{text.problem.forbidden(SCOPE)}</p>
      ) : filter === null ? (
        <p className="muted">{words.incomplete}</p>
      ) : (
        <Fitting filter={filter} />
      )}
    </section>
  );
}

function Fitting({ filter }: { filter: SegmentFilter }) {
  const paused = usePaused(filter, PAUSE_MS);
  const { data, error, refetch, isPlaceholderData } = useQuery(previewQuery(paused));
  // Saving says the same at the fields.
  if (error instanceof ApiError && error.errors.length > 0)
    return error.errors.map(({ pointer, detail }) => (
      <p key={pointer + detail} role="alert" className={styles["fault"]}>
        <ServerText>{detail}</ServerText>
      </p>
    ));
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <p className="muted">{words.counting}</p>;
  const isStale = isPlaceholderData || JSON.stringify(paused) !== JSON.stringify(filter);
  return (
    <>
      <p role="status" className={styles["count"]} data-stale={isStale}>
        {data.count === null ? words.tooMany : words.count(data.count)}
      </p>
      {data.data.length > 0 && (
        <>
          {data.count !== data.data.length && <p className="muted">{words.first(data.data.length)}</p>}
          <DataTable
            label={words.preview}
            columns={COLUMNS}
            rows={data.data}
            keyOf={({ id }) => id}
            linkOf={({ id }) => paths.contact(id)}
            isStale={isStale}
          />
        </>
      )}
    </>
  );
}
