import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { conversationsQuery } from "../../api/queries/conversations.ts";
import { hasNothing } from "../../api/queries/has-nothing.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { Pages } from "../../parts/DataTable.tsx";
import { Empty, NoneFit } from "../../parts/Empty.tsx";
import { EXAMPLES } from "../../parts/examples.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import { ConversationRows } from "./ConversationRows.tsx";
import styles from "./conversations.module.css";
import { Narrowing } from "./Narrowing.tsx";
import { askedOf, type ConversationsSearch, type Open } from "./search.ts";
import { Thread } from "./Thread.tsx";

const words = text.conversations;
const list = getRouteApi("/app/workspace/conversations");
const one = getRouteApi("/app/workspace/conversations/$contact/$number");

/** All conversations, that with the latest message first. */
export function ConversationsPage() {
  return <Conversations search={list.useSearch()} open={null} />;
}

/** One of them, beside the others; a phone shows it alone. */
export function ConversationPage() {
  return <Conversations search={one.useSearch()} open={one.useParams()} />;
}

function Conversations({ search, open }: { search: ConversationsSearch; open: Open | null }) {
  return (
    <div className={styles["page"]} data-open={open !== null}>
      <section className={styles["list"]} aria-label={words.list}>
        {open === null ? (
          <PageHead title={words.title}>
            <CopyCurl path={`v1/conversations${stringifySearch(askedOf(search))}`} />
          </PageHead>
        ) : (
          <h2 className={styles["listTitle"]}>
            <Link {...paths.conversations(search)}>{words.title}</Link>
          </h2>
        )}
        <Narrowing search={search} />
        <List search={search} open={open} />
      </section>
      {open === null ? (
        <p className={styles["choose"]}>{words.choose}</p>
      ) : (
        <Thread key={`${open.contact} ${open.number}`} {...open} search={search} />
      )}
    </div>
  );
}

function List({ search, open }: { search: ConversationsSearch; open: Open | null }) {
  const { cursor, ...filters } = search;
  const list = useQuery(conversationsQuery(askedOf(search)));
  const { data, error, refetch } = list;
  if (error !== null && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton label={text.loading} rows={8} />;
  if (hasNothing(list, cursor)) return <Nothing isFiltered={Object.keys(filters).length > 0} />;
  return (
    <>
      <ConversationRows conversations={data.data} open={open} search={search} />
      <Pages
        older={data.nextCursor === null ? null : paths.conversations({ ...filters, cursor: data.nextCursor })}
        newest={cursor === undefined ? null : paths.conversations(filters)}
      />
    </>
  );
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <NoneFit title={words.none} all={paths.conversations()} />
  ) : (
    <Empty title={words.empty} example={EXAMPLES.message}>
      <p className="muted">{words.emptyHelp}</p>
      <ActionLink scope="messages:write" look="primary" {...paths.compose()}>
        {text.compose.title}
      </ActionLink>
    </Empty>
  );
