import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ContactImport, ContactImportError } from "@waypost/sdk";
import { useEffect } from "react";
import { waypost } from "../../api/client.ts";
import { importErrorsQuery, importQuery, isUnderWay } from "../../api/queries/imports.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { type Column, DataTable, Pages } from "../../parts/DataTable.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { Status } from "../../parts/Status.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./import.module.css";
import { Pace } from "./Pace.tsx";
import { SaveRefused } from "./SaveRefused.tsx";

const route = getRouteApi("/app/workspace/contacts/imports/$id");
const words = text.imports;

/** One import, as it goes on; a reload shows it where it is. */
export function ImportPage() {
  const { id } = route.useParams();
  const query = useQuery(importQuery(id));
  return (
    <Loaded query={query} id={id} words={words}>
      {(found) => <Shown key={id} found={found} readAt={query.dataUpdatedAt} />}
    </Loaded>
  );
}

/** `readAt`: when it was so, in milliseconds. */
function Shown({ found, readAt }: { found: ContactImport; readAt: number }) {
  const { id, status, progress, error } = found;
  const { rows, created, updated, failed, bytes, total_bytes: total } = progress;
  const queryClient = useQueryClient();
  const part = total === 0 ? 100 : Math.floor((bytes / total) * 100);
  const isRunning = isUnderWay(found);
  // It is read aloud by the tab's name too, while it runs.
  const title = isRunning ? words.running(part) : words.one;
  useEffect(() => {
    if (!isRunning) void queryClient.invalidateQueries({ queryKey: ["contacts"] });
  }, [isRunning, queryClient]);
  const cancel = async (): Promise<void> =>
    void queryClient.setQueryData(importQuery(id).queryKey, await waypost.contacts.importCancel(id));
  return (
    <>
      <PageHead title={title} lead={<Status state={status} />}>
        {isRunning && (
          <Confirm
            action={words.cancel}
            busy={words.canceling}
            title={words.cancelAsk}
            effect={words.cancelEffect(created + updated)}
            keep={words.goOn}
            scope="contacts:write"
            run={cancel}
          />
        )}
        <Link {...paths.newImport()} className={controls["button"]}>
          {words.another}
        </Link>
        <Link {...paths.contacts()} className={controls["button"]}>
          {text.contacts.title}
        </Link>
        <CopyCurl path={`v1/contacts/imports/${id}`} />
      </PageHead>
      <progress className={styles["bar"]} aria-label={words.one} max={Math.max(1, total)} value={bytes} />
      <p role="status">{words.progress({ rows, created, updated, failed })}</p>
      {isRunning && <Pace now={{ at: readAt, rows, bytes }} total={total} />}
      {error !== null && <p className={styles["fault"]}>{error.detail}</p>}
      {failed > 0 && <Errors id={id} failed={failed} />}
    </>
  );
}

const COLUMNS: readonly Column<ContactImportError>[] = [
  {
    key: "line",
    head: words.errors.line,
    narrow: "lead",
    cell: ({ line }) => words.errors.lineOf(line),
  },
  {
    key: "column",
    head: words.errors.column,
    narrow: "end",
    cell: ({ column }) => column && <span dir="auto">{column}</span>,
  },
  {
    key: "detail",
    head: words.errors.detail,
    narrow: "second",
    isWide: true,
    cell: ({ detail }) => <ServerText>{detail}</ServerText>,
  },
];

function Errors({ id, failed }: { id: string; failed: number }) {
  const { cursor } = route.useSearch();
  const { data, error, refetch, isPlaceholderData } = useQuery(importErrorsQuery(id, cursor, failed));
  return (
    <section aria-labelledby="errors-title" className={styles["latest"]}>
      <h2 id="errors-title">{words.errors.title}</h2>
      <p className="muted">{words.errors.help}</p>
      <SaveRefused id={id} />
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <DataTable
            label={words.errors.title}
            columns={COLUMNS}
            rows={data.data}
            keyOf={({ row, column, code }) => `${row} ${column} ${code}`}
            isStale={isPlaceholderData}
          />
          <Pages
            older={data.nextCursor === null ? null : paths.import(id, { cursor: data.nextCursor })}
            newest={cursor === undefined ? null : paths.import(id)}
          />
        </>
      )}
    </section>
  );
}
