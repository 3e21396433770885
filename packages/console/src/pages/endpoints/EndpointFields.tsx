import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { WebhookEndpoint } from "@waypost/sdk";
import { useState } from "react";
import { FIELDS, KINDS } from "../../api/event-kinds.ts";
import { accountsQuery, numbersQuery } from "../../api/queries/numbers.ts";
import { can } from "../../api/session.ts";
import { nameOfKind } from "../../parts/EventKind.tsx";
import { AreaField, CheckField, ChecksField, type Option, SelectField, TextField } from "../../parts/Field.tsx";
import { grouped } from "../../parts/phone-number.ts";
import { text } from "../../text/text.ts";

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
      <Limits endpoint={endpoint} />
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
      {endpoint !== undefined && endpoint.headers.length > 0 && (
        <ChecksField
          path="removed_headers"
          label={words.removedHeaders}
          groups={[{ options: endpoint.headers.map((name) => ({ value: name, label: name })) }]}
        />
      )}
      <AreaField path="headers" label={words.headers} help={words.headersHelp} rows={3} spellCheck={false} />
    </>
  );
}

function Events({ chosen }: { chosen: readonly string[] }) {
  const [isAll, setAll] = useState(chosen.includes("*"));
  const groups = Object.entries(KINDS).map(([name, kinds]) => ({
    label: words.groups[name as keyof typeof KINDS], // a key of it
    options: kinds.map((kind) => ({ value: kind, label: nameOfKind(kind), code: kind })),
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

/** Without the right to see them the limits stay as they are. */
function Limits({ endpoint }: { endpoint: WebhookEndpoint | undefined }) {
  const { session } = app.useRouteContext();
  const enabled = can(session, "accounts:read");
  const { data: numbers } = useQuery({ ...numbersQuery, enabled });
  const { data: accounts } = useQuery({ ...accountsQuery, enabled });
  return (
    <>
      <Limit
        path="phone_number_ids"
        label={words.numbers}
        help={words.numbersHelp}
        chosen={endpoint?.phone_number_ids ?? []}
        options={numbers?.map(({ id, phone, verified_name: name }) => ({
          value: id,
          label: [phone && grouped(phone), name].filter(Boolean).join(" · ") || id,
        }))}
      />
      <Limit
        path="business_account_ids"
        label={words.accounts}
        chosen={endpoint?.business_account_ids ?? []}
        options={accounts?.map(({ id, name }) => ({ value: id, label: name ?? id }))}
      />
    </>
  );
}

type LimitProps = {
  path: "phone_number_ids" | "business_account_ids";
  label: string;
  help?: string;
  chosen: readonly string[];
  options: readonly Option[] | undefined;
};

function Limit({ options, chosen, help, ...field }: LimitProps) {
  if (options === undefined || options.length + chosen.length === 0) return null;
  const others = chosen.filter((id) => !options.some(({ value }) => value === id));
  const all = [...options, ...others.map((id) => ({ value: id, label: id }))];
  return (
    <>
      <input type="hidden" name={`${field.path}_shown`} value="1" />
      <ChecksField {...field} {...(help !== undefined && { help })} groups={[{ options: all }]} chosen={chosen} />
    </>
  );
}
