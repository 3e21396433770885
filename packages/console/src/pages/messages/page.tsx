import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import { addressOf } from "../../api/client.ts";
import { fresh } from "../../api/live.ts";
import { messagesQuery } from "../../api/queries/messages.ts";
import { CopyButton } from "../../parts/Copy.tsx";
import controls from "../../parts/controls.module.css";
import { DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { FilterBar } from "../../parts/FilterBar.tsx";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { curlOf } from "../message/curl.ts";
import { COLUMNS } from "./columns.tsx";
import { FILTERS } from "./filters.ts";
import { foundBy } from "./find.ts";
import { type MessagesSearch, messagesSearch } from "./search.ts";

const route = getRouteApi("/app/workspace/messages");

/** Messages of both directions, newest first; every filter is in the address. */
export function MessagesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { cursor: _cursor, ...filters } = search;
  const go = (next: MessagesSearch): void => void navigate(paths.messages(next));
  const find = (given: string): string | null => {
    const found = foundBy(given);
    if (found === null) return text.messages.searchBad;
    if ("message" in found) void navigate(paths.message(found.message));
    else go({ ...filters, [found.filter]: found.value });
    return null;
  };
  return (
    <>
      <PageHead title={text.messages.title}>
        <CopyButton
          className={controls["button"] ?? ""}
          value={curlOf(addressOf(`v1/messages${stringifySearch(search)}`))}
          label={text.message.curl}
        >
          {text.message.curl}
        </CopyButton>
      </PageHead>
      <FilterBar
        filters={FILTERS}
        values={filters}
        onChange={(name, value) => go(messagesSearch({ ...filters, [name]: value }))}
        onClear={() => go({})}
        find={{ label: text.messages.search, onFind: find }}
      />
      <Rows search={search} />
    </>
  );
}

function Rows({ search }: { search: MessagesSearch }) {
  const { cursor, ...filters } = search;
  const { data, error, refetch, isPlaceholderData } = useQuery(messagesQuery(search));
  if (data === undefined)
    return error === null ? (
      <Skeleton label={text.loading} rows={14} />
    ) : (
      <Problem error={error} retry={() => void refetch()} />
    );
  if (data.data.length === 0 && cursor === undefined) return <Nothing isFiltered={Object.keys(filters).length > 0} />;
  return (
    <>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {cursor === undefined && <FreshPill refetch={() => void refetch()} />}
      <DataTable
        label={text.messages.title}
        columns={COLUMNS}
        rows={data.data}
        keyOf={({ id }) => id}
        linkOf={({ id }) => paths.message(id)}
        isStale={isPlaceholderData}
      />
      <Pages
        older={data.nextCursor === null ? null : paths.messages({ ...filters, cursor: data.nextCursor })}
        newest={cursor === undefined ? null : paths.messages(filters)}
      />
    </>
  );
}

/** New messages are announced and not slid in: nothing moves under the hand. */
function FreshPill({ refetch }: { refetch(): void }) {
  const { size } = useStore(fresh);
  // What came before the list was opened is in it.
  useEffect(() => fresh.set(new Set()), []);
  if (size === 0) return null;
  const show = (): void => {
    fresh.set(new Set());
    refetch();
  };
  return (
    <p role="status">
      <button type="button" className={controls["quiet"]} onClick={show}>
        {text.messages.fresh(size)}
      </button>
    </p>
  );
}

const EXAMPLE = {
  to: "+15551230001",
  type: "template",
  template: { name: "order_ready", language: { code: "en_US" } },
};

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const navigate = route.useNavigate();
  if (isFiltered)
    return (
      <Empty title={text.messages.none}>
        <p className="muted">{text.messages.noneHelp}</p>
        <button type="button" className={controls["button"]} onClick={() => void navigate(paths.messages())}>
          {text.messages.all}
        </button>
      </Empty>
    );
  const command = `${curlOf(addressOf("v1/messages"))} -H "Content-Type: application/json" -d '${JSON.stringify(EXAMPLE)}'`;
  return (
    <Empty title={text.messages.empty}>
      <p className="muted">{text.messages.emptyHelp}</p>
      <pre tabIndex={0}>{command}</pre>
      <CopyButton className={controls["button"] ?? ""} value={command} label={text.message.curl}>
        {text.message.curl}
      </CopyButton>
    </Empty>
  );
}
