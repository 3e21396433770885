import { getRouteApi } from "@tanstack/react-router";
import { DeliveryView } from "./DeliveryView.tsx";

const route = getRouteApi("/app/workspace/deliveries/$id");

/** One delivery on a page of its own. */
export function DeliveryPage() {
  return <DeliveryView id={route.useParams().id} />;
}
