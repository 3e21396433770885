import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { templatesQuery } from "../../api/queries/templates.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { type Column, DataTable } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { type Filter, FilterBar } from "../../parts/FilterBar.tsx";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { StateSign } from "../../parts/Status.tsx";
import { signOf } from "../../parts/sign-of.ts";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import { CATEGORIES } from "../template/categories.ts";
import { type Group, groupsOf } from "./groups.ts";
import { Sync } from "./Sync.tsx";
import { STATUSES, type TemplatesSearch, templatesSearch } from "./search.ts";
import styles from "./templates.module.css";

const words = text.templates;
const route = getRouteApi("/app/workspace/templates");

const FILTERS: readonly Filter[] = [
  {
    name: "status",
    label: words.filters.status,
    kind: "choice",
    values: STATUSES,
    labelOf: (value) => text.status[value] ?? value,
  },
  {
    name: "category",
    label: words.filters.category,
    kind: "choice",
    values: CATEGORIES,
    labelOf: (value) => words.categories[value] ?? value,
  },
  { name: "language", label: words.filters.language, kind: "text" },
  { name: "name", label: words.filters.name, kind: "text" },
];

const COLUMNS: readonly Column<Group>[] = [
  { key: "name", head: words.columns.name, narrow: "lead", cell: ({ name }) => name },
  {
    key: "languages",
    head: words.columns.languages,
    narrow: "second",
    isWide: true,
    cell: (group) => <Chips group={group} />,
  },
  {
    key: "category",
    head: words.columns.category,
    narrow: "end",
    cell: ({ category }) => words.categories[category] ?? category,
  },
];

/** All templates, those of one name in one row, with a chip for each language. */
export function TemplatesPage() {
  const search = route.useSearch();
  const { name: _name, ...filters } = search;
  const navigate = route.useNavigate();
  const go = (next: TemplatesSearch): void => void navigate(paths.templates(next));
  return (
    <>
      <PageHead title={words.title}>
        <CreateLink />
        <Sync />
        <CopyCurl path={`v1/templates${stringifySearch(filters)}`} />
      </PageHead>
      <FilterBar
        filters={FILTERS}
        values={search}
        onChange={(changed) => go(templatesSearch({ ...search, ...changed }))}
        onClear={() => go({})}
        find={{
          label: words.search,
          onFind: (name) => {
            go({ ...search, name });
            return null;
          },
        }}
      />
      <Rows search={search} />
    </>
  );
}

const CreateLink = () => (
  <ActionLink scope="templates:write" look="primary" {...paths.newTemplate()}>
    {words.create}
  </ActionLink>
);

function Rows({ search: { name, ...filters } }: { search: TemplatesSearch }) {
  const { data, error, refetch } = useQuery(templatesQuery(filters));
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton label={text.loading} />;
  const groups = groupsOf(data, name);
  if (groups.length > 0)
    return <DataTable label={words.title} columns={COLUMNS} rows={groups} keyOf={({ key }) => key} />;
  if (name !== undefined || Object.keys(filters).length > 0)
    return (
      <Empty title={words.none}>
        <Link {...paths.templates()}>{words.all}</Link>
      </Empty>
    );
  return (
    <Empty title={words.empty}>
      <p className="muted">{words.emptyHelp}</p>
      <CreateLink />
    </Empty>
  );
}

const Chips = ({ group: { templates } }: { group: Group }) => (
  <ul className={styles["chips"]}>
    {templates.map(({ id, language, status }) => (
      <li key={id}>
        <Link {...paths.template(id)} className={styles["chip"]} data-badge={signOf(status).badge}>
          <StateSign state={status} />
          {words.chip(language.code, text.status[status] ?? status)}
        </Link>
      </li>
    ))}
  </ul>
);
