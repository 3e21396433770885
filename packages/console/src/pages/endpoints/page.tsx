import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { endpointsQuery } from "../../api/queries/webhooks.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { DataTable } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { EXAMPLES } from "../../parts/examples.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { COLUMNS } from "./columns.tsx";
import { NewEndpoint } from "./NewEndpoint.tsx";

const route = getRouteApi("/app/workspace/endpoints");

/** Where events are posted. */
export function EndpointsPage() {
  const { open } = route.useSearch();
  return (
    <>
      <PageHead title={text.endpoints.title} lead={text.endpoints.lead}>
        <CreateLink />
        <Link {...paths.deliveries()} className={controls["button"]}>
          {text.deliveries.all}
        </Link>
        <CopyCurl path="v1/webhook-endpoints" />
      </PageHead>
      <Rows />
      {open === "new" && <NewEndpoint />}
    </>
  );
}

const CreateLink = () => (
  <ActionLink scope="webhooks:write" look="primary" {...paths.endpoints({ open: "new" })}>
    {text.endpoints.create}
  </ActionLink>
);

function Rows() {
  const { data, error, refetch } = useQuery(endpointsQuery);
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton label={text.loading} rows={4} />;
  if (data.length === 0)
    return (
      <Empty title={text.endpoints.empty} example={EXAMPLES.endpoint}>
        <p className="muted">{text.endpoints.emptyHelp}</p>
        <CreateLink />
      </Empty>
    );
  return (
    <DataTable
      label={text.endpoints.title}
      columns={COLUMNS}
      rows={data}
      keyOf={({ id }) => id}
      linkOf={({ id }) => paths.endpoint(id)}
    />
  );
}
