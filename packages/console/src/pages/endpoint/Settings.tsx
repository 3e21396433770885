import type { WebhookEndpoint } from "@waypost/sdk";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyId } from "../../parts/Copy.tsx";
import { EventKinds } from "../../parts/EventKind.tsx";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { listOf } from "../../parts/list-of.ts";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./endpoint.module.css";
import { OlderSecrets } from "./OlderSecrets.tsx";

const names = text.endpoints.form;
const words = text.endpoint;

/** What an endpoint is set to. */
export function Settings({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, format, events, fields, headers } = endpoint;
  const limits = [...(endpoint.phone_number_ids ?? []), ...(endpoint.business_account_ids ?? [])];
  return (
    <div className={styles["settings"]}>
      <Facts>
        <Fact name={names.url}>
          <bdi>{endpoint.url}</bdi>
        </Fact>
        <Fact name={names.description}>{endpoint.description && <span dir="auto">{endpoint.description}</span>}</Fact>
        <Fact name={names.format}>{names.formats[format]}</Fact>
        <Fact name={format === "provider" ? names.fields : names.events}>
          {format === "provider" ? listOf(fields) : <EventKinds kinds={events} all={names.all} />}
        </Fact>
        <Fact name={names.enabled}>{endpoint.enabled ? words.yes : words.no}</Fact>
        <Fact name={names.ordered}>{endpoint.ordered ? words.yes : words.no}</Fact>
        <Fact name={words.limits}>{limits.length > 0 && limits.map((one) => <CopyId key={one} id={one} />)}</Fact>
        <Fact name={names.headers}>{listOf(headers)}</Fact>
        <Fact name={names.timeout}>{endpoint.timeout_seconds}</Fact>
        <Fact name={names.rate}>{endpoint.rate_per_second ?? words.noRate}</Fact>
        <Fact name={words.older}>
          <OlderSecrets endpointId={id} />
        </Fact>
        <Fact name={text.message.id}>
          <CopyId id={id} />
        </Fact>
        <Fact name={text.message.created}>
          <Time at={endpoint.created_at} />
        </Fact>
        <Fact name={text.endpoints.columns.changed}>
          <Time at={endpoint.updated_at} />
        </Fact>
      </Facts>
      <ActionLink scope="webhooks:write" look="primary" {...paths.endpoint(id, { tab: "settings", open: "edit" })}>
        {words.edit}
      </ActionLink>
    </div>
  );
}
