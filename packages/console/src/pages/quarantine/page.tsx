import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { hasNothing } from "../../api/queries/has-nothing.ts";
import { quarantineQuery } from "../../api/queries/operator.ts";
import { Beside, useOpenRow } from "../../parts/Beside.tsx";
import { Confirm } from "../../parts/Confirm.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty, NoneFit } from "../../parts/Empty.tsx";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import { COLUMNS } from "./columns.tsx";
import { Quarantined } from "./Quarantined.tsx";

const route = getRouteApi("/app/operator/quarantine");
const words = text.quarantine;
/** Any operator may: it has no scopes. */
const ANY = "*";

/** What callbacks said and could not be taken, by its reason. */
export function QuarantinePage() {
  const { open, ...search } = route.useSearch();
  const { reason } = search;
  const row = useOpenRow({ open, list: (id) => paths.quarantine(id === undefined ? search : { ...search, open: id }) });
  const list = useQuery(quarantineQuery(search));
  const { data, error, refetch, isPlaceholderData } = list;
  const isEmpty = hasNothing(list, search.cursor);
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        {reason !== undefined && <ReplayAll key={reason} reason={reason} />}
        {reason !== undefined && (
          <Link {...paths.quarantine()} className={controls["button"]}>
            {text.filter.remove(reason)}
          </Link>
        )}
        <CopyCurl path={`admin/v1/quarantine${stringifySearch(search)}`} />
      </PageHead>
      <Beside
        row={row}
        keys={data?.data.map(({ id }) => id) ?? []}
        title={words.one}
        detail={open !== undefined && <Quarantined id={open} />}
      >
        {error !== null && <Problem error={error} retry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton label={text.loading} />}
        {isEmpty && <Nothing isFiltered={reason !== undefined} />}
        {data !== undefined && !isEmpty && (
          <>
            <DataTable
              label={words.title}
              columns={COLUMNS}
              rows={data.data}
              keyOf={({ id }) => id}
              linkOf={({ id }) => row.linkTo(id)}
              isStale={isPlaceholderData}
              openKey={row.open}
            />
            <Pages
              older={data.nextCursor === null ? null : paths.quarantine({ ...search, cursor: data.nextCursor })}
              newest={search.cursor === undefined ? null : paths.quarantine(reason === undefined ? {} : { reason })}
            />
          </>
        )}
      </Beside>
    </>
  );
}

function ReplayAll({ reason }: { reason: string }) {
  const queryClient = useQueryClient();
  const [said, setSaid] = useState<string | null>(null);
  return (
    <>
      <Confirm
        action={words.replayAll}
        busy={words.replaying}
        title={words.replayAllAsk(reason)}
        effect={words.replayAllEffect}
        scope={ANY}
        run={async () => {
          const { replayed, has_more: isMore } = await operator.quarantine.replayAll({ reason });
          setSaid(words.replayed(replayed, isMore));
          await queryClient.invalidateQueries({ queryKey: ["quarantine"] });
        }}
      />
      {said !== null && <span role="status">{said}</span>}
    </>
  );
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <NoneFit title={words.none} all={paths.quarantine()} />
  ) : (
    <Empty title={words.empty}>
      <p className="muted">{words.emptyHelp}</p>
    </Empty>
  );
