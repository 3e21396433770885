import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { MOST_TAIL, tail } from "../../api/live.ts";
import { recentEventsQuery } from "../../api/queries/events.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { DataTable } from "../../parts/DataTable.tsx";
import { Empty, NoneFit } from "../../parts/Empty.tsx";
import { kindFilter, nameOfKind } from "../../parts/EventKind.tsx";
import { EXAMPLES } from "../../parts/examples.ts";
import { type Filter, FilterBar } from "../../parts/FilterBar.tsx";
import { NewRows } from "../../parts/NewRows.tsx";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { bare, placesOfId } from "../../shell/keys/by-id.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { COLUMNS } from "./columns.tsx";
import styles from "./events.module.css";
import { Since } from "./Since.tsx";
import { type EventsSearch, eventsSearch } from "./search.ts";
import { fits, joined, kindsIn } from "./tail.ts";
import { WithEvent } from "./WithEvent.tsx";

const route = getRouteApi("/app/workspace/events");
const words = text.events;
const filterOf = (name: keyof typeof words.filters, kind: "text" | "time" = "text"): Filter => ({
  name,
  label: words.filters[name],
  kind,
});
const TAIL_FILTERS = [filterOf("message_id"), filterOf("contact_id"), filterOf("since", "time")];
const SINCE_FILTERS = [kindFilter(words.filters.kind), filterOf("number"), ...TAIL_FILTERS, filterOf("until", "time")];

const askedOf = ({ kind, message_id, contact_id, since: created_after }: EventsSearch) => ({
  kind,
  message_id,
  contact_id,
  created_after,
});

/** What happens, as it happens. */
export function EventsPage() {
  const { session } = route.useRouteContext();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { paused, open: _open, since, ...filters } = search;
  const go = (next: EventsSearch): void => void navigate({ ...paths.events(next), replace: true });
  const isPaused = paused !== undefined;
  const toggle = (): void => {
    const { paused: _, ...rest } = search;
    go(isPaused ? rest : { ...rest, paused: "1" });
  };
  useSpace(since === undefined ? toggle : null);
  const find = (given: string): string | null => {
    const id = bare(given);
    const [place] = placesOfId(id, session);
    if (place === undefined) return text.places.badId;
    if (id.startsWith("msg_")) go({ ...search, message_id: id });
    else if (id.startsWith("con_")) go({ ...search, contact_id: id });
    else if (id.startsWith("evt_")) go({ ...search, open: id });
    else void navigate(place.link);
    return null;
  };
  return (
    <>
      <PageHead title={words.title} lead={since === undefined ? words.lead : words.sinceLead}>
        {since === undefined && (
          <button type="button" className={controls["button"]} aria-pressed={isPaused} onClick={toggle}>
            {isPaused ? words.resume : words.pause} <kbd className="muted">{words.pauseHelp}</kbd>
          </button>
        )}
        <CopyCurl path={`v1/events${stringifySearch(askedOf(search))}`} />
      </PageHead>
      <FilterBar
        filters={since === undefined ? TAIL_FILTERS : SINCE_FILTERS}
        values={{ ...filters, since }}
        onChange={(changed) => go(eventsSearch({ ...search, ...changed }))}
        onClear={() => go({})}
        find={{ label: words.find, onFind: find }}
      />
      {since === undefined ? <Rows search={search} resume={toggle} /> : <Since since={since} search={search} />}
    </>
  );
}

/** Space pauses and goes on, but where it types, or presses what has the focus. */
function useSpace(toggle: (() => void) | null): void {
  useEffect(() => {
    if (toggle === null) return;
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.key !== " " || target?.closest("a, button, input, textarea, select, summary, [role$=dialog]")) return;
      event.preventDefault();
      toggle();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [toggle]);
}

function Rows({ search, resume }: { search: EventsSearch; resume(): void }) {
  const { contact_id, message_id, kind, paused } = search;
  const of = { ...(contact_id && { contact_id }), ...(message_id && { message_id }) };
  const { data, error, refetch } = useQuery(recentEventsQuery(of));
  const live = useStore(tail).filter((event) => fits(event, of));
  const all = joined(live, data ?? [], MOST_TAIL);
  const shown = useHeld(all, paused !== undefined && data !== undefined);
  if (data === undefined)
    return error === null ? <Skeleton label={text.loading} /> : <Problem error={error} retry={() => void refetch()} />;
  const held = new Set(shown.map(({ id }) => id));
  const fresh = all.filter(({ id }) => !held.has(id)).length;
  const rows = shown.filter((event) => kind === undefined || event.kind === kind);
  return (
    <WithEvent search={search} rows={rows}>
      {(row) => (
        <>
          {error !== null && <Problem error={error} retry={() => void refetch()} />}
          <Kinds search={search} kinds={kindsIn(shown)} />
          {fresh > 0 && <NewRows show={resume}>{words.fresh(fresh)}</NewRows>}
          {rows.length === 0 ? (
            <Nothing isFiltered={kind !== undefined || contact_id !== undefined || message_id !== undefined} />
          ) : (
            <DataTable
              label={words.title}
              columns={COLUMNS}
              rows={rows}
              keyOf={({ id }) => id}
              linkOf={({ id }) => row.linkTo(id)}
              openKey={row.open}
            />
          )}
        </>
      )}
    </WithEvent>
  );
}

/** What is shown while it stands still: what there was when it was stopped. */
function useHeld<T>(current: readonly T[], isHeld: boolean): readonly T[] {
  const [held, hold] = useState<readonly T[] | null>(null);
  if (isHeld && held === null) hold(current);
  if (!isHeld && held !== null) hold(null);
  return (isHeld ? held : null) ?? current;
}

function Kinds({ search, kinds }: { search: EventsSearch; kinds: ReturnType<typeof kindsIn> }) {
  if (kinds.length < 2 && search.kind === undefined) return null;
  const chip = (kind: string | undefined, label: string) => (
    <Link
      key={label}
      title={kind}
      {...paths.events(eventsSearch({ ...search, kind }))}
      className={styles["chip"]}
      activeOptions={{ exact: true, includeSearch: true }}
      activeProps={{ "aria-current": "page" }}
    >
      {label}
    </Link>
  );
  return (
    <nav className={styles["kinds"]} aria-label={words.kinds}>
      {chip(undefined, words.all)}
      {kinds.map(({ kind, count }) => chip(kind, `${nameOfKind(kind)} ${count}`))}
    </nav>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <NoneFit title={words.none} help={words.noneHelp} all={paths.events()} />;
  return (
    <Empty title={words.empty} example={EXAMPLES.message}>
      <p className="muted">{words.emptyHelp}</p>
      <ActionLink scope="messages:write" look="primary" {...paths.compose()}>
        {text.compose.title}
      </ActionLink>
    </Empty>
  );
}
