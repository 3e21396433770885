import { REPORTS } from "../packages/server/src/features/threads/status.ts";
import { withClient } from "../packages/server/src/testing/client.ts";
import type { Recipients } from "./part.ts";

/** Messages of a filled database. */
export const FILLED_MESSAGES = 5_000_000;
/** What a part with cases is measured at. */
export const FILLED = "filled";

/** People of the messages; each has ten. */
const MESSAGES_EACH = 10;
/** Rows of one statement: a filled database takes minutes, and its transactions stay small. */
const AT_ONCE = 100_000;

/**
 * Fills a database with so many delivered messages of this month, as accepting, sending and reporting leave them: message,
 * state, provider's id, key, audit row, contact, what names it, conversation. `known` are among the people. The tables that
 * only grow at their end (history, events) stay as they are.
 */
export async function fillDatabase(databaseUrl: string, messages: number, known: Recipients): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ engine_role: string }>("select engine_role from installation");
    const engine = rows[0]?.engine_role ?? "";
    await client.query(`grant "${engine}" to current_user`);
    await client.query(`set role "${engine}"`);
    await client.query("set statement_timeout = 0");
    await client.query(PUBLIC_ID);
    await client.query(SENDERS);
    await client.query(PERSON);
    const people = Math.ceil(messages / MESSAGES_EACH);
    for (let first = 0; first < people; first += AT_ONCE)
      await client.query(PEOPLE, [
        first,
        Math.min(first + AT_ONCE, people) - 1,
        known.firstRecipient,
        known.recipients,
      ]);
    await client.query("create index on filled_person (n)");
    await client.query("analyze filled_person");
    for (let first = 0; first < messages; first += AT_ONCE)
      await client.query(MESSAGES, [first, Math.min(first + AT_ONCE, messages) - 1, people, messages]);
    await client.query("reset role");
    await client.query("vacuum analyze");
  });
}

const DELIVERED = {
  seen: REPORTS.accepted.bit | REPORTS.sent.bit | REPORTS.delivered.bit,
  rank: REPORTS.delivered.rank,
};

/** The function `pg_temp.public_id`: what `formatId` makes of a prefix and a UUID, five bits a character. */
export const PUBLIC_ID = `create function pg_temp.public_id(prefix text, id uuid) returns text language sql immutable as $$
  select prefix || '_' || ${Array.from({ length: 26 }, (_, n) => `substr('0123456789abcdefghjkmnpqrstvwxyz', substring(b from ${5 * n + 1} for 5)::int + 1, 1)`).join(" || ")}
  from (select B'00' || ('x' || replace(id::text, '-', ''))::bit(128)) of(b) $$`;

const SENDERS = `create temporary table filled_sender as
  select p.workspace_id, p.id as phone_number_id, p.phone, t.id as template_id, t.category,
    row_number() over (order by p.id) - 1 as n, count(*) over () as senders
  from phone_number p join template t on t.workspace_id = p.workspace_id`;

const PERSON = "create temporary table filled_person (n int, workspace_id uuid, id uuid, digits text)";

/** From $1 to $2; those from $3 on are the known ones, $4 of them. */
const PEOPLE = `
with people as materialized (
  select g.n, s.workspace_id, new_uuid(now() - interval '90 days') as id,
    case when g.n < $4 then '1415' || lpad(($3 + g.n)::text, 7, '0') else '1212' || lpad(g.n::text, 7, '0') end as digits
  from generate_series($1::int, $2::int) g(n) join filled_sender s on s.n = g.n % s.senders),
contacts as (
  insert into contact (workspace_id, id, phone, wa_id, created_at, updated_at, is_named)
  select p.workspace_id, p.id, '+' || p.digits, p.digits, now(), now(), true from people p),
identifiers as (
  insert into identifier (workspace_id, kind, value, contact_id, source, since, key, loose, rules)
  select p.workspace_id, 'phone', p.digits, p.id, 'message', now(), p.digits, p.digits, 1 from people p),
conversations as (
  insert into conversation (workspace_id, contact_id, phone_number_id, last_message_at)
  select p.workspace_id, p.id, s.phone_number_id, now() from people p join filled_sender s on s.workspace_id = p.workspace_id)
insert into filled_person select p.n, p.workspace_id, p.id, p.digits from people p`;

/** From $1 to $2, over the month until now, of $3 people in turn; there are $4 in all. */
const MESSAGES = `
with messages as materialized (
  select s.*, p.id as contact_id, '+' || p.digits as recipient, g.n as message, u.id,
    pg_temp.public_id('msg', u.id) as public_id, 'wamid.filled.' || g.n as wamid, month.begun + g.n * month.step as at
  from generate_series($1::int, $2::int) g(n)
  cross join (select date_trunc('month', now()) as begun, (now() - date_trunc('month', now())) / $4::int as step) month
  join filled_person p on p.n = g.n % $3::int
  join filled_sender s on s.workspace_id = p.workspace_id and s.n = p.n % s.senders
  cross join lateral (select new_uuid(month.begun + g.n * month.step) as id) u),
stored as (
  insert into message (workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, category,
    template_id, sequence, created_at)
  select m.workspace_id, m.id, true, m.phone_number_id, m.contact_id, m.recipient, m.phone, 'template',
    '{"name":"order_ready","language":{"code":"en_US"}}', m.category, m.template_id, m.message, m.at
  from messages m),
states as (
  insert into message_state (workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at,
    provider_message_id)
  select m.workspace_id, m.id, m.contact_id, hashtextextended(m.phone_number_id::text || m.contact_id::text, 0),
    ${DELIVERED.seen}, ${DELIVERED.rank}, m.at, m.at, m.at, m.wamid
  from messages m),
named as (
  insert into provider_message (workspace_id, provider_message_id, message_id, created_at)
  select m.workspace_id, m.wamid, m.id, m.at from messages m),
keys as (
  insert into idempotency_key (workspace_id, digest, fingerprint, resource_id, created_at)
  select m.workspace_id, decode(md5(m.id::text), 'hex'), decode(md5(m.public_id), 'hex'), m.public_id, m.at from messages m)
insert into audit (workspace_id, id, at, actor_type, action, resource_type, resource_id, method, path, status)
select m.workspace_id, m.id, m.at, 'api_key', 'message.create', 'message', m.public_id, 'POST', '/v1/messages', 202
from messages m`;
