import { getRouteApi } from "@tanstack/react-router";
import { Empty } from "../../parts/Empty.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { DeliveryList } from "../deliveries/DeliveryList.tsx";
import { endpointSearch } from "./search.ts";
import { TestEvent } from "./TestEvent.tsx";

const route = getRouteApi("/app/workspace/endpoints/$id");
const words = text.deliveries;

/** What an endpoint was sent. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  return (
    <DeliveryList
      of={endpointId}
      search={route.useSearch()}
      linkOf={(search) => paths.endpoint(endpointId, endpointSearch(search))}
      empty={
        <Empty
          title={words.empty}
          example={{ path: `v1/webhook-endpoints/${encodeURIComponent(endpointId)}/test`, method: "POST" }}
        >
          <p className="muted">{words.emptyHelp}</p>
          <TestEvent endpointId={endpointId} />
        </Empty>
      }
    />
  );
}
