import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ApiKeyInput, NewApiKey } from "@waypost/sdk";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { numbersQuery } from "../../api/queries/numbers.ts";
import { can } from "../../api/session.ts";
import { ChecksField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import type { Given } from "../../parts/form-field.ts";
import { grouped } from "../../parts/phone-number.ts";
import { SecretOnce } from "../../parts/SecretOnce.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { KeyFields, keyOf } from "./KeyFields.tsx";

const app = getRouteApi("/app");
const route = getRouteApi("/app/workspace/settings/keys");
const words = text.apiKeys;

/** The form of a new key, and its text, which is shown once. */
export function NewKey() {
  const { session } = app.useRouteContext();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<string | null>(null);
  const numbers = useQuery({ ...numbersQuery, enabled: can(session, "accounts:read") });
  const close = (): void => void navigate(paths.apiKeys());
  if (created !== null)
    return <SecretOnce title={words.created} help={words.createdHelp} secret={created} onStored={close} />;
  return (
    <Sheet title={words.create} onClose={close}>
      <Form
        label={words.create}
        action={words.create}
        busy={words.creating}
        scope="keys:write"
        submit={(given, idempotencyKey) => waypost.apiKeys.create(inputOf(given), { idempotencyKey })}
        asks={(given) => ({ path: "v1/api-keys", body: inputOf(given) })}
        onDone={({ key }: NewApiKey) => {
          void queryClient.invalidateQueries({ queryKey: ["api-keys"] });
          setCreated(key);
        }}
      >
        <KeyFields>
          {(numbers.data?.length ?? 0) > 0 && (
            <ChecksField
              path="phone_number_ids"
              label={words.form.numbers}
              help={words.form.numbersHelp}
              groups={[
                {
                  options: (numbers.data ?? []).map(({ id, phone, verified_name: name }) => ({
                    value: id,
                    label: `${grouped(phone)}${name === null ? "" : ` · ${name}`}`,
                  })),
                },
              ]}
            />
          )}
        </KeyFields>
      </Form>
    </Sheet>
  );
}

function inputOf(given: Given): ApiKeyInput {
  const numbers = given.list("phone_number_ids");
  return { ...keyOf(given), ...(numbers.length === 0 ? {} : { phone_number_ids: numbers }) };
}
