import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { ActionButton } from "../../parts/Action.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";

/** Sends an event that tests the endpoint, and leads to its delivery. */
export function TestEvent({ endpointId }: { endpointId: string }) {
  const navigate = useNavigate();
  const [key] = useState(() => crypto.randomUUID());
  const test = useMutation({
    mutationFn: () => waypost.webhookEndpoints.test(endpointId, { idempotencyKey: key }),
    onSuccess: ({ id }) => void navigate(paths.delivery(id)),
  });
  return (
    <>
      <ActionButton scope="webhooks:write" disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? text.endpoint.testing : text.endpoint.test}
      </ActionButton>
      {test.error !== null && <Problem error={test.error} />}
    </>
  );
}
