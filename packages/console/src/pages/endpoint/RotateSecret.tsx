import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { WebhookEndpoint } from "@waypost/sdk";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { endpointQuery, rotationsQuery } from "../../api/queries/webhooks.ts";
import { SelectField, TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import type { Given } from "../../parts/form-field.ts";
import { SecretOnce } from "../../parts/SecretOnce.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { exactTime } from "../../parts/time-format.ts";
import { paths } from "../../paths.ts";
import { zone } from "../../preferences.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";

const words = text.endpoint;
const HOUR_S = 3_600;
const OVERLAPS = [
  { value: String(24 * HOUR_S), label: words.overlaps.day },
  { value: String(HOUR_S), label: words.overlaps.hour },
  { value: String(7 * 24 * HOUR_S), label: words.overlaps.week },
  { value: "0", label: words.overlaps.none },
];

/** Gives an endpoint a new secret, which is shown once; the present one signs beside it for a while. */
export function RotateSecret({ endpoint: { id, format } }: { endpoint: WebhookEndpoint }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const shown = useStore(zone);
  const [made, setMade] = useState<{ secret: string; until: number } | null>(null);
  const close = (): void => void navigate(paths.endpoint(id, { tab: "settings" }));
  if (made !== null)
    return (
      <SecretOnce
        title={words.rotated}
        help={words.rotatedHelp(exactTime(made.until, shown))}
        secret={made.secret}
        onStored={close}
      />
    );
  return (
    <Sheet title={words.rotate} onClose={close}>
      <Form
        label={words.rotate}
        action={words.rotateNow}
        busy={words.rotating}
        scope="webhooks:write"
        submit={async (given, idempotencyKey) => {
          const rotation = rotationIn(given);
          const { secret } = await waypost.webhookEndpoints.rotateSecret(id, rotation, { idempotencyKey });
          return { secret, until: Date.now() + rotation.overlap_seconds * 1_000 };
        }}
        asks={(given) => ({ path: `v1/webhook-endpoints/${id}/rotate-secret`, body: rotationIn(given) })}
        onDone={({ secret, until }) => {
          // It has another version now.
          void queryClient.invalidateQueries({ queryKey: endpointQuery(id).queryKey });
          void queryClient.invalidateQueries({ queryKey: rotationsQuery(id).queryKey });
          if (secret === undefined) close();
          else setMade({ secret, until });
        }}
      >
        <p>{words.rotateHelp}</p>
        <SelectField path="overlap_seconds" label={words.overlap} required options={OVERLAPS} />
        {format === "provider" && (
          <TextField
            path="secret"
            label={text.endpoints.form.secret}
            help={text.endpoints.form.secretHelp}
            type="password"
            maxLength={256}
          />
        )}
      </Form>
    </Sheet>
  );
}

function rotationIn(given: Given) {
  const secret = given.text("secret");
  return { overlap_seconds: given.number("overlap_seconds") ?? 0, ...(secret === "" ? {} : { secret }) };
}
