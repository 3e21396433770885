import { columns } from "../../db/hot-function.ts";

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
 * workspace_id, message_id, at, ordinality and `(x.state).contact_id`. A status proves what it names, an answer does not.
 */
export const keepEvidence = (from: string, source: "answer" | "status"): string => `
  evidence as (
    insert into contact_evidence (workspace_id, id, contact_id, source, message_id, scope, wa_id, wa_key, wa_loose, country,
      user_id, parent_user_id, at, look_at)
    select x.workspace_id, new_uuid(now), c.id, '${source}', x.message_id, coalesce(x.scope, ''), x.wa_id, x.wa_key,
      x.wa_loose, x.country, x.user_id, x.parent_user_id, x.at, now
    from ${from} x
    cross join lateral (
      select c.* from contact c
      where (x.wa_id is not null or x.user_id is not null)
        and c.workspace_id = x.workspace_id and c.id = (x.state).contact_id offset 0) c
    where case when c.merged_into is null then ${saysMore("c", source)} else exists (
      select from contact s where s.workspace_id = x.workspace_id and s.id = c.merged_into and ${saysMore("s", source)}) end
    order by x.ordinality
    returning id)`;

/** boolean: whether `keepEvidence` kept any. */
export const EVIDENCE_KEPT = "has_evidence or exists (select from evidence)";
