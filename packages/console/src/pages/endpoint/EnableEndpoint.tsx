import { useMutation, useQueryClient } from "@tanstack/react-query";
import { waypost } from "../../api/client.ts";
import { endpointQuery, endpointsQuery, type Versioned, versioned } from "../../api/queries/webhooks.ts";
import { ActionButton } from "../../parts/Action.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { text } from "../../text/text.ts";

/** Enables a disabled endpoint, unless another has changed it meanwhile; what waits for it is posted. */
export function EnableEndpoint({ endpoint: { id }, etag }: Versioned) {
  const queryClient = useQueryClient();
  const { queryKey } = endpointQuery(id);
  const enable = useMutation({
    mutationFn: () => waypost.webhookEndpoints.update(id, { enabled: true }, etag === null ? {} : { ifMatch: etag }),
    onSuccess: (changed) => {
      queryClient.setQueryData(queryKey, versioned(changed));
      void queryClient.invalidateQueries({ queryKey: endpointsQuery.queryKey });
    },
    // The next click is about what it is now, and waits until that was read.
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });
  return (
    <>
      <ActionButton scope="webhooks:write" look="primary" disabled={enable.isPending} onClick={() => enable.mutate()}>
        {enable.isPending ? text.endpoint.enabling : text.endpoint.enable}
      </ActionButton>
      {enable.error !== null && <Problem error={enable.error} />}
    </>
  );
}
