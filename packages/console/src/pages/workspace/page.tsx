import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Item } from "@waypost/sdk";
import { workspaceQuery } from "../../api/queries/operator.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyId } from "../../parts/Copy.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Sections } from "../../parts/Sections.tsx";
import { StateSign, Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { EnterButton } from "../workspaces/EnterButton.tsx";
import { Keys } from "./Keys.tsx";
import { NewKey } from "./NewKey.tsx";
import { Rename } from "./Rename.tsx";
import { Resume, Suspend } from "./Suspend.tsx";
import styles from "./workspace.module.css";

const route = getRouteApi("/app/operator/workspaces/$id");
const words = text.workspace;

/** One workspace as its operator has it: what it is, who may call for it, and whether it may. */
export function WorkspacePage() {
  const { id } = route.useParams();
  return (
    <Loaded query={useQuery(workspaceQuery(id))} id={id} words={words}>
      {(workspace) => <Shown workspace={workspace} />}
    </Loaded>
  );
}

function Shown({ workspace }: { workspace: Item<"workspaces.list"> }) {
  const { open } = route.useSearch();
  const { id, name, status, created_at: created, updated_at: updated } = workspace;
  const isSuspended = status === "suspended";
  return (
    <>
      <PageHead title={name} lead={<Status state={status} />}>
        <EnterButton id={id} name={name} isMain />
        <ActionLink scope="*" {...paths.workspace(id, { open: "rename" })}>
          {words.rename}
        </ActionLink>
        {isSuspended ? <Resume id={id} /> : <Suspend workspace={workspace} />}
        <CopyCurl path={`admin/v1/workspaces/${id}`} />
      </PageHead>
      <Sections>
        {isSuspended && (
          <p className={styles["suspended"]}>
            <StateSign state="suspended" /> {words.suspended}
          </p>
        )}
        <section className={styles["facts"]} aria-labelledby="facts-title">
          <h2 id="facts-title">{words.facts}</h2>
          <Facts>
            <Fact name={text.message.id}>
              <CopyId id={id} />
            </Fact>
            <Fact name={text.message.created}>
              <Time at={created} />
            </Fact>
            <Fact name={words.updated}>
              <Time at={updated} />
            </Fact>
          </Facts>
        </section>
        <Keys id={id} />
      </Sections>
      {open === "rename" && <Rename id={id} name={name} />}
      {open === "key" && <NewKey id={id} />}
    </>
  );
}
