import { changeLocked, columns, each, lookUp, recordset } from "../../db/hot-function.ts";
import { UNCONFIRMED, unnamedByWaId } from "./person.sql.ts";

// What the provider says of a person that we wrote to, as a step of the functions that store what it says. What concerns one contact
// alone and no other call holds is learned at once; the rest is kept until `take_evidence` has learned from it, because two
// contacts may have to be locked for that.

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

/** For `TAKE_CLAIMS` and `LEARN_SENDER`. */
export const EVIDENCE_VARIABLES = `
  has_evidence boolean := false;`;

/** Whether the row `x` has an id that is not the contact's `c`, which has one of each portfolio and holds one in its column. */
export const saysOther = (c: string, kind: "user_id" | "parent_user_id"): string =>
  `(x.${kind} is not null and ${c}.${kind} is distinct from x.${kind}
        and not has_user_id(x.workspace_id, ${c}.id, '${kind}', x.scope, x.${kind}))`;

type Source = "answer" | "status";

/**
 * Whether the row `x` names its person by something that the contact `c` does not have. A status proves what it names, an answer does
 * not.
 */
const saysMore = (c: string, source: Source): string => `(
        (x.wa_id is not null and (${c}.wa_id is distinct from x.wa_id${source === "status" ? ` or ${c}.wa_id_at is null` : ""}))
        or ${saysOther(c, "user_id")} or ${saysOther(c, "parent_user_id")})`;

/**
 * boolean: whether an earlier call, the answer of which was lost, has taken what the row `x` says. `repeated`: what the row reports
 * was known before this call.
 */
export const isTaken = (repeated: string): string =>
  `coalesce(again and coalesce(x.wa_id, x.user_id) is not null and ${repeated}, false)`;

/**
 * json[]: `claims` with what the rows `x` of a part of a `with` say that is new of the contact that their message is to. They have
 * the columns of `CLAIM`, workspace_id, message_id, at and ordinality. `TAKE_CLAIMS` applies it. Known recipients cost a look-up.
 */
export const claimsOf = (source: Source, from: string, repeated: string, contact: string): string => `claims || array(
    select json_build_object('source', '${source}', 'workspace_id', x.workspace_id, 'message_id', x.message_id,
      'contact_id', c.id, 'at', x.at, ${Object.keys(CLAIM)
        .map((column) => `'${column}', x.${column}`)
        .join(", ")})
    from (select * from ${from} x where not ${isTaken(repeated)}) x
    ${each(
      "c",
      `
      select c.id, c.merged_into, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id from contact c
      where (x.wa_id is not null or x.user_id is not null) and c.workspace_id = x.workspace_id and c.id = ${contact}`,
    )}
    where case when c.merged_into is null then ${saysMore("c", source)} else exists (
      select from contact s where s.workspace_id = x.workspace_id and s.id = c.merged_into and ${saysMore("s", source)}) end
    order by x.ordinality)`;

/**
 * Whether the claim `x` says of the contact `c` what nearly every first status does: that the number written to, which is the
 * contact's and no other's, is the one that the provider knows. Forms of a number, user ids and merged contacts take longer.
 */
const PROVES_NUMBER = `x.source = 'status' and x.wa_id is not null and coalesce(x.wa_key, x.user_id, x.parent_user_id) is null
        and c.phone = '+' || x.wa_id and coalesce(c.wa_id, x.wa_id) = x.wa_id and c.wa_id_at is null
        and c.is_named and c.merged_into is null
        and ${unnamedByWaId("x.workspace_id", "x.wa_id")} is null
        and not exists (select from phone_number n where n.workspace_id = x.workspace_id and n.phone = c.phone)`;

const TOLD = columns({
  source: "text",
  workspace_id: "uuid",
  message_id: "uuid",
  contact_id: "uuid",
  at: "timestamptz",
  ...CLAIM,
});

/**
 * Learns from `claims` and empties them: what confirms a number of which no other call holds anything is learned, of several
 * statuses of a person the last; the rest is kept as evidence. It is the last step of a call, because contacts are locked here that
 * another one may wait for: nothing may be waited for behind it.
 */
export const TAKE_CLAIMS = `
if cardinality(claims) > 0 then
  with told as materialized (
    select x.*, i.place is not null as is_proved, c.updated_at, i.since, i.key, i.loose, i.rules
    from ${recordset(TOLD, "x", "array_to_json(claims)")}
    ${lookUp(
      "c",
      `
      select c.id, case when c.wa_id is null then now else c.updated_at end as updated_at from contact c
      where c.workspace_id = x.workspace_id and c.id = x.contact_id and ${PROVES_NUMBER}
      for no key update skip locked`,
    )}
    ${lookUp(
      "i",
      `
      select i.ctid as place, i.since, i.key, i.loose, i.rules from identifier i
      where i.workspace_id = x.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = x.wa_id
        and i.contact_id = c.id and i.until is null
      for no key update skip locked`,
    )}),
  proved as materialized (
    select distinct on (x.workspace_id, x.contact_id) x.* from told x where x.is_proved
    order by x.workspace_id, x.contact_id, x.at desc, x.ordinality),
  confirmed as (
    insert into contact (workspace_id, id, wa_id, wa_id_at, created_at, updated_at)
    select x.workspace_id, x.contact_id, x.wa_id, x.at, now, x.updated_at from proved x
    ${changeLocked("workspace_id, id", ["wa_id", "wa_id_at", "updated_at"])}),
  heard as (
    -- As \`changeLocked\`: the row is there, and only its source changes.
    insert into identifier as i (workspace_id, kind, value, contact_id, source, since, key, loose, rules)
    select x.workspace_id, 'phone', x.wa_id, x.contact_id, 'status', x.since, x.key, x.loose, x.rules from proved x
    on conflict (workspace_id, kind, scope, value) do update set source = excluded.source
    where i.source in ${UNCONFIRMED}),
  evidence as (
    insert into contact_evidence (workspace_id, id, contact_id, source, message_id, scope, wa_id, wa_key, wa_loose, country,
      user_id, parent_user_id, at, look_at)
    select x.workspace_id, new_uuid(now), x.contact_id, x.source, x.message_id, coalesce(x.scope, ''), x.wa_id, x.wa_key,
      x.wa_loose, x.country, x.user_id, x.parent_user_id, x.at, now
    from told x
    where not x.is_proved
    order by x.ordinality
    returning id)
  select has_evidence or exists (select from evidence) into has_evidence;
  claims := '{}';
end if;`;
