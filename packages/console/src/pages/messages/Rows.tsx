import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy } from "react";
import { arrived } from "../../api/live.ts";
import { hasNothing } from "../../api/queries/has-nothing.ts";
import { messagesQuery } from "../../api/queries/messages.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { Beside, type OpenRow, under, useOpenRow } from "../../parts/Beside.tsx";
import { DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty, NoneFit } from "../../parts/Empty.tsx";
import { EXAMPLES } from "../../parts/examples.ts";
import { NewRows } from "../../parts/NewRows.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import type { Tab } from "../message/route-tabs.ts";
import { COLUMNS } from "./columns.tsx";
import { freshOn } from "./fresh.ts";
import { askedOf, type MessagesSearch, messagesSearch } from "./search.ts";

const MessageView = lazy(async () => ({ default: (await import("../message/MessageView.tsx")).MessageView }));

/** A page of the list; on a wide screen with a message beside it, whose address is that of its own page. */
export function Rows({ search }: { search: MessagesSearch }) {
  const { beside, tab } = search;
  const asked = askedOf(search);
  const navigate = useNavigate();
  const { data } = useQuery(messagesQuery(asked));
  const list = (id?: string, chosen?: Tab) => paths.messages(messagesSearch({ ...asked, beside: id, tab: chosen }));
  const tabOf = (id: string | undefined) => (id === beside ? tab : undefined);
  const row = useOpenRow({
    open: beside,
    list: (id) => list(id, tabOf(id)),
    page: (id) => paths.message(id, tabOf(id)),
  });
  const choose = (id: string, next: Tab | undefined): void =>
    void navigate({ ...under(list(id, next), paths.message(id, next)), replace: true });
  return (
    <Beside
      row={row}
      keys={data?.data.map(({ id }) => id) ?? []}
      detail={beside && <MessageView id={beside} tab={tab} onTab={(next) => choose(beside, next)} />}
    >
      <List asked={asked} row={row} />
    </Beside>
  );
}

function List({ asked, row }: { asked: ReturnType<typeof askedOf>; row: OpenRow }) {
  const { cursor, ...filters } = asked;
  const list = useQuery(messagesQuery(asked));
  const { data, error, refetch, isPlaceholderData } = list;
  if (data === undefined)
    return error === null ? (
      <Skeleton label={text.loading} rows={14} />
    ) : (
      <Problem error={error} retry={() => void refetch()} />
    );
  const page = { rows: data.data, isFull: data.nextCursor !== null, filters };
  const pill = cursor === undefined && <FreshPill page={page} refetch={() => void refetch()} />;
  if (hasNothing(list, cursor))
    return (
      <>
        {pill}
        <Nothing isFiltered={Object.keys(filters).length > 0} />
      </>
    );
  return (
    <>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {pill}
      <DataTable
        label={text.messages.title}
        columns={COLUMNS}
        rows={data.data}
        keyOf={({ id }) => id}
        linkOf={({ id }) => row.linkTo(id)}
        isStale={isPlaceholderData}
        openKey={row.open}
      />
      <Pages
        older={data.nextCursor === null ? null : paths.messages({ ...filters, cursor: data.nextCursor })}
        newest={cursor === undefined ? null : paths.messages(filters)}
      />
    </>
  );
}

/** New messages are announced and not slid in: nothing moves under the hand. */
function FreshPill({ page, refetch }: { page: Parameters<typeof freshOn>[0]; refetch(): void }) {
  const count = freshOn(page, useStore(arrived).values());
  return count === 0 ? null : <NewRows show={refetch}>{text.messages.fresh(count)}</NewRows>;
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <NoneFit title={text.messages.none} all={paths.messages()} />;
  return (
    <Empty title={text.messages.empty} example={EXAMPLES.message}>
      <p className="muted">{text.messages.emptyHelp}</p>
      <ActionLink scope="messages:write" look="primary" {...paths.compose()}>
        {text.compose.title}
      </ActionLink>
    </Empty>
  );
}
