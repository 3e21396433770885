import { useNavigate } from "@tanstack/react-router";
import { operator } from "../../api/client.ts";
import { TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { useChanged } from "./changed.ts";

const words = text.workspace;

/** Gives a workspace another name. */
export function Rename({ id, name }: { id: string; name: string }) {
  const navigate = useNavigate();
  const changed = useChanged();
  const close = (): void => void navigate(paths.workspace(id));
  return (
    <Sheet title={words.rename} onClose={close}>
      <Form
        label={words.rename}
        action={words.rename}
        busy={words.renaming}
        scope="*"
        submit={(given) => operator.workspaces.update(id, { name: given.text("name") })}
        asks={(given) => ({ path: `admin/v1/workspaces/${id}`, method: "PATCH", body: { name: given.text("name") } })}
        onDone={(workspace) => {
          changed(workspace);
          close();
        }}
      >
        <TextField
          path="name"
          label={text.workspaces.name}
          help={text.workspaces.nameHelp}
          maxLength={100}
          required
          defaultValue={name}
        />
      </Form>
    </Sheet>
  );
}
