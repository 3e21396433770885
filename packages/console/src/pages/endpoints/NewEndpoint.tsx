import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { WebhookEndpointWithSecret as Created } from "@waypost/sdk";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { endpointsQuery } from "../../api/queries/webhooks.ts";
import { Form } from "../../parts/Form.tsx";
import { SecretOnce } from "../../parts/SecretOnce.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { newEndpoint } from "./body.ts";
import { EndpointFields } from "./EndpointFields.tsx";

const route = getRouteApi("/app/workspace/endpoints");

/** The form of a new endpoint, and its secret, which is shown once. */
export function NewEndpoint() {
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null);
  const close = (): void => void navigate(paths.endpoints());
  const done = ({ id, secret }: Created): void => {
    void queryClient.invalidateQueries({ queryKey: endpointsQuery.queryKey });
    // One that the person brought is not shown.
    if (secret === undefined) void navigate(paths.endpoint(id));
    else setCreated({ id, secret });
  };
  if (created !== null)
    return (
      <SecretOnce
        title={text.endpoints.created}
        help={text.endpoints.createdHelp}
        secret={created.secret}
        onStored={() => void navigate(paths.endpoint(created.id))}
      />
    );
  return (
    <Sheet title={text.endpoints.create} onClose={close}>
      <Form
        label={text.endpoints.create}
        action={text.endpoints.create}
        busy={text.endpoints.creating}
        scope="webhooks:write"
        submit={(given, idempotencyKey) => waypost.webhookEndpoints.create(newEndpoint(given), { idempotencyKey })}
        asks={(given) => ({ path: "v1/webhook-endpoints", body: newEndpoint(given) })}
        onDone={done}
      >
        <EndpointFields />
      </Form>
    </Sheet>
  );
}
