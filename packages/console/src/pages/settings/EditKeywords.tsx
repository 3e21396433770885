import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { OwnWorkspace } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { ownWorkspaceQuery } from "../../api/queries/settings.ts";
import { AreaField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import type { Given } from "../../parts/form-field.ts";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { readKeywords, writeKeywords } from "./keywords.ts";

const words = text.settings;

/** Sets the keywords of those lists that were edited. */
export function EditKeywords({ workspace }: { workspace: OwnWorkspace }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const before = {
    opt_out_keywords: writeKeywords(workspace.opt_out_keywords),
    opt_in_keywords: writeKeywords(workspace.opt_in_keywords),
  };
  const close = (): void => void navigate(paths.settings());
  return (
    <Sheet title={words.edit} onClose={close}>
      <Form
        label={words.edit}
        action={words.save}
        busy={words.saving}
        scope="contacts:write"
        submit={(given) => waypost.workspace.update(changeOf(given, before))}
        asks={(given) => ({ path: "v1/workspace", method: "PATCH", body: changeOf(given, before) })}
        onDone={(changed) => {
          queryClient.setQueryData(ownWorkspaceQuery.queryKey, changed);
          close();
        }}
      >
        <p className="muted">{words.editHelp}</p>
        <AreaField
          path="opt_out_keywords"
          label={words.optOut}
          rows={8}
          placeholder={words.example}
          defaultValue={before.opt_out_keywords}
        />
        <AreaField
          path="opt_in_keywords"
          label={words.optIn}
          rows={8}
          placeholder={words.example}
          defaultValue={before.opt_in_keywords}
        />
      </Form>
    </Sheet>
  );
}

const LISTS = ["opt_out_keywords", "opt_in_keywords"] as const;

/** The lists that were edited. */
const changeOf = (given: Given, before: Readonly<Record<(typeof LISTS)[number], string>>) =>
  Object.fromEntries(
    LISTS.filter((name) => given.text(name) !== before[name]).map((name) => [name, readKeywords(given.text(name))]),
  );
