import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Delivery } from "@waypost/sdk";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { deliveryQuery } from "../../api/queries/webhooks.ts";
import { ActionButton } from "../../parts/Action.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { text } from "../../text/text.ts";

/** Attempts a delivery now. A click after a lost answer asks for the same attempt; one after an answer, for another. */
export function RetryButton({ delivery: { id } }: { delivery: Delivery }) {
  const queryClient = useQueryClient();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const retry = useMutation({
    mutationFn: () => waypost.deliveries.retry(id, { idempotencyKey: key }),
    onSuccess: () => {
      setKey(crypto.randomUUID());
      void queryClient.invalidateQueries({ queryKey: ["deliveries"] });
      return queryClient.invalidateQueries({ queryKey: deliveryQuery(id).queryKey });
    },
  });
  return (
    <>
      <ActionButton scope="webhooks:write" look="primary" disabled={retry.isPending} onClick={() => retry.mutate()}>
        {retry.isPending ? text.delivery.retrying : text.delivery.retry}
      </ActionButton>
      {retry.error !== null && <Problem error={retry.error} />}
    </>
  );
}
