import { changeLocked, columns, each, lookUp, recordset } from "../../db/hot-function.ts";
import { innerFunction } from "../../db/inner-function.ts";
import { PHONE_RULES_VERSION } from "../../lib/phone/variants.ts";
import { calledAfter, namedAtAfter, UNCONFIRMED, unnamedByWaId } from "./identifiers.sql.ts";

// What the provider says of a person that we wrote to, as a step of the functions that store what it says. A claim about one contact
// that no other call holds is learned at once; the others are kept until `take_evidence` has learned from them, because two contacts
// may have to be locked for that.

/**
 * Columns of a row that reports what the provider calls a recipient. Ids are left out by a caller that knows they are known.
 * `wa_key` and `wa_loose` as in an inbound message; `country`: its calling code, where the country has no rules of its own.
 */
export const CLAIM = columns({
  wa_id: "text?",
  wa_key: "text?",
  wa_loose: "text?",
  country: "text?",
  user_id: "text?",
  parent_user_id: "text?",
  /** The portfolio that user ids are valid in. */
  scope: "text?",
});

/** For `claimsOf` and `TAKE_CLAIMS`. */
export const CLAIM_VARIABLES = `
  claims json[] := '{}';`;

/** For `TAKE_CLAIMS` and `ADD_SENDER_IDENTIFIERS`. */
export const EVIDENCE_VARIABLES = `
  has_evidence boolean := false;`;

/** Whether the row `x` has an id that is not the contact's `c`, which has one of each portfolio and holds one in its column. */
export const saysOther = (c: string, kind: "user_id" | "parent_user_id"): string =>
  `(x.${kind} is not null and ${c}.${kind} is distinct from x.${kind}
        and not has_user_id(x.workspace_id, ${c}.id, '${kind}', x.scope, x.${kind}))`;

/** What a status says beside `CLAIM`: how the person calls themselves. */
export const NAMED = columns({ username: "text?", profile_name: "text?" });

type Source = "answer" | "status";

/**
 * Whether the row `x` names its person by something that the contact `c` does not have. A status proves what it names, an answer does
 * not.
 */
const saysMore = (c: string, source: Source): string => `(
        (x.wa_id is not null and (${c}.wa_id is distinct from x.wa_id${source === "status" ? ` or ${c}.wa_id_at is null` : ""}))
        or ${saysOther(c, "user_id")} or ${saysOther(c, "parent_user_id")}${
          source === "status"
            ? `
        or (x.username is not null and ${c}.username is distinct from x.username)
        or (x.profile_name is not null and ${c}.profile_name is distinct from x.profile_name)`
            : ""
        })`;

/**
 * boolean: whether an earlier call, the answer of which was lost, has taken the claim of the row `x`. `repeated`: what the row reports
 * was known before this call.
 */
export const wasTaken = (repeated: string): string =>
  `coalesce(again and coalesce(x.wa_id, x.user_id) is not null and ${repeated}, false)`;

/**
 * json[]: `claims`, extended by the rows `x` of the part `from` that say something new of the contact their message is to (`contact`:
 * uuid). They have the columns of `CLAIM`, of a status those of `NAMED` too, workspace_id, message_id, at and ordinality; `repeated` as in `wasTaken`. Known
 * recipients cost a look-up.
 */
export const claimsOf = (source: Source, from: string, repeated: string, contact: string): string => `claims || array(
    select json_build_object('source', '${source}', 'workspace_id', x.workspace_id, 'message_id', x.message_id,
      'contact_id', c.id, 'at', x.at, ${Object.keys(source === "status" ? { ...CLAIM, ...NAMED } : CLAIM)
        .map((column) => `'${column}', x.${column}`)
        .join(", ")})
    from (select * from ${from} x where not ${wasTaken(repeated)}) x
    ${each(
      "c",
      `
      select c.id, c.merged_into, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id${source === "status" ? ", c.username, c.profile_name" : ""} from contact c
      where (x.wa_id is not null or x.user_id is not null) and c.workspace_id = x.workspace_id and c.id = ${contact}`,
    )}
    where case when c.merged_into is null then ${saysMore("c", source)} else exists (
      select from contact s where s.workspace_id = x.workspace_id and s.id = c.merged_into and ${saysMore("s", source)}) end
    order by x.ordinality)`;

/**
 * Whether the claim `x` says of the contact `c` what nearly every first status does: that the number written to, which is the
 * contact's and no other's, is the one that the provider knows, and by which user id (`u`, who has it) it knows the person. Forms of a
 * number, a change of user ids and merged contacts take longer.
 */
const CONFIRMS = `x.source = 'status' and x.wa_id is not null and x.wa_key is null and x.parent_user_id is null
        and c.phone = '+' || x.wa_id and coalesce(c.wa_id, x.wa_id) = x.wa_id and c.wa_id_at is null
        and c.is_named and c.merged_into is null
        and ${unnamedByWaId("x.workspace_id", "x.wa_id")} is null
        and not exists (select from phone_number n where n.workspace_id = x.workspace_id and n.phone = c.phone)
        and case when x.user_id is null then true
          when u.contact_id is not null then u.contact_id = c.id and u.is_valid and c.user_id = x.user_id
          else c.user_id is null
            and not exists (
              select from identifier i
              where i.workspace_id = x.workspace_id and i.contact_id = c.id and i.value <> '' and i.kind = 'user_id')
            and not exists (select from contact o where o.workspace_id = x.workspace_id and o.user_id = x.user_id) end`;

const CLAIMED = columns({
  source: "text",
  workspace_id: "uuid",
  message_id: "uuid",
  contact_id: "uuid",
  at: "timestamptz",
  ...CLAIM,
  ...NAMED,
});

/**
 * Learns from `claims` and empties them. A claim that confirms a number is learned, of several about a person the newest, where no
 * other call holds the contact or the number; the others are kept as evidence. It comes last in a call: contacts are locked here
 * that another call may wait for, and nothing after it may wait for a lock (what `take_callbacks` inserts into the queue does not).
 */
const LEARN_CLAIMS = innerFunction({
  name: "learn_claims",
  takes: { now: "timestamptz" },
  keeps: { claims: "json[]", has_evidence: "boolean" },
  declare: "",
  body: `
with claimed as materialized (
  select x.*, i.is_held is not null as confirms, x.user_id is not null and u.contact_id is null as has_new_id,
    coalesce(x.user_id, c.user_id) as known_user_id, c.known_username, c.known_profile_name, c.named_at, c.updated_at,
    i.since, i.key, i.loose, i.rules
  from ${recordset(CLAIMED, "x", "array_to_json(claims)")}
  ${lookUp(
    "u",
    `
    select u.contact_id, u.until is null as is_valid from identifier u
    where x.user_id is not null and u.workspace_id = x.workspace_id and u.kind = 'user_id'
      and u.scope = coalesce(x.scope, '') and u.value = x.user_id`,
  )}
  ${lookUp(
    "c",
    `
    select c.id, c.user_id, ${calledAfter("x", "username")} as known_username,
      ${calledAfter("x", "profile_name")} as known_profile_name, ${namedAtAfter("x")} as named_at,
      case when c.wa_id is null or (x.user_id is not null and c.user_id is null) or (x.username is not null and c.username is distinct from x.username)
        or (x.profile_name is not null and c.profile_name is distinct from x.profile_name) then now else c.updated_at end as updated_at
    from contact c
    where c.workspace_id = x.workspace_id and c.id = x.contact_id and ${CONFIRMS}
    for no key update skip locked`,
  )}
  ${lookUp(
    "i",
    `
    select true as is_held, i.since, i.key, i.loose, i.rules from identifier i
    where i.workspace_id = x.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = x.wa_id
      and i.contact_id = c.id and i.until is null
    for no key update skip locked`,
  )}),
newest as materialized (
  select distinct on (x.workspace_id, x.contact_id) x.* from (
    select x.*, min(x.user_id) over of_contact is not distinct from max(x.user_id) over of_contact
        and (x.user_id is null or min(x.contact_id::text) over of_id = max(x.contact_id::text) over of_id) as is_sure,
      min(x.at) over (partition by x.workspace_id, x.contact_id, x.user_id, x.scope) as id_since
    from claimed x
    window of_contact as (partition by x.workspace_id, x.contact_id), of_id as (partition by x.workspace_id, x.user_id)) x
  -- Which of several ids is a person's, and whose an id is that several are named by, takes longer.
  where x.confirms and x.is_sure
  order by x.workspace_id, x.contact_id, x.at desc, x.ordinality),
new_ids as (
  insert into identifier (workspace_id, kind, scope, value, contact_id, source, since, rules)
  select x.workspace_id, 'user_id', coalesce(x.scope, ''), x.user_id, x.contact_id, 'status', x.id_since, ${PHONE_RULES_VERSION}
  from newest x where x.has_new_id
  order by x.workspace_id, x.scope, x.user_id
  on conflict do nothing
  returning contact_id),
-- Without those whose id another call has given to a contact at this moment.
learned as materialized (
  select x.* from newest x
  where not x.has_new_id or x.contact_id = any(array(select n.contact_id from new_ids n))),
confirmed as (
  insert into contact (workspace_id, id, wa_id, wa_id_at, user_id, username, profile_name, named_at, created_at, updated_at)
  select x.workspace_id, x.contact_id, x.wa_id, x.at, x.known_user_id, x.known_username, x.known_profile_name, x.named_at, now,
    x.updated_at
  from learned x
  ${changeLocked("workspace_id, id", ["wa_id", "wa_id_at", "user_id", "username", "profile_name", "named_at", "updated_at"])}),
confirmed_form as (
  -- As \`changeLocked\`: the row is there, and only its source changes.
  insert into identifier as i (workspace_id, kind, value, contact_id, source, since, key, loose, rules)
  select x.workspace_id, 'phone', x.wa_id, x.contact_id, 'status', x.since, x.key, x.loose, x.rules from learned x
  on conflict (workspace_id, kind, scope, value) do update set source = excluded.source
  where i.source in ${UNCONFIRMED}),
evidence as (
  insert into contact_evidence (workspace_id, id, contact_id, source, message_id, scope, wa_id, wa_key, wa_loose, country,
    user_id, parent_user_id, username, profile_name, at, look_at)
  select x.workspace_id, new_uuid(now), x.contact_id, x.source, x.message_id, coalesce(x.scope, ''), x.wa_id, x.wa_key,
    x.wa_loose, x.country, x.user_id, x.parent_user_id, x.username, x.profile_name, x.at, now
  from claimed x
  where not (x.confirms and exists (
    select from learned l
    where l.workspace_id = x.workspace_id and l.contact_id = x.contact_id and l.user_id is not distinct from x.user_id
      and coalesce(l.scope, '') = coalesce(x.scope, '')))
  order by x.ordinality
  returning id)
select has_evidence or exists (select from evidence) into has_evidence;
claims := '{}';`,
});

/** Learns from `claims`, if there are any. */
export const TAKE_CLAIMS = `
if cardinality(claims) > 0 then ${LEARN_CLAIMS.call({ now: "now" })}
end if;`;
