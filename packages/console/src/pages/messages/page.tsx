import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { messagesQuery } from "../../api/queries/messages.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { FilterBar } from "../../parts/FilterBar.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { bare, placesOfId } from "../../shell/keys/by-id.ts";
import { text } from "../../text/text.ts";
import { FILTERS } from "./filters.ts";
import { foundBy } from "./find.ts";
import { Rows } from "./Rows.tsx";
import { askedOf, type MessagesSearch, messagesSearch } from "./search.ts";

const route = getRouteApi("/app/workspace/messages");

/** Messages of both directions, newest first; every filter is in the address. */
export function MessagesPage() {
  const { session } = route.useRouteContext();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const { cursor: _cursor, ...filters } = askedOf(search);
  const go = (next: MessagesSearch): void => void navigate(paths.messages(next));
  /** To the one message that the provider calls so; where there is none, or more, or no answer, the list says it. */
  const goToNamed = async (filter: MessagesSearch): Promise<void> => {
    const found = await queryClient.fetchQuery(messagesQuery(filter)).catch(() => null);
    const [only, another] = found?.data ?? [];
    if (only !== undefined && another === undefined) await navigate(paths.message(only.id));
    else go(filter);
  };
  const find = (given: string): string | null => {
    const id = bare(given);
    const found = foundBy(id);
    const [place] = placesOfId(id, session);
    if (id.startsWith("con_") && place !== undefined) go({ ...filters, contact_id: id });
    else if (place !== undefined) void navigate(place.link);
    else if (found === null) return text.places.badId;
    else if (found.filter === "provider_message_id") void goToNamed({ provider_message_id: found.value });
    else go({ ...filters, to: found.value });
    return null;
  };
  return (
    <>
      <PageHead title={text.messages.title}>
        <ActionLink scope="messages:write" look="primary" {...paths.compose()}>
          {text.compose.title}
        </ActionLink>
        <CopyCurl path={`v1/messages${stringifySearch(askedOf(search))}`} />
      </PageHead>
      <FilterBar
        filters={FILTERS}
        values={filters}
        onChange={(changed) => go(messagesSearch({ ...filters, ...changed }))}
        onClear={() => go({})}
        find={{ label: text.messages.search, onFind: find }}
      />
      <Rows search={search} />
    </>
  );
}
