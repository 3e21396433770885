import { getRouteApi } from "@tanstack/react-router";
import { MessageView } from "./MessageView.tsx";

const route = getRouteApi("/app/workspace/messages/$id");

/** One message on a page of its own. */
export function MessagePage() {
  const { id } = route.useParams();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <MessageView
      key={id}
      id={id}
      tab={tab}
      onTab={(next) => void navigate({ search: next === undefined ? {} : { tab: next }, replace: true })}
    />
  );
}
