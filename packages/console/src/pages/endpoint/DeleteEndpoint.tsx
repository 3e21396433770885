import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { WebhookEndpoint } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { endpointQuery, endpointsQuery, waitingQuery } from "../../api/queries/webhooks.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";

const words = text.endpoint;

/** Deletes an endpoint after a question that says how much waits for it. */
export function DeleteEndpoint({
  endpoint: { id, url, status },
  etag,
}: {
  endpoint: WebhookEndpoint;
  etag: string | null;
}) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { data } = useQuery(waitingQuery(id, status === "disabled" ? "parked" : "pending"));
  const remove = async (): Promise<void> => {
    try {
      await waypost.webhookEndpoints.delete(id, etag === null ? {} : { ifMatch: etag });
    } catch (error) {
      // It may have been changed meanwhile, and the next click is about what it is now.
      void queryClient.invalidateQueries({ queryKey: endpointQuery(id).queryKey });
      throw error;
    }
    await navigate(paths.endpoints());
    queryClient.removeQueries({ queryKey: endpointQuery(id).queryKey });
    void queryClient.invalidateQueries({ queryKey: endpointsQuery.queryKey });
  };
  return (
    <Confirm
      action={words.remove}
      busy={words.removing}
      title={words.removeAsk(url)}
      effect={words.removeEffect(data?.data.length ?? null, data?.nextCursor != null)}
      scope="webhooks:write"
      run={remove}
    />
  );
}
