import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { QuarantinedChange } from "@waypost/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { quarantineQuery } from "../../api/queries/operator.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { type Column, DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import styles from "./quarantine.module.css";

const route = getRouteApi("/app/operator/quarantine");
const words = text.quarantine;
/** Any operator may: it has no scopes. */
const ANY = "*";

/** What callbacks said and could not be taken, by its reason. */
export function QuarantinePage() {
  const search = route.useSearch();
  const { reason } = search;
  const { data, error, refetch, isPlaceholderData } = useQuery(quarantineQuery(search));
  const isEmpty = data?.data.length === 0;
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
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label={text.loading} />}
      {isEmpty && (
        <Empty title={reason === undefined ? words.empty : words.none}>
          {reason === undefined && <p className="muted">{words.emptyHelp}</p>}
        </Empty>
      )}
      {data !== undefined && !isEmpty && (
        <>
          <DataTable
            label={words.title}
            columns={COLUMNS}
            rows={data.data}
            keyOf={({ id }) => id}
            isStale={isPlaceholderData}
          />
          <Pages
            older={data.nextCursor === null ? null : paths.quarantine({ ...search, cursor: data.nextCursor })}
            newest={search.cursor === undefined ? null : paths.quarantine(reason === undefined ? {} : { reason })}
          />
        </>
      )}
    </>
  );
}

const COLUMNS: readonly Column<QuarantinedChange>[] = [
  {
    key: "reason",
    head: words.columns.reason,
    narrow: "lead",
    isWide: true,
    cell: ({ reason, detail }) => (
      <span className={styles["reason"]}>
        <Link {...paths.quarantine({ reason })}>{reason}</Link>
        {detail !== null && <ServerText>{detail}</ServerText>}
      </span>
    ),
  },
  {
    key: "about",
    head: words.columns.about,
    narrow: "second",
    cell: ({ provider_phone_number_id: number, provider_account_id: account }) => (
      <span className="mono">{number ?? account}</span>
    ),
  },
  { key: "replays", head: words.columns.replays, isFigure: true, cell: ({ replays }) => replays },
  {
    key: "next",
    head: words.columns.next,
    isFigure: true,
    cell: ({ next_replay_at: at }) => (at === null ? "" : <Time at={at} />),
  },
  {
    key: "created",
    head: words.columns.created,
    narrow: "second-end",
    isFigure: true,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
  { key: "replay", head: words.replay, narrow: "end", isFigure: true, cell: ({ id }) => <Replay id={id} /> },
];

function Replay({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: () => operator.quarantine.replay(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["quarantine"] }),
  });
  return (
    <>
      <button
        type="button"
        className={controls["button"]}
        aria-label={words.replayNamed(id)}
        disabled={replay.isPending}
        onClick={() => replay.mutate()}
      >
        {replay.isPending ? words.replaying : words.replay}
      </button>
      {replay.error !== null && <Problem error={replay.error} />}
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
