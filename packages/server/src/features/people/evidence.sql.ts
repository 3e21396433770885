import { changeLocked, columns, lookUp, recordset } from "../../db/hot-function.ts";

// What the provider says of a person that we wrote to, as a step of the functions that store what it says: kept until
// `take_evidence` has learned from it, because two contacts may have to be locked for that.

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

/** For `learnFromAnswers`. */
export const ANSWER_VARIABLES = `
  evident bigint[];`;

/** For `keepEvidence` and `LEARN_SENDER`. */
export const EVIDENCE_VARIABLES = `
  has_evidence boolean := false;`;

/** Whether the row `x` has an id that is not the contact's `c`, which has one of each portfolio and holds one in its column. */
export const saysOther = (c: string, kind: "user_id" | "parent_user_id"): string =>
  `(x.${kind} is not null and ${c}.${kind} is distinct from x.${kind}
        and not has_user_id(x.workspace_id, ${c}.id, '${kind}', x.scope, x.${kind}))`;

/** Whether the row `x` names its person by something that the contact `c` does not have. */
const saysMore = (c: string, source: "answer" | "status"): string => `(
        (x.wa_id is not null and (${c}.wa_id is distinct from x.wa_id${source === "status" ? ` or ${c}.wa_id_at is null` : ""}))
        or ${saysOther(c, "user_id")} or ${saysOther(c, "parent_user_id")})`;

/**
 * A part of a `with`: keeps the claims of the part `from` that say something new of their contact. It has the columns of `CLAIM`,
 * workspace_id, message_id, at and ordinality; `contact`: uuid, whom its message is to. A status proves what it names, an answer
 * does not.
 */
export const keepEvidence = (from: string, source: "answer" | "status", contact: string): string => `
  evidence as (
    insert into contact_evidence (workspace_id, id, contact_id, source, message_id, scope, wa_id, wa_key, wa_loose, country,
      user_id, parent_user_id, at, look_at)
    select x.workspace_id, new_uuid(now), c.id, '${source}', x.message_id, coalesce(x.scope, ''), x.wa_id, x.wa_key,
      x.wa_loose, x.country, x.user_id, x.parent_user_id, x.at, now
    from ${from} x
    cross join lateral (
      select c.* from contact c
      where (x.wa_id is not null or x.user_id is not null)
        and c.workspace_id = x.workspace_id and c.id = ${contact} offset 0) c
    where case when c.merged_into is null then ${saysMore("c", source)} else exists (
      select from contact s where s.workspace_id = x.workspace_id and s.id = c.merged_into and ${saysMore("s", source)}) end
    order by x.ordinality
    returning id)`;

/** boolean: whether `keepEvidence` kept any. */
export const EVIDENCE_KEPT = "has_evidence or exists (select from evidence)";

/**
 * Whether the answer `x` says of the contact `c` what nearly every first answer does: that the number written to, which is the
 * contact's and no other's, is the one that the provider knows. Forms of a number, user ids and merged contacts take longer.
 */
const CONFIRMS_NUMBER = `x.wa_id is not null and coalesce(x.wa_key, x.user_id, x.parent_user_id) is null
        and c.phone = '+' || x.wa_id and c.wa_id is null and c.wa_id_at is null and c.is_named and c.merged_into is null
        and exists (
          select from identifier i where i.workspace_id = x.workspace_id and i.kind = 'phone' and i.scope = ''
            and i.value = x.wa_id and i.contact_id = c.id and i.until is null and i.source <> 'rule')
        and not exists (select from phone_number n where n.workspace_id = x.workspace_id and n.phone = c.phone)`;

const ANSWER = { workspace_id: "uuid", message_id: "uuid", at: "timestamptz", ...CLAIM } as const;

/**
 * What the answers to sends among `rows` say of the recipients, nearly always the first answer to each: what confirms the number of
 * a contact that no other call holds is learned, the rest is kept as evidence. Known recipients cost nothing. `contacts` is a
 * variable, uuid[]: whom the messages of the rows are to, in their order.
 */
export const learnFromAnswers = (contacts: string): string => `
if position('"wa_id"' in rows::text) > 0 or position('"user_id"' in rows::text) > 0 then
  with answers as materialized (
    select x.*, n.id as confirmed from ${recordset(ANSWER)}
    ${lookUp(
      "n",
      `
      select c.id from contact c
      where c.workspace_id = x.workspace_id and c.id = ${contacts}[x.ordinality::int] and ${CONFIRMS_NUMBER}
      for no key update skip locked`,
    )}),
  confirmed as (
    insert into contact (workspace_id, id, wa_id, created_at, updated_at)
    select distinct on (x.workspace_id, x.confirmed) x.workspace_id, x.confirmed, x.wa_id, now, now
    from answers x where x.confirmed is not null
    order by x.workspace_id, x.confirmed
    ${changeLocked("workspace_id, id", ["wa_id", "updated_at"])})
  select array_agg(x.ordinality) into evident from answers x
  where x.confirmed is null and (x.wa_id is not null or x.user_id is not null);
  if evident is not null then
    with ${keepEvidence(`(select * from ${recordset(ANSWER)} where x.ordinality = any(evident))`, "answer", `${contacts}[x.ordinality::int]`)}
    select ${EVIDENCE_KEPT} into has_evidence;
  end if;
end if;`;
