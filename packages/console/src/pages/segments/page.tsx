import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Segment } from "@waypost/sdk";
import { hasNothing } from "../../api/queries/has-nothing.ts";
import { segmentsQuery } from "../../api/queries/segments.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { type Column, DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { EXAMPLES } from "../../parts/examples.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { LOCALE, text } from "../../text/text.ts";
import { PeopleTabs } from "../contacts/PeopleTabs.tsx";
import { inWords } from "../segment/in-words.ts";

const route = getRouteApi("/app/workspace/segments");
const words = text.segments;
const figures = new Intl.NumberFormat(LOCALE);

const COLUMNS: readonly Column<Segment>[] = [
  {
    key: "name",
    head: words.columns.name,
    narrow: "lead",
    isLink: true,
    cell: ({ name }) => <span dir="auto">{name}</span>,
  },
  { key: "filter", head: words.columns.filter, narrow: "second", isWide: true, cell: ({ filter }) => inWords(filter) },
  {
    key: "count",
    head: words.columns.count,
    narrow: "end",
    isFigure: true,
    cell: ({ id, name, count }) =>
      count === null ? (
        <span className="muted">{words.notCounted}</span>
      ) : (
        <Link {...paths.contacts({ segment_id: id })} aria-label={words.contactsOf(name, figures.format(count))}>
          {figures.format(count)}
        </Link>
      ),
  },
  {
    key: "changed",
    head: words.columns.changed,
    narrow: "second-end",
    isFigure: true,
    cell: ({ updated_at: at }) => <Time at={at} />,
  },
];

/** Choices of contacts under names. */
export function SegmentsPage() {
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <CreateLink />
        <CopyCurl path={"v1/segments"} />
      </PageHead>
      <PeopleTabs />
      <Rows />
    </>
  );
}

const CreateLink = () => (
  <ActionLink scope="contacts:write" look="primary" {...paths.newSegment()}>
    {words.create}
  </ActionLink>
);

function Rows() {
  const { cursor } = route.useSearch();
  const list = useQuery(segmentsQuery(cursor));
  const { data, error, refetch, isPlaceholderData } = list;
  if (data === undefined)
    return error === null ? <Skeleton label={text.loading} /> : <Problem error={error} retry={() => void refetch()} />;
  if (hasNothing(list, cursor))
    return (
      <Empty title={words.empty} example={EXAMPLES.segment}>
        <p className="muted">{words.emptyHelp}</p>
        <CreateLink />
      </Empty>
    );
  return (
    <>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      <DataTable
        label={words.title}
        columns={COLUMNS}
        rows={data.data}
        keyOf={({ id }) => id}
        linkOf={({ id }) => paths.segment(id)}
        isStale={isPlaceholderData}
      />
      <Pages
        older={data.nextCursor === null ? null : paths.segments({ cursor: data.nextCursor })}
        newest={cursor === undefined ? null : paths.segments()}
      />
    </>
  );
}
