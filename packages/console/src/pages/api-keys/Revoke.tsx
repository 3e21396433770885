import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ApiKey } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { now } from "../../parts/now.ts";
import { shortTime } from "../../parts/time-format.ts";
import { zone } from "../../preferences.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";

const app = getRouteApi("/app");
const words = text.apiKeys;

/** Ends a key after a question that says when it was used. */
export function Revoke({ apiKey: { id, name, last_used_at: used } }: { apiKey: ApiKey }) {
  const { session } = app.useRouteContext();
  const queryClient = useQueryClient();
  const current = useStore(now);
  const shown = useStore(zone);
  const effect = used === null ? words.revokeUnused : words.revokeUsed(shortTime(Date.parse(used), current, shown));
  return (
    <Confirm
      action={words.revoke}
      busy={words.revoking}
      title={words.revokeAsk(name)}
      effect={session.key?.id === id ? `${effect} ${words.revokeOwn}` : effect}
      scope="keys:write"
      keep={words.keepKey}
      run={async () => {
        await waypost.apiKeys.delete(id);
        await queryClient.invalidateQueries({ queryKey: ["api-keys"] });
      }}
    />
  );
}
