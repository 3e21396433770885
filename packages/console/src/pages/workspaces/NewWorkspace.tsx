import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Item } from "@waypost/sdk";
import { useRef, useState } from "react";
import { operator } from "../../api/client.ts";
import { TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import type { Given } from "../../parts/form-field.ts";
import { SecretOnce } from "../../parts/SecretOnce.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { ScopesField, scopesOf } from "../api-keys/KeyFields.tsx";

const route = getRouteApi("/app/operator/workspaces");
const words = text.workspaces;
type Workspace = Item<"workspaces.list">;

/** The form of a new workspace and its first key, whose text is shown once. */
export function NewWorkspace() {
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const made = useRef<Workspace | null>(null);
  const [created, setCreated] = useState<{ workspace: Workspace; key: string } | null>(null);
  if (created !== null)
    return (
      <SecretOnce
        title={words.created(created.workspace.name)}
        help={text.apiKeys.createdHelp}
        secret={created.key}
        onStored={() => void navigate(paths.workspace(created.workspace.id))}
      />
    );
  const create = async (given: Given, idempotencyKey: string) => {
    const name = given.text("name");
    // Kept, so that a key that is refused and tried again does not create a second workspace.
    made.current ??= await operator.workspaces.create({ name }, { idempotencyKey });
    void queryClient.invalidateQueries({ queryKey: ["workspaces", "list"] });
    const { id } = made.current;
    if (made.current.name !== name) made.current = await operator.workspaces.update(id, { name });
    const input = { name: words.firstKey, scopes: scopesOf(given) };
    const { key } = await operator.workspaces.createApiKey(id, input, { idempotencyKey: `${idempotencyKey}-key` });
    return { workspace: made.current, key };
  };
  return (
    <Sheet title={words.create} onClose={() => void navigate(paths.workspaces())}>
      <Form
        label={words.create}
        action={words.create}
        busy={words.creating}
        scope="*"
        submit={create}
        asks={(given) => ({ path: "admin/v1/workspaces", body: { name: given.text("name") } })}
        onDone={setCreated}
      >
        <TextField path="name" label={words.name} help={words.nameHelp} maxLength={100} required />
        <ScopesField label={words.scopes} isAll />
      </Form>
    </Sheet>
  );
}
