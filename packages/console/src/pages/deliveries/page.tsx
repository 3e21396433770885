import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { endpointsQuery } from "../../api/queries/webhooks.ts";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import { DeliveryList } from "./DeliveryList.tsx";
import { askedOf } from "./search.ts";

const route = getRouteApi("/app/workspace/deliveries");
const words = text.deliveries;

/** What all endpoints were sent. */
export function DeliveriesPage() {
  const search = route.useSearch();
  const { data: endpoints } = useQuery(endpointsQuery);
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <CopyCurl path={`v1/deliveries${stringifySearch(askedOf(search))}`} />
      </PageHead>
      <DeliveryList
        of={endpoints ?? []}
        search={search}
        linkOf={paths.deliveries}
        empty={
          <Empty title={words.empty}>
            <p className="muted">{words.emptyOfAll}</p>
            <Link {...paths.endpoints()}>{text.endpoints.title}</Link>
          </Empty>
        }
      />
    </>
  );
}
