import { each } from "../../db/hot-function.ts";
import { AFTERMATH } from "./resolving/merge-records.sql.ts";
import { overtakenIf } from "./resolving/observation.sql.ts";

// Erasing people, as PL/pgSQL for a row `r` with workspace_id and contact_id, the record that stands for the person.

/** Declarations of these steps, beside `r record`. */
export const ERASE_VARIABLES = `
  records uuid[];
  person_numbers text[];`;

/** Finds and locks the `records` of the person in the order of their ids; none where there is no such person. */
export const LOCK_RECORDS = `
  records := array(
    select c.id from contact c
    where c.workspace_id = r.workspace_id and c.id = r.contact_id and c.merged_into is null
    union all
    select c.id from contact c
    where c.workspace_id = r.workspace_id and c.merged_into = r.contact_id
    order by 1);
  perform from unnest(records) u(id)
    ${each("c", "select from contact c where c.workspace_id = r.workspace_id and c.id = u.id for update")};`;

/**
 * Ends the call, which is repeated, while it is about to be learned that another contact is the person: erased alone, the others would
 * leave that one behind without the names that they have. What waits longer, because joining is stopped, is not waited for.
 */
export const REFUSE_UNJOINED = overtakenIf(`exists (
    select from contact_evidence e
    where e.look_at <= now + interval '2 seconds' and e.other_contact_id is not null and e.workspace_id = r.workspace_id
      and e.source <> '${AFTERMATH}' and (e.contact_id = any(records) or e.other_contact_id = any(records)))`);

/** The numbers that name the person now. */
export const FIND_NUMBERS = `
  person_numbers := array(
    select i.value from identifier i
    where i.workspace_id = r.workspace_id and i.contact_id = any(records) and i.value <> '' and i.kind = 'phone');`;

const ERASE_NAMES = `
  delete from identifier i where i.workspace_id = r.workspace_id and i.contact_id = any(records) and i.value <> '';
  delete from conversation v where v.workspace_id = r.workspace_id and v.contact_id = any(records);
  delete from contact_merge g where g.workspace_id = r.workspace_id and g.merged_contact_id = any(records);`;

/**
 * Who opted out goes on to have opted out, under every name that is theirs now; who takes marketing again has not. Of the surviving
 * record, which has the consent.
 */
const KEEP_OPT_OUT = `
  with digests as materialized (
    select distinct on (1) person_digest(i.workspace_id, i.kind, i.scope, i.value) as digest, c.marketing_consent, c.consent_source
    from identifier i
    ${each("c", "select c.marketing_consent, c.consent_source from contact c where c.workspace_id = r.workspace_id and c.id = r.contact_id")}
    where i.workspace_id = r.workspace_id and i.contact_id = any(records) and i.value <> '' and i.until is null
      and i.kind in ('phone', 'user_id')),
  kept as (
    insert into opt_out_of_erased (workspace_id, digest, source)
    select r.workspace_id, d.digest, d.consent_source from digests d where d.marketing_consent = 'opted_out' order by 2
    on conflict do nothing)
  delete from opt_out_of_erased o using digests d
  where d.marketing_consent = 'opted_in' and o.workspace_id = r.workspace_id and o.digest = d.digest;`;

/** Deletes the `records` and everything that names them. What waits to be learned of them teaches nothing from now on. */
export const ERASE_RECORDS = `${KEEP_OPT_OUT}
${ERASE_NAMES}
  -- Numbers are in it for minutes, of few people.
  update new_owner o set numbers = o.numbers - person_numbers
  where o.workspace_id = r.workspace_id and o.numbers ?| person_numbers;
  -- By place: servers before 17 take a list in a key for a filter, and read all contacts of the workspace.
  delete from contact where ctid = any(array(
    select k.place from unnest(records) u(id)
    ${each("k", "select c.ctid as place from contact c where c.workspace_id = r.workspace_id and c.id = u.id")}));`;

/** What calls that began before the erasure, and had found the person, may have written for the `records` since. */
export const ERASE_LATE = `${ERASE_NAMES}
  delete from contact_evidence e
  where e.workspace_id = r.workspace_id and (e.contact_id = any(records) or e.other_contact_id = any(records));`;
