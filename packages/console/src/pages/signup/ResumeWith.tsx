import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { EmbeddedSignup, SignupResume } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { signupQuery } from "../../api/queries/numbers.ts";
import { begun } from "../../api/works.ts";
import { TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import type { Given } from "../../parts/form-field.ts";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";

const words = text.signup;

/** Goes on with another account, number or PIN. */
export function ResumeWith({ signup }: { signup: EmbeddedSignup }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { id, provider_account_id: account, provider_phone_number_id: number } = signup;
  const close = (): void => void navigate(paths.signup(id));
  return (
    <Sheet title={words.resumeWith} onClose={close}>
      <Form
        label={words.resumeWith}
        action={words.resume}
        busy={words.resuming}
        scope="accounts:write"
        submit={(given, idempotencyKey) =>
          waypost.embeddedSignups.resume(id, changeOf(given, signup), { idempotencyKey })
        }
        asks={(given) => ({ path: `v1/embedded-signups/${id}/resume`, body: changeOf(given, signup) })}
        onDone={(resumed) => {
          begun({ kind: "signup", id });
          queryClient.setQueryData(signupQuery(id).queryKey, resumed);
          close();
        }}
      >
        <TextField
          path="pin"
          label={words.pin}
          help={words.pinHelp}
          type="password"
          inputMode="numeric"
          maxLength={6}
        />
        <TextField
          path="provider_account_id"
          label={words.accountId}
          help={words.accountIdHelp}
          inputMode="numeric"
          defaultValue={account ?? ""}
        />
        <TextField
          path="provider_phone_number_id"
          label={words.numberId}
          inputMode="numeric"
          defaultValue={number ?? ""}
        />
      </Form>
    </Sheet>
  );
}

/** What differs from what the signup has: another account or number is verified again. */
function changeOf(given: Given, signup: EmbeddedSignup): SignupResume {
  const pin = given.text("pin");
  const ids = (["provider_account_id", "provider_phone_number_id"] as const)
    .map((name) => [name, given.orNull(name)] as const)
    .filter(([name, value]) => value !== signup[name]);
  return { ...Object.fromEntries(ids), ...(pin === "" ? {} : { pin }) };
}
