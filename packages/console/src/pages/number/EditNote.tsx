import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { PhoneNumber } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { numbersQuery } from "../../api/queries/numbers.ts";
import { TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";

const words = text.number;

/** The workspace's own note about a number. */
export function EditNote({ number: { id, description } }: { number: PhoneNumber }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const close = (): void => void navigate(paths.number(id));
  return (
    <Sheet title={words.edit} onClose={close}>
      <Form
        label={words.edit}
        action={words.save}
        busy={words.saving}
        scope="accounts:write"
        submit={(given) => waypost.phoneNumbers.update(id, { description: given.orNull("description") })}
        asks={(given) => ({
          path: `v1/phone-numbers/${id}`,
          method: "PATCH",
          body: { description: given.orNull("description") },
        })}
        onDone={() => {
          void queryClient.invalidateQueries({ queryKey: numbersQuery.queryKey });
          close();
        }}
      >
        <TextField
          path="description"
          label={words.note}
          help={words.noteHelp}
          maxLength={256}
          defaultValue={description ?? ""}
        />
      </Form>
    </Sheet>
  );
}
