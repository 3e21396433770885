import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { workspaceKeysQuery } from "../../api/queries/operator.ts";
import { Form } from "../../parts/Form.tsx";
import { SecretOnce } from "../../parts/SecretOnce.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { KeyFields, keyOf } from "../api-keys/KeyFields.tsx";

const words = text.apiKeys;

/** The form of a new key of a workspace, and its text, which is shown once. */
export function NewKey({ id }: { id: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<string | null>(null);
  const close = (): void => void navigate(paths.workspace(id));
  if (created !== null)
    return <SecretOnce title={words.created} help={words.createdHelp} secret={created} onStored={close} />;
  return (
    <Sheet title={words.create} onClose={close}>
      <Form
        label={words.create}
        action={words.create}
        busy={words.creating}
        scope="*"
        submit={(given, idempotencyKey) => operator.workspaces.createApiKey(id, keyOf(given), { idempotencyKey })}
        asks={(given) => ({ path: `admin/v1/workspaces/${id}/api-keys`, body: keyOf(given) })}
        onDone={({ key }) => {
          void queryClient.invalidateQueries({ queryKey: workspaceKeysQuery(id, undefined).queryKey.slice(0, 3) });
          setCreated(key);
        }}
      >
        <KeyFields />
      </Form>
    </Sheet>
  );
}
