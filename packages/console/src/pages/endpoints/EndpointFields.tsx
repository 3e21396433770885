import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { WebhookEndpoint } from "@waypost/sdk";
import { useState } from "react";
import { numbersQuery } from "../../api/queries/numbers.ts";
import { can } from "../../api/session.ts";
import { AreaField, CheckField, ChecksField, SelectField, TextField } from "../../parts/Field.tsx";
import { text } from "../../text/text.ts";
import { FIELDS, KINDS } from "./kinds.ts";

const app = getRouteApi("/app");
const words = text.endpoints.form;
const FORMATS = (["waypost", "provider"] as const).map((value) => ({ value, label: words.formats[value] }));

/** The fields of an endpoint: empty for a new one, else what it has. */
export function EndpointFields({ endpoint }: { endpoint?: WebhookEndpoint }) {
  const [format, setFormat] = useState<string>(endpoint?.format ?? "waypost");
  return (
    <>
      <TextField
        path="url"
        label={words.url}
        help={words.urlHelp}
        type="url"
        inputMode="url"
        required
        placeholder={words.urlExample}
        defaultValue={endpoint?.url}
        maxLength={2048}
      />
      <TextField
        path="description"
        label={words.description}
        defaultValue={endpoint?.description ?? ""}
        maxLength={500}
      />
      {endpoint === undefined && (
        <SelectField
          path="format"
          label={words.format}
          help={words.formatHelp}
          required
          options={FORMATS}
          value={format}
          onChange={(event) => setFormat(event.currentTarget.value)}
        />
      )}
      {format === "provider" ? (
        <ProviderFields {...(endpoint && { endpoint })} />
      ) : (
        <Events chosen={endpoint?.events ?? []} />
      )}
      <CheckField
        path="enabled"
        label={words.enabled}
        help={words.enabledHelp}
        defaultChecked={endpoint?.enabled ?? true}
      />
      <CheckField
        path="ordered"
        label={words.ordered}
        help={words.orderedHelp}
        defaultChecked={endpoint?.ordered ?? false}
      />
      <Numbers chosen={endpoint?.phone_number_ids ?? []} />
      <TextField
        path="timeout_seconds"
        label={words.timeout}
        help={words.timeoutHelp}
        inputMode="numeric"
        defaultValue={endpoint?.timeout_seconds}
      />
      <TextField
        path="rate_per_second"
        label={words.rate}
        help={words.rateHelp}
        inputMode="numeric"
        defaultValue={endpoint?.rate_per_second ?? ""}
      />
      <AreaField path="headers" label={words.headers} help={words.headersHelp} rows={3} spellCheck={false} />
    </>
  );
}

function Events({ chosen }: { chosen: readonly string[] }) {
  const [isAll, setAll] = useState(chosen.includes("*"));
  const groups = Object.entries(KINDS).map(([name, kinds]) => ({
    label: words.groups[name as keyof typeof KINDS], // a key of it
    options: kinds.map((kind) => ({ value: kind, label: kind })),
  }));
  return (
    <ChecksField
      path="events"
      label={words.events}
      help={words.allHelp}
      required
      groups={isAll ? [] : groups}
      chosen={chosen}
      all={{ value: "*", label: words.all, isChosen: isAll, onChoose: setAll }}
    />
  );
}

function ProviderFields({ endpoint }: { endpoint?: WebhookEndpoint }) {
  const groups = Object.entries(FIELDS).map(([name, fields]) => ({
    label: words.fieldGroups[name as keyof typeof FIELDS], // a key of it
    options: fields.map((field) => ({ value: field, label: field })),
  }));
  return (
    <>
      <ChecksField
        path="fields"
        label={words.fields}
        required
        groups={groups}
        chosen={endpoint?.fields ?? ["messages"]}
      />
      <TextField path="verify_token" label={words.verifyToken} help={words.verifyTokenHelp} maxLength={256} />
      {endpoint === undefined && (
        <TextField path="secret" label={words.secret} help={words.secretHelp} type="password" maxLength={256} />
      )}
    </>
  );
}

/** Without the right to see numbers the limit stays as it is. */
function Numbers({ chosen }: { chosen: readonly string[] }) {
  const { session } = app.useRouteContext();
  const { data = [] } = useQuery({ ...numbersQuery, enabled: can(session, "accounts:read") });
  if (data.length === 0) return null;
  const options = data.map(({ id, phone: number, verified_name: name }) => ({
    value: id,
    label: [number, name].filter(Boolean).join(" · ") || id,
  }));
  return (
    <ChecksField
      path="phone_number_ids"
      label={words.numbers}
      help={words.numbersHelp}
      groups={[{ options }]}
      chosen={chosen}
    />
  );
}
