import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { contactsQuery, tagsQuery } from "../../api/queries/contacts.ts";
import { allSegmentsQuery } from "../../api/queries/segments.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { type Filter, FilterBar } from "../../parts/FilterBar.tsx";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import { BulkTags } from "./BulkTags.tsx";
import { COLUMNS, nameOf } from "./columns.tsx";
import { ExportButton, useExport } from "./Export.tsx";
import { NewContact } from "./NewContact.tsx";
import { PeopleTabs } from "./PeopleTabs.tsx";
import { CONSENTS, type ContactsSearch, contactsSearch } from "./search.ts";

const route = getRouteApi("/app/workspace/contacts");
const words = text.contacts;

/** People who were written to, who wrote, or who were brought here. */
export function ContactsPage() {
  const { open, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { cursor: _cursor, ...filters } = search;
  const saving = useExport(filters);
  const go = (next: ContactsSearch): void => void navigate(paths.contacts(next));
  const find = (given: string): null => {
    if (/^con_[0-9a-z]{10,40}$/.test(given)) void navigate(paths.contact(given));
    else go({ ...filters, q: given });
    return null;
  };
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <ActionLink scope="contacts:write" look="primary" {...paths.contacts({ ...search, open: "new" })}>
          {text.newContact.create}
        </ActionLink>
        <ActionLink scope="contacts:write" {...paths.newImport()}>
          {text.imports.start}
        </ActionLink>
        <ExportButton saving={saving} />
        <CopyCurl path={`v1/contacts${stringifySearch(search)}`} />
      </PageHead>
      {saving.error !== null && <Problem error={saving.error} retry={saving.again} />}
      <PeopleTabs />
      <FilterBar
        filters={useFilters()}
        values={filters}
        onChange={(changed) => go(contactsSearch({ ...filters, ...changed }))}
        onClear={() => go({})}
        find={{ label: words.find, onFind: find }}
      />
      <Rows search={search} />
      {open === "new" && <NewContact onClose={() => go(search)} />}
    </>
  );
}

/** Tags and segments are chosen among those that there are. */
function useFilters(): readonly Filter[] {
  const tags = useQuery(tagsQuery).data ?? [];
  const segments = useQuery(allSegmentsQuery).data ?? [];
  const names = words.filters;
  return [
    { name: "q", label: names.q, kind: "text" },
    { name: "phone", label: names.phone, kind: "text" },
    { name: "tag", label: names.tag, kind: "choice", values: tags.map(({ name }) => name), labelOf: (tag) => tag },
    {
      name: "segment_id",
      label: names.segment_id,
      kind: "choice",
      values: segments.map(({ id }) => id),
      labelOf: (id) => segments.find((one) => one.id === id)?.name ?? id,
    },
    {
      name: "marketing_consent",
      label: names.marketing_consent,
      kind: "choice",
      values: CONSENTS,
      labelOf: (value) => words.consents[value as (typeof CONSENTS)[number]] ?? value,
    },
    { name: "created_after", label: names.created_after, kind: "time" },
  ];
}

function Rows({ search }: { search: Omit<ContactsSearch, "open"> }) {
  const { cursor, ...filters } = search;
  const { data, error, refetch, isPlaceholderData } = useQuery(contactsQuery(search));
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  if (data === undefined)
    return error === null ? <Skeleton label={text.loading} /> : <Problem error={error} retry={() => void refetch()} />;
  const { data: rows, nextCursor } = data;
  // What is done is done to those who are seen.
  const chosen = rows.filter(({ id }) => picked.has(id));
  return (
    <>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      <BulkTags rows={rows} chosen={chosen} onChoose={setPicked} />
      {rows.length === 0 && cursor === undefined && nextCursor === null ? (
        <None isFiltered={Object.keys(filters).length > 0} />
      ) : (
        <>
          <DataTable
            label={words.title}
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            linkOf={({ id }) => paths.contact(id)}
            isStale={isPlaceholderData}
            choosing={{
              head: text.bulk.choose,
              labelOf: (contact) => text.bulk.chooseOne(nameOf(contact)),
              chosen: picked,
              onChoose: setPicked,
            }}
          />
          <Pages
            older={nextCursor === null ? null : paths.contacts({ ...filters, cursor: nextCursor })}
            newest={cursor === undefined ? null : paths.contacts(filters)}
          />
        </>
      )}
    </>
  );
}

const None = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty title={isFiltered ? words.none : words.empty}>
    <p className="muted">{isFiltered ? words.noneHelp : words.emptyHelp}</p>
  </Empty>
);
