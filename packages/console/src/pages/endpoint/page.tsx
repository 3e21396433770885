import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { endpointQuery, type Versioned } from "../../api/queries/webhooks.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Status } from "../../parts/Status.tsx";
import { Tabs } from "../../parts/Tabs.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import { deliveryFilters } from "../deliveries/search.ts";
import { DeleteEndpoint } from "./DeleteEndpoint.tsx";
import { Deliveries } from "./Deliveries.tsx";
import { EditEndpoint } from "./EditEndpoint.tsx";
import { EnableEndpoint } from "./EnableEndpoint.tsx";
import { Replays } from "./Replays.tsx";
import { RotateSecret } from "./RotateSecret.tsx";
import { Settings } from "./Settings.tsx";
import { type EndpointSearch, TABS } from "./search.ts";
import { TestEvent } from "./TestEvent.tsx";

const route = getRouteApi("/app/workspace/endpoints/$id");
const words = text.endpoint;

/** One endpoint: what it was sent, what it is set to, and sending again. */
export function EndpointPage() {
  const { id } = route.useParams();
  return (
    <Loaded query={useQuery(endpointQuery(id))} id={id} words={words}>
      {(read) => <Shown {...read} />}
    </Loaded>
  );
}

function Shown({ endpoint, etag }: Versioned) {
  const search = route.useSearch();
  const { tab = "deliveries", open } = search;
  const navigate = route.useNavigate();
  const { id, url, status, disabled_reason: reason } = endpoint;
  const shown: Record<(typeof TABS)[number], ReactNode> = {
    deliveries: <Deliveries endpointId={id} />,
    settings: <Settings endpoint={endpoint} />,
    replays: <Replays endpoint={endpoint} />,
  };
  return (
    <>
      <PageHead
        title={url}
        lead={
          <>
            <Status state={status} /> {reason !== null && (words.reasons[reason] ?? reason)}
          </>
        }
      >
        {status === "disabled" && <EnableEndpoint endpoint={endpoint} etag={etag} />}
        <TestEvent endpointId={id} />
        <ActionLink scope="webhooks:write" {...paths.endpoint(id, { tab: "settings", open: "rotate" })}>
          {words.rotate}
        </ActionLink>
        <DeleteEndpoint endpoint={endpoint} etag={etag} />
        <CopyCurl path={pathOf(id, search)} />
      </PageHead>
      <Tabs
        label={words.tabs.label}
        chosen={tab}
        onChoose={(next) => void navigate(paths.endpoint(id, next === "deliveries" ? {} : { tab: next }))}
        tabs={TABS.map((name) => ({ name, label: words.tabs[name], shows: shown[name] }))}
      />
      {open === "edit" && <EditEndpoint endpoint={endpoint} etag={etag} />}
      {open === "rotate" && <RotateSecret endpoint={endpoint} />}
    </>
  );
}

/** Of what the tab shows. */
function pathOf(id: string, { tab = "deliveries", replay, cursor, ...search }: EndpointSearch): string {
  const endpoint = `v1/webhook-endpoints/${id}`;
  if (tab === "replays" && replay !== undefined) return `${endpoint}/replays/${replay}`;
  if (tab !== "deliveries") return endpoint;
  return `v1/deliveries${stringifySearch({ ...deliveryFilters(search), webhook_endpoint_id: id, cursor })}`;
}
