import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy } from "react";
import { templatesQuery } from "../../api/queries/templates.ts";
import { Beside, type OpenRow, useOpenRow } from "../../parts/Beside.tsx";
import { type Column, DataTable } from "../../parts/DataTable.tsx";
import { Empty, NoneFit } from "../../parts/Empty.tsx";
import { EXAMPLES } from "../../parts/examples.ts";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { StateSign } from "../../parts/Status.tsx";
import { signOf } from "../../parts/sign-of.ts";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { CreateLink } from "./CreateLink.tsx";
import { type Group, groupsOf } from "./groups.ts";
import { filtersIn, type TemplatesSearch } from "./search.ts";
import styles from "./templates.module.css";

const words = text.templates;
const TemplateView = lazy(async () => ({ default: (await import("../template/TemplateView.tsx")).TemplateView }));

/** Those of one name in one row; on a wide screen with a template beside them, whose address is that of its own page. */
export function Rows({ search }: { search: TemplatesSearch }) {
  const { beside } = search;
  const { name, ...asked } = filtersIn(search);
  const { data, error, refetch } = useQuery(templatesQuery(asked));
  const groups = groupsOf(data ?? [], name);
  const list = (id?: string) => paths.templates({ ...filtersIn(search), ...(id && { beside: id }) });
  const row = useOpenRow({ open: beside, list, page: paths.template });
  return (
    <Beside
      row={row}
      keys={groups.flatMap(({ templates }) => templates.map(({ id }) => id))}
      detail={beside && <TemplateView id={beside} onGone={row.leave} />}
    >
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label={text.loading} />}
      {data !== undefined && groups.length === 0 && <Nothing isFiltered={Object.keys(filtersIn(search)).length > 0} />}
      {groups.length > 0 && (
        <DataTable
          label={words.title}
          columns={columnsOf(row)}
          rows={groups}
          keyOf={({ key }) => key}
          openKey={groups.find(({ templates }) => templates.some(({ id }) => id === beside))?.key ?? null}
        />
      )}
    </Beside>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <NoneFit title={words.none} all={paths.templates()} />
  ) : (
    <Empty title={words.empty} example={EXAMPLES.template}>
      <p className="muted">{words.emptyHelp}</p>
      <CreateLink />
    </Empty>
  );
}

const columnsOf = (row: OpenRow): readonly Column<Group>[] => [
  { key: "name", head: words.columns.name, narrow: "lead", cell: ({ name }) => name },
  {
    key: "languages",
    head: words.columns.languages,
    narrow: "second",
    isWide: true,
    cell: (group) => <Chips group={group} row={row} />,
  },
  {
    key: "category",
    head: words.columns.category,
    narrow: "end",
    cell: ({ category }) => words.categories[category] ?? category,
  },
];

const Chips = ({ group: { templates }, row }: { group: Group; row: OpenRow }) => (
  <ul className={styles["chips"]}>
    {templates.map(({ id, language, status }) => (
      <li key={id}>
        <Link
          {...row.linkTo(id)}
          className={styles["chip"]}
          data-key={id}
          data-badge={signOf(status).badge}
          aria-current={id === row.open ? "true" : undefined}
        >
          <StateSign state={status} />
          {words.chip(language.code, text.status[status] ?? status)}
        </Link>
      </li>
    ))}
  </ul>
);
