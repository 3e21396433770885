import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { messageQuery } from "../../api/queries/messages.ts";
import { sendableTemplatesQuery } from "../../api/queries/templates.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { text } from "../../text/text.ts";
import { Composer } from "./Composer.tsx";
import { draftAgain, draftOf } from "./draft.ts";

const route = getRouteApi("/app/workspace/messages/new");

/** A message to one person, begun empty or with what another one had. */
export function ComposePage() {
  const search = route.useSearch();
  const templates = useQuery(sendableTemplatesQuery);
  const again = useQuery({ ...messageQuery(search.again ?? ""), enabled: search.again !== undefined });
  const error = again.error ?? templates.error;
  const isReady = templates.data !== undefined && (search.again === undefined || again.data !== undefined);
  return (
    <>
      <PageHead title={search.again === undefined ? text.compose.title : text.compose.again} />
      {error !== null && (
        <Problem error={error} retry={() => void (again.error === null ? templates : again).refetch()} />
      )}
      {isReady ? (
        <Composer
          key={JSON.stringify(search)}
          templates={templates.data}
          begin={again.data === undefined ? draftOf(search, templates.data) : draftAgain(again.data, templates.data)}
        />
      ) : (
        error === null && <Skeleton label={text.loading} />
      )}
    </>
  );
}
