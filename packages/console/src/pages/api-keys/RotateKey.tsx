import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { SelectField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import { SecretOnce } from "../../parts/SecretOnce.tsx";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";

const route = getRouteApi("/app/workspace/settings/keys");
const words = text.apiKeys;
const HOUR_S = 3_600;
const OVERLAPS = [
  { value: String(24 * HOUR_S), label: words.overlaps.day },
  { value: String(HOUR_S), label: words.overlaps.hour },
  { value: String(7 * 24 * HOUR_S), label: words.overlaps.week },
  { value: "0", label: words.overlaps.none },
];

/** Puts a new key in the place of one, which goes on for a while. */
export function RotateKey({ id }: { id: string }) {
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<string | null>(null);
  const close = (): void => void navigate(paths.apiKeys());
  if (created !== null)
    return <SecretOnce title={words.created} help={words.createdHelp} secret={created} onStored={close} />;
  return (
    <Sheet title={words.rotate} onClose={close}>
      <Form
        label={words.rotate}
        action={words.rotateNow}
        busy={words.rotating}
        scope="keys:write"
        submit={(given, idempotencyKey) =>
          waypost.apiKeys.rotate(id, { overlap_seconds: given.number("overlap_seconds") ?? 0 }, { idempotencyKey })
        }
        asks={(given) => ({
          path: `v1/api-keys/${id}/rotate`,
          body: { overlap_seconds: given.number("overlap_seconds") ?? 0 },
        })}
        onDone={({ key }) => {
          void queryClient.invalidateQueries({ queryKey: ["api-keys"] });
          setCreated(key);
        }}
      >
        <p>{words.rotateHelp}</p>
        <SelectField path="overlap_seconds" label={words.overlap} required options={OVERLAPS} />
      </Form>
    </Sheet>
  );
}
