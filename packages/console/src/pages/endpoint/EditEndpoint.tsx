import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { waypost } from "../../api/client.ts";
import { endpointQuery, endpointsQuery, type Versioned, versioned } from "../../api/queries/webhooks.ts";
import { Form } from "../../parts/Form.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { useVersion } from "../../parts/version.ts";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { changeOf, heldOf } from "../endpoints/body.ts";
import { EndpointFields } from "../endpoints/EndpointFields.tsx";

const words = text.endpoint;

/** Changes what of an endpoint was edited, unless another has changed it meanwhile. */
export function EditEndpoint(first: Versioned) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { id } = first.endpoint;
  const query = endpointQuery(id);
  const { start, taken, version } = useVersion(
    first,
    () => queryClient.fetchQuery({ ...query, staleTime: 0 }),
    ({ endpoint }) => heldOf(endpoint),
  );
  const close = (): void => void navigate(paths.endpoint(id, { tab: "settings" }));
  return (
    <Sheet title={words.edit} onClose={close}>
      <Form
        key={taken}
        label={words.edit}
        action={words.save}
        busy={words.saving}
        scope="webhooks:write"
        version={version}
        submit={(given, _key, match) => waypost.webhookEndpoints.update(id, changeOf(given, start.endpoint), match)}
        asks={(given) => ({
          path: `v1/webhook-endpoints/${id}`,
          method: "PATCH",
          body: changeOf(given, start.endpoint),
        })}
        onDone={(changed) => {
          queryClient.setQueryData(query.queryKey, versioned(changed));
          void queryClient.invalidateQueries({ queryKey: endpointsQuery.queryKey });
          close();
        }}
      >
        <EndpointFields endpoint={start.endpoint} />
      </Form>
    </Sheet>
  );
}
