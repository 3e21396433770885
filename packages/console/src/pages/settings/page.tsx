import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { OwnWorkspace } from "@waypost/sdk";
import { ownWorkspaceQuery } from "../../api/queries/settings.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyId } from "../../parts/Copy.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { listOf } from "../../parts/list-of.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Sections } from "../../parts/Sections.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { EditKeywords } from "./EditKeywords.tsx";
import type { Keywords } from "./keywords.ts";
import styles from "./settings.module.css";

const route = getRouteApi("/app/workspace/settings");
const words = text.settings;

/** What the workspace is, and what it can set itself. */
export function SettingsPage() {
  const { data, error, refetch } = useQuery(ownWorkspaceQuery);
  return (
    <>
      <PageHead title={words.title}>
        <Link {...paths.apiKeys()} className={controls["button"]}>
          {words.keys}
        </Link>
        <CopyCurl path="v1/workspace" />
      </PageHead>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label={text.loading} />}
      {data !== undefined && <Shown workspace={data} />}
    </>
  );
}

function Shown({ workspace }: { workspace: OwnWorkspace }) {
  const { open } = route.useSearch();
  return (
    <Sections width="facts">
      <section aria-labelledby="workspace-title">
        <h2 id="workspace-title">{words.workspace}</h2>
        <Facts>
          <Fact name={words.name}>
            <bdi>{workspace.name}</bdi> <span className="muted">{words.nameHelp}</span>
          </Fact>
          <Fact name={words.rate}>{workspace.limits.requests_per_second ?? words.noRate}</Fact>
          <Fact name={text.message.id}>
            <CopyId id={workspace.id} />
          </Fact>
          <Fact name={words.created}>
            <Time at={workspace.created_at} />
          </Fact>
        </Facts>
      </section>
      <section aria-labelledby="keywords-title" className={styles["keywords"]}>
        <h2 id="keywords-title">{words.keywords}</h2>
        <p className="muted">{words.keywordsHelp}</p>
        <ActionLink scope="contacts:write" {...paths.settings({ open: "keywords" })}>
          {words.edit}
        </ActionLink>
        <Words title={words.optOut} keywords={workspace.opt_out_keywords} />
        <Words title={words.optIn} keywords={workspace.opt_in_keywords} />
      </section>
      {open === "keywords" && <EditKeywords workspace={workspace} />}
    </Sections>
  );
}

/** The defaults have some fifty languages: so many are folded. */
const MOST_OPEN = 8;

function Words({ title, keywords }: { title: string; keywords: Keywords }) {
  const languages = Object.entries(keywords);
  return (
    <details open={languages.length <= MOST_OPEN}>
      <summary>{words.languages(title, languages.length)}</summary>
      <Facts>
        {languages.map(([language, list]) => (
          <Fact key={language} name={language}>
            {listOf(list)}
          </Fact>
        ))}
      </Facts>
    </details>
  );
}
