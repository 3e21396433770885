import type { Sql } from "../../../db/database.ts";
import { onlyRow } from "../../../db/only-row.ts";
import type { PageRequest } from "../../../http/pagination.ts";
import { uuidFloor } from "../../../lib/ids.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import type { ProviderField } from "../provider-format/fields.ts";

export type EndpointRow = {
  id: string;
  url: string;
  events: string[];
  /** Of the provider's callbacks, while `events` has the kinds that may be such; null: the endpoint gets our own events. */
  fields: ProviderField[] | null;
  description: string | null;
  ordered: boolean;
  timeout_seconds: number;
  rate_per_second: number | null;
  /** In lower case, sorted; their values are sealed in `sealed_headers`. */
  header_names: string[];
  /** Null: events of all. */
  phone_number_ids: string[] | null;
  business_account_ids: string[] | null;
  /** The account or the number for which a client of the provider's API set it up, whose limits it keeps; null: none did. */
  front_of: string | null;
  enabled: boolean;
  status: "active" | "failing" | "disabled";
  disabled_reason: string | null;
  lane: number;
  version: number;
  created_at: Date;
  updated_at: Date;
};

const COLUMNS = `id, url, events, fields, description, ordered, timeout_seconds, rate_per_second, header_names, phone_number_ids, business_account_ids, front_of, enabled, status, disabled_reason,
  lane, version, created_at, updated_at`;

/** Null where the endpoint has no headers of its own, or no token. */
export type Sealed = { sealed_headers: Uint8Array | null; verify_token: Uint8Array | null };

/** The columns that a request sets or changes. */
const SETTINGS = [
  "url",
  "events",
  "fields",
  "verify_token",
  "description",
  "ordered",
  "timeout_seconds",
  "rate_per_second",
  "header_names",
  "sealed_headers",
  "phone_number_ids",
  "business_account_ids",
  "is_limited",
  "front_of",
  "enabled",
  "status",
  "disabled_reason",
] as const satisfies readonly (keyof Settings)[];

type Settings = EndpointRow & Sealed & { is_limited: boolean };
export type EndpointUpdate = Pick<Settings, (typeof SETTINGS)[number]>;
export type EndpointInsert = EndpointUpdate & { id: string; secret: Uint8Array; now: number };

export async function insertEndpointRow(sql: Sql, workspaceId: string, row: EndpointInsert): Promise<EndpointRow> {
  const rows = await sql.query<EndpointRow>(
    `insert into webhook_endpoint (workspace_id, id, created_at, updated_at, secret, ${SETTINGS.join(", ")})
     values ($1, $2, $3, $3, $4, ${SETTINGS.map((_, n) => `$${n + 5}`).join(", ")}) returning ${COLUMNS}`,
    [workspaceId, row.id, new Date(row.now), row.secret, ...SETTINGS.map((name) => row[name])],
  );
  return onlyRow(rows);
}

/** Held to the end of the transaction: two that count and insert would each pass a limit that both together do not. */
export async function lockEndpointsOfWorkspace(sql: Sql, workspaceId: string): Promise<void> {
  await sql.query("select from workspace where workspace_id = $1 for no key update", [workspaceId]);
}

export async function countEndpointRows(sql: Sql, workspaceId: string): Promise<number> {
  return onlyRow(
    await sql.query<{ count: number }>("select count(*) as count from webhook_endpoint where workspace_id = $1", [
      workspaceId,
    ]),
  ).count;
}

/** boolean: an endpoint `w` gets events of some of these numbers alone; of all endpoints where `numbers` (SQL, uuid[]) is null. */
export const isOfNumbers = (w: string, numbers: string): string =>
  `(${numbers}::uuid[] is null or ${w}.phone_number_ids <@ ${numbers} and ${w}.business_account_ids is null)`;

/** Newest first. With `within`, only those of these numbers. */
export async function selectEndpointRows(
  sql: Sql,
  workspaceId: string,
  { before, fetch }: PageRequest,
  within: readonly string[] | null,
): Promise<EndpointRow[]> {
  return await sql.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoint w
     where workspace_id = $1 and ($2::uuid is null or id < $2) and ${isOfNumbers("w", "$4")} order by id desc limit $3`,
    [workspaceId, before, fetch, within],
  );
}

export async function selectEndpointRow(sql: Sql, workspaceId: string, id: string): Promise<EndpointRow | null> {
  const rows = await sql.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoint where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** As `selectEndpointRow`, locked until the transaction ends. */
export async function lockEndpointRow(
  sql: Sql,
  workspaceId: string,
  id: string,
): Promise<(EndpointRow & Sealed) | null> {
  const rows = await sql.query<EndpointRow & Sealed>(
    `select ${COLUMNS}, sealed_headers, verify_token from webhook_endpoint where workspace_id = $1 and id = $2 for no key update`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** Has the lanes of the endpoint look for deliveries that waited and are to be attempted now. Ahead of any lock of a delivery. */
export async function advanceLane(sql: Sql, workspaceId: string, id: string, now: number): Promise<void> {
  await sql.query("update webhook_endpoint set advanced_at = $3 where workspace_id = $1 and id = $2", [
    workspaceId,
    id,
    new Date(now),
  ]);
}

/** Has the lane of what is asked for try the receiver, whatever it knows of it. Ahead of any lock of a delivery. */
export async function askReceiver(sql: Sql, workspaceId: string, id: string, now: number): Promise<void> {
  await sql.query("update webhook_endpoint set asked_at = $3 where workspace_id = $1 and id = $2", [
    workspaceId,
    id,
    new Date(now),
  ]);
}

const valueOf = (name: (typeof SETTINGS)[number]): string => `$${SETTINGS.indexOf(name) + 4}`;
/** boolean, in an update: what the endpoint has failed so far stays, because neither its URL changes nor whether it is enabled. */
const IS_SAME_RECEIVER = `url = ${valueOf("url")} and enabled = ${valueOf("enabled")}`;

export async function updateEndpointRow(
  sql: Sql,
  workspaceId: string,
  id: string,
  row: EndpointUpdate,
  now: number,
): Promise<EndpointRow> {
  return onlyRow(
    await sql.query<EndpointRow>(
      `update webhook_endpoint set ${SETTINGS.map((name) => `${name} = ${valueOf(name)}`).join(", ")}, updated_at = $3, version = version + 1,
         failing_since = case when ${IS_SAME_RECEIVER} then failing_since end,
         failing_events = case when ${IS_SAME_RECEIVER} then failing_events else 0 end,
         failing_stage = case when ${IS_SAME_RECEIVER} then failing_stage else 0 end,
         parked_before = case when enabled then parked_before else $${SETTINGS.length + 4}::uuid end
       where workspace_id = $1 and id = $2 returning ${COLUMNS}`,
      [workspaceId, id, new Date(now), ...SETTINGS.map((name) => row[name]), uuidFloor(now + 1)],
    ),
  );
}

/** `replaced`: the secrets that sign beside the new one, newest first. */
export async function updateEndpointRowSecret(
  sql: Sql,
  workspaceId: string,
  id: string,
  secret: Uint8Array,
  replaced: readonly ReplacedSecret[],
  now: number,
): Promise<EndpointRow> {
  const [previous, ...older] = replaced;
  const sealed = older.map((one) => ({
    secret: Buffer.from(one.secret).toString("base64"),
    until: isoTime(one.until),
  }));
  return onlyRow(
    await sql.query<EndpointRow>(
      `update webhook_endpoint set secret = $3, previous_secret = $4, previous_secret_until = $5, older_secrets = $6,
         updated_at = $7, version = version + 1
       where workspace_id = $1 and id = $2 returning ${COLUMNS}`,
      [
        workspaceId,
        id,
        secret,
        previous?.secret ?? null,
        previous ? new Date(previous.until) : null,
        older.length === 0 ? null : JSON.stringify(sealed),
        new Date(now),
      ],
    ),
  );
}

/** Its queue rows stay: the lane finds them without an endpoint and drops them, also those whose event commits only now. */
export async function deleteEndpointRow(sql: Sql, workspaceId: string, id: string): Promise<boolean> {
  return (await sql.run("delete from webhook_endpoint where workspace_id = $1 and id = $2", [workspaceId, id])) === 1;
}

/** What the attempts of an endpoint need, and the engine may not read. */
export type SealedSecrets = Pick<Sealed, "sealed_headers"> & {
  id: string;
  url: string;
  fields: ProviderField[] | null;
  version: number;
  timeout_seconds: number;
  rate_per_second: number | null;
  secret: Uint8Array;
  previous_secret: Uint8Array | null;
  previous_secret_until: Date | null;
  older_secrets: { secret: string; until: string }[] | null;
};

/** Of those that exist, in any order. */
export async function selectEndpointSecretRows(
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
): Promise<SealedSecrets[]> {
  return await sql.query<SealedSecrets>(
    `select id, url, fields, version, timeout_seconds, rate_per_second, sealed_headers, secret, previous_secret, previous_secret_until,
       older_secrets
     from webhook_endpoint
     where workspace_id = $1 and id = any($2)`,
    [workspaceId, ids],
  );
}

/** A sealed secret that was replaced, and signs until its promised end (milliseconds). */
export type ReplacedSecret = { secret: Uint8Array; until: number };

/** The secrets of an endpoint that were replaced, newest first, also those whose end has come. */
export function replacedSecrets(row: SealedSecrets): ReplacedSecret[] {
  const { previous_secret: secret, previous_secret_until: until } = row;
  const older = (row.older_secrets ?? []).map((one) => ({
    secret: Buffer.from(one.secret, "base64"),
    until: Date.parse(one.until),
  }));
  return secret === null || until === null ? older : [{ secret, until: until.getTime() }, ...older];
}

/** One event for one endpoint alone, past its `events`. Returns the uuid of its delivery, which is to be asked for. */
export async function insertTestEventRow(
  sql: Sql,
  workspaceId: string,
  row: { id: string; kind: string; endpointId: string; state: object; now: number },
): Promise<string> {
  const rows = await sql.query<{ delivery_id: string }>(
    `insert into event (workspace_id, id, era, kind, sequence, resource_id, occurred_at, state, created_at)
     select $1, $2, i.era, $3, nextval('conversation_sequence'), $4, $5, $6, $5 from installation i
     returning delivery_id(id, resource_id)`,
    [workspaceId, row.id, row.kind, row.endpointId, new Date(row.now), JSON.stringify(row.state)],
  );
  return onlyRow(rows).delivery_id;
}

/** Of these ids, those that are the workspace's. */
export async function selectNumberAndAccountIds(
  sql: Sql,
  workspaceId: string,
  numbers: readonly string[],
  accounts: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    `select id from phone_number where workspace_id = $1 and id = any($2)
     union all select id from business_account where workspace_id = $1 and id = any($3)`,
    [workspaceId, numbers, accounts],
  );
  return new Set(rows.map(({ id }) => id));
}
