import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { endpointQuery, endpointsQuery, type Versioned, versioned } from "../../api/queries/webhooks.ts";
import { Form } from "../../parts/Form.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { pageText } from "../../text/page-text.ts";
import { changeOf } from "../endpoints/body.ts";
import { EndpointFields } from "../endpoints/EndpointFields.tsx";

const words = pageText.endpoint;

/** Changes what of an endpoint was edited, unless another has changed it meanwhile. */
export function EditEndpoint({ endpoint, etag }: Versioned) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { id } = endpoint;
  // What another has changed since then is not changed back.
  const [opened] = useState(endpoint);
  const { queryKey } = endpointQuery(id);
  const close = (): void => void navigate(paths.endpoint(id, { tab: "settings" }));
  return (
    <Sheet title={words.edit} onClose={close}>
      <Form
        label={words.edit}
        action={words.save}
        busy={words.saving}
        scope="webhooks:write"
        submit={(given) =>
          waypost.webhookEndpoints.update(id, changeOf(given, opened), etag === null ? {} : { ifMatch: etag })
        }
        onDone={(changed) => {
          queryClient.setQueryData(queryKey, versioned(changed));
          void queryClient.invalidateQueries({ queryKey: endpointsQuery.queryKey });
          close();
        }}
        onStale={() => void queryClient.invalidateQueries({ queryKey })}
      >
        <EndpointFields endpoint={opened} />
      </Form>
    </Sheet>
  );
}
