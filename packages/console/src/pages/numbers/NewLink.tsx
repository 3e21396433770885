import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { NewSetupLink, SetupLinkInput } from "@waypost/sdk";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { setupLinksQuery } from "../../api/queries/numbers.ts";
import { SelectField, TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import type { Given } from "../../parts/form-field.ts";
import { SecretOnce } from "../../parts/SecretOnce.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";

const words = text.numbers.links;
const route = getRouteApi("/app/workspace/numbers");

const HOUR_MS = 3_600_000;
/** A minute less than a week: the gateway's clock may be behind this one. */
const LIVES = [
  { value: String(24 * HOUR_MS), label: words.lives.day },
  { value: String(HOUR_MS), label: words.lives.hour },
  { value: String(7 * 24 * HOUR_MS - 60_000), label: words.lives.week },
];

/** The form of a setup link, and its address, which is shown once. */
export function NewLink() {
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<string | null>(null);
  // Of each choice the end that was sent first: the same request again is the same link.
  const [ends] = useState(() => new Map<string, string>());
  const close = (): void => void navigate(paths.numbers());
  if (created !== null)
    return <SecretOnce title={words.created} help={words.createdHelp} secret={created} onStored={close} />;
  return (
    <Sheet title={words.send} onClose={close}>
      <Form
        label={words.send}
        action={words.create}
        busy={words.creating}
        scope="accounts:write"
        submit={(given, idempotencyKey) => waypost.setupLinks.create(inputOf(given, ends), { idempotencyKey })}
        asks={(given) => ({ path: "v1/setup-links", body: inputOf(given, ends) })}
        onDone={({ url }: NewSetupLink) => {
          void queryClient.invalidateQueries({ queryKey: setupLinksQuery.queryKey });
          setCreated(url);
        }}
      >
        <p>{words.help}</p>
        <TextField path="return_url" label={words.returnUrl} help={words.returnUrlHelp} type="url" />
        <SelectField path="life" label={words.life} required options={LIVES} />
      </Form>
    </Sheet>
  );
}

function inputOf(given: Given, ends: Map<string, string>): SetupLinkInput {
  const returnUrl = given.orNull("return_url");
  const life = given.text("life");
  const end = ends.get(life) ?? new Date(Date.now() + Number(life)).toISOString();
  ends.set(life, end);
  return { ...(returnUrl === null ? {} : { return_url: returnUrl }), expires_at: end };
}
