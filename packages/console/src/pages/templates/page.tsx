import { getRouteApi } from "@tanstack/react-router";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { type Filter, FilterBar } from "../../parts/FilterBar.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import { CATEGORIES } from "../template/categories.ts";
import { CreateLink } from "./CreateLink.tsx";
import { Rows } from "./Rows.tsx";
import { Sync } from "./Sync.tsx";
import { filtersIn, STATUSES, type TemplatesSearch, templatesSearch } from "./search.ts";

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

/** All templates, those of one name in one row, with a chip for each language. */
export function TemplatesPage() {
  const search = route.useSearch();
  const filters = filtersIn(search);
  const { name: _name, ...asked } = filters;
  const navigate = route.useNavigate();
  const go = (next: TemplatesSearch): void => void navigate(paths.templates(next));
  return (
    <>
      <PageHead title={words.title}>
        <CreateLink />
        <Sync />
        <CopyCurl path={`v1/templates${stringifySearch(asked)}`} />
      </PageHead>
      <FilterBar
        filters={FILTERS}
        values={filters}
        onChange={(changed) => go(templatesSearch({ ...filters, ...changed }))}
        onClear={() => go({})}
        find={{
          label: words.search,
          onFind: (name) => {
            go({ ...filters, name });
            return null;
          },
        }}
      />
      <Rows search={search} />
    </>
  );
}
