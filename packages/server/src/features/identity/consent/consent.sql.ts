import { innerFunction } from "../../../db/inner-function.ts";
import { EVENT_OF_ONE, emitEvent } from "../../events/event.sql.ts";
import { isErased } from "../erased.sql.ts";
import { ofPossibleDuplicates, type Reach } from "../possible-duplicates.sql.ts";
import { overtakenIf } from "../resolving/observation.sql.ts";

// Marketing consent, as steps of the functions that store what says something about it. Expressions are SQL.

/** For `consentsOf` and `TAKE_CONSENTS`, beside `SLOTS_FILLED`. */
export const CONSENT_VARIABLES = `
  consents json[] := '{}';`;

/** What the rows `x` of a `from` list say of their contacts. */
export type ConsentStep = {
  contact: string;
  /** opted_out, opted_in, or resumed: no consent, but the end of an opt-out. */
  consent: string;
  source: string;
  /** The provider's time. */
  at: string;
  /** uuid: the message or the callback that says so. */
  proof: string;
  /** bigint, as of an event. */
  conversation: string;
  /** json: the provider's words for it, by its names. */
  fields?: string;
  /** uuid and json: of the number, and where its callback says it, where that is the proof. */
  phoneNumber?: string;
  place?: string;
  /** The call has found the contact by what names the person: if the contact is erased meanwhile, who is named so is looked for again. */
  isFound?: true;
};

/** json[]: `consents` with what rows say; the workspace and `ordinality` are the row's own. `TAKE_CONSENTS` applies it. */
export function consentsOf(from: string, step: ConsentStep): string {
  const fields = step.fields === undefined ? "" : `, 'fields', ${step.fields}`;
  const phoneNumber = step.phoneNumber === undefined ? "" : `, 'phone_number_id', ${step.phoneNumber}`;
  const place = step.place === undefined ? "" : `, 'place', ${step.place}`;
  const more = `${fields}${phoneNumber}${place}${step.isFound ? ", 'is_found', true" : ""}`;
  return `
  consents || array(
    select json_build_object('workspace_id', x.workspace_id, 'contact_id', ${step.contact}, 'consent', ${step.consent},
      'source', ${step.source}, 'at', ${step.at}, 'proof', ${step.proof}, 'conversation', ${step.conversation}${more})
    from ${from} order by x.ordinality)`;
}

/**
 * Applies what was gathered in `consents`, each with an event where it changes anything. The newest evidence counts, whenever it
 * arrives; of two of one time the opt-out, because the provider's times are whole seconds. An opt-out of a whole second is of any
 * moment in it: what a client said in that second does not outweigh it. What repeats the state only makes its evidence newer. Who
 * resumes (`resumed`) has opted in if they had opted out; else only the time is kept, so that an earlier opt-out that comes later
 * does not count, and an opt-in of whatever time does. A record that was merged meanwhile stands for the surviving one.
 */
const APPLY_CONSENTS = innerFunction({
  name: "apply_consents",
  takes: { now: "timestamptz" },
  keeps: { slots_filled: "bigint", consents: "json[]" },
  declare: `${EVENT_OF_ONE}
  claim record;
  consenting contact;
  known_at timestamptz;`,
  body: `
for claim in
  select s.* from unnest(consents) with ordinality u(said, n)
  cross join lateral json_to_record(u.said) as s(workspace_id uuid, contact_id uuid, consent text, source text,
    at timestamptz, proof uuid, conversation bigint, fields json, phone_number_id uuid, place json, is_found boolean)
  order by s.workspace_id, s.contact_id, u.n
loop
  select c.* into consenting from contact c
  where c.workspace_id = claim.workspace_id and c.id = claim.contact_id for no key update;
  if consenting.merged_into is not null then
    select c.* into consenting from contact c
    where c.workspace_id = claim.workspace_id and c.id = consenting.merged_into for no key update;
  end if;
  -- What the person says at the moment of the erasure is not of it: the repetition creates the contact that it is of.
  ${overtakenIf(`consenting.id is null and claim.is_found and ${isErased("claim.workspace_id", "claim.contact_id")}`)}
  known_at := case when consenting.marketing_consent <> 'unknown' or claim.consent = 'opted_out' then consenting.consent_at end;
  if claim.consent = 'opted_out' and claim.at = date_trunc('second', claim.at) then
    known_at := date_trunc('second', known_at);
  end if;
  continue when consenting.id is null or known_at > claim.at
    or (known_at = claim.at and (claim.consent <> 'opted_out' or consenting.marketing_consent = 'opted_out'));
  if claim.consent = 'resumed' then
    claim.consent := case when consenting.marketing_consent = 'opted_out' then 'opted_in' end;
    if claim.consent is null then
      update contact c set consent_at = claim.at
      where c.workspace_id = claim.workspace_id and c.id = consenting.id and coalesce(c.consent_at < claim.at, true);
      continue;
    end if;
  end if;
  update contact c set marketing_consent = claim.consent, consent_source = claim.source,
    consent_at = greatest(c.consent_at, claim.at),
    consent_proof = claim.proof,
    updated_at = case when c.marketing_consent = claim.consent and c.consent_source = claim.source then c.updated_at
      else now end
  where c.workspace_id = claim.workspace_id and c.id = consenting.id;
  if consenting.marketing_consent <> claim.consent then
    ${emitEvent({
      workspace: "claim.workspace_id",
      kind: "claim.consent",
      contact: "consenting.id",
      occurredAt: "claim.at",
      state: `json_strip_nulls(json_build_object('source', claim.source, 'fields', claim.fields,
        'phone_number_id', claim.phone_number_id, 'place', claim.place))`,
      conversation: "claim.conversation",
      callback: "case when claim.phone_number_id is not null then claim.proof end",
    })}
  end if;
end loop;
consents := '{}';`,
});

/** Applies what was gathered in `consents`, if there is any. */
export const TAKE_CONSENTS = `
if cardinality(consents) > 0 then ${APPLY_CONSENTS.call({ now: "now" })}
end if;`;

/** boolean: whether marketing to a contact is held back, because it or a contact that may be the same person opted out. */
export const optedOut = (contact: string, reach: Reach): string =>
  `(coalesce(${contact}.marketing_consent = 'opted_out', false) or ${ofPossibleDuplicates("twin_opted_out", contact, reach)})`;

/**
 * What a merged contact takes of its former record `old`, where that has newer evidence, or an opt-out of the same time: columns of
 * an `update` of `c`. Of a record without consent the evidence is that the person resumed, which ends the other's opt-out in whichever
 * record either is. Where `byClient` (boolean) no person said that they are one: an opt-out of either counts, however old.
 */
export const mergedConsent = (old: string, byClient: string): string => {
  const older = `coalesce(${old}.consent_at, '-infinity') > coalesce(c.consent_at, '-infinity')`;
  const same = `coalesce(${old}.consent_at, '-infinity') = coalesce(c.consent_at, '-infinity')`;
  const isTaken = `case
      when ${old}.marketing_consent = 'unknown' then not ${byClient} and c.marketing_consent = 'opted_out' and ${older}
      when ${byClient} then c.marketing_consent = 'unknown' or (${old}.marketing_consent = 'opted_out' and c.marketing_consent <> 'opted_out')
      when c.marketing_consent = 'unknown' then ${old}.marketing_consent = 'opted_in' or not coalesce(c.consent_at > ${old}.consent_at, false)
      else ${older} or (${same} and ${old}.marketing_consent = 'opted_out') end`;
  return ["marketing_consent", "consent_source", "consent_at", "consent_proof"]
    .map((column) => `${column} = case when ${isTaken} then ${old}.${column} else c.${column} end`)
    .join(",\n    ");
};
