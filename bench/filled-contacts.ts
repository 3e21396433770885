import { withClient } from "../packages/server/src/testing/client.ts";

/** Contacts of the large workspace, and of all the small ones beside it. */
export const CONTACTS = 1_000_000;
const OTHER_WORKSPACES = 1_000;
const OTHER_CONTACTS_EACH = 10;
/** Rows of one statement: filling takes minutes, and its transactions stay small. */
const AT_ONCE = 50_000;

/**
 * Fills the first workspace that has a number with contacts of two years, in the order of their ids, as imports and traffic leave them: names, address, five
 * attributes, tags of which one in two, ten, a hundred and ten thousand has one, and `old`, which the older half has; three in ten have written
 * within 90 days. Beside them other workspaces, whose contacts have the same tags.
 */
export async function fillContacts(databaseUrl: string, contacts = CONTACTS): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ engine_role: string }>("select engine_role from installation");
    const engine = rows[0]?.engine_role ?? "";
    await client.query(`grant "${engine}" to current_user`);
    await client.query(`set role "${engine}"`);
    await client.query("set statement_timeout = 0; set synchronous_commit = off");
    const { rows: numbers } = await client.query<{ workspace_id: string }>(
      "select workspace_id from phone_number order by id limit 1",
    );
    const workspace = numbers[0]?.workspace_id ?? "";
    const fill = (first: number, last: number, of: string): Promise<unknown> =>
      client.query(FILL.replaceAll("OF", of), [first, last, contacts]);
    for (let first = 0; first < contacts; first += AT_ONCE)
      await fill(first, Math.min(first + AT_ONCE, contacts) - 1, `'${workspace}'::uuid`);
    await fill(0, OTHER_WORKSPACES * OTHER_CONTACTS_EACH - 1, `md5('workspace' || g.n % ${OTHER_WORKSPACES})::uuid`);
    await client.query("reset role");
    await client.query("vacuum analyze contact, conversation, identifier");
  });
}

/** From $1 to $2 of $3. Digests stand for chance, so that each filling is the same. */
const FILL = `
with people as materialized (
  select g.n, OF as workspace_id, new_uuid(t.at) as id, t.at, h.h, get_byte(h.h, 0) + 256 * get_byte(h.h, 1) as chance,
    '+1' || lpad((2000000000 + g.n)::text, 10, '0') as phone,
    (array['Ana','Ben','Carla','Davi','Elif','Farah','Goran','Hélène','Ines','João','Kemal','Lucía','Mário','Nadia','Otto','Paulo'])[1 + get_byte(h.h, 2) % 16] as first_name,
    initcap(translate(substr(encode(h.h, 'hex'), 7, 7), '0123456789', 'aeiouslrnt')) as last_name
  from generate_series($1::int, $2::int) g(n)
  cross join lateral (select now() - ($3::int - g.n) * (interval '730 days' / $3::int) as at) t
  cross join lateral (select decode(md5('contact' || g.n), 'hex') as h) h),
contacts as (
  insert into contact (workspace_id, id, phone, wa_id, profile_name, name, email, locale, attributes, tags, created_at, updated_at, is_named)
  select p.workspace_id, p.id, p.phone, substr(p.phone, 2), p.first_name, p.first_name || ' ' || p.last_name,
    lower(p.last_name) || p.n || '@example.com', (array['en_US','pt_BR','es_MX','de'])[1 + p.chance % 4],
    jsonb_build_object('city', 'City ' || p.chance % 1000, 'orders', get_byte(p.h, 3), 'member', get_byte(p.h, 4) < 128,
      'plan', (array['free','basic','pro'])[1 + get_byte(p.h, 5) % 3], 'reference', 'R-' || p.n),
    array_remove(array[case when get_byte(p.h, 6) < 128 then 'half' end, case when p.n < $3::int / 2 then 'old' end,
      case when p.chance % 100 = 7 then 'percent' end, case when p.chance % 10 = 3 then 'tenth' end,
      case when p.n % 10000 = 77 then 'rare' end], null),
    p.at, p.at, true from people p),
identifiers as (
  insert into identifier (workspace_id, kind, value, contact_id, source, since, key, loose, rules)
  select p.workspace_id, 'phone', substr(p.phone, 2), p.id, 'import', p.at, substr(p.phone, 2), substr(p.phone, 2), 1 from people p)
insert into conversation (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at)
select p.workspace_id, p.id, md5('number')::uuid, now() - get_byte(p.h, 7) * interval '8 hours 26 minutes', now() from people p
where get_byte(p.h, 8) < 77`;
