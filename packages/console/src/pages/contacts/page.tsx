import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { tagsQuery } from "../../api/queries/contacts.ts";
import { allSegmentsQuery } from "../../api/queries/segments.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { type Filter, FilterBar } from "../../parts/FilterBar.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import { ExportButton, useExport } from "./Export.tsx";
import { NewContact } from "./NewContact.tsx";
import { PeopleTabs } from "./PeopleTabs.tsx";
import { Rows } from "./Rows.tsx";
import { askedOf, CONSENTS, type ContactsSearch, contactsSearch } from "./search.ts";

const route = getRouteApi("/app/workspace/contacts");
const words = text.contacts;

/** People who were written to, who wrote, or who were brought here. */
export function ContactsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const asked = askedOf(search);
  const { cursor: _cursor, ...filters } = asked;
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
        <ActionLink scope="contacts:write" look="primary" {...paths.contacts({ ...asked, open: "new" })}>
          {text.newContact.create}
        </ActionLink>
        <ActionLink scope="contacts:write" {...paths.newImport()}>
          {text.imports.start}
        </ActionLink>
        <ExportButton saving={saving} />
        <CopyCurl path={`v1/contacts${stringifySearch(asked)}`} />
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
      {search.open === "new" && <NewContact onClose={() => go(asked)} />}
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
