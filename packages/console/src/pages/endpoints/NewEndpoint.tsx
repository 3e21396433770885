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
import { pageText } from "../../text/page-text.ts";
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
        title={pageText.endpoints.created}
        help={pageText.endpoints.createdHelp}
        secret={created.secret}
        onStored={() => void navigate(paths.endpoint(created.id))}
      />
    );
  return (
    <Sheet title={pageText.endpoints.create} onClose={close}>
      <Form
        label={pageText.endpoints.create}
        action={pageText.endpoints.create}
        busy={pageText.endpoints.creating}
        scope="webhooks:write"
        submit={(given, idempotencyKey) => waypost.webhookEndpoints.create(newEndpoint(given), { idempotencyKey })}
        onDone={done}
      >
        <EndpointFields />
      </Form>
    </Sheet>
  );
}
