import { columns, hotFunction, of, type RowOf, recordset } from "../../db/hot-function.ts";
import { EVENT_VARIABLES, emitEvent, SLOTS_MASK } from "../events/event.sql.ts";
import { CONSENT_VARIABLES, consentsOf, TAKE_CONSENTS } from "../identity/consent/consent.sql.ts";
import { MOST_ATTRIBUTES, MOST_TAGS } from "../identity/contact-limits.ts";
import { wasErasedPerson } from "../identity/erased.sql.ts";
import {
  contactByPhone,
  contactWithoutIdentifiers,
  insertFirstIdentifiers,
  insertPhoneForm,
  type ObservedIdentifiers,
  survivorOf,
} from "../identity/identifiers.sql.ts";

const WRITE = columns({
  workspace_id: "uuid",
  /** create: refused where the person is known; upsert: changes the record then; update: of `contact_id` alone. */
  mode: of<"create" | "upsert" | "update">("text"),
  /** The contact to change, or the id of a new one. */
  contact_id: "uuid",
  /** Of whom is created or found by it: digits without `+`, the canonical form and the common one where they are others. */
  phone: "text?",
  phone_key: "text?",
  phone_loose: "text?",
  e164: "text?",
  /** What is to change: name, email, locale, of which null clears one. */
  fields: of<Record<string, string | null>>("json"),
  /** To be merged into those that there are; null removes one. */
  attributes: of<Record<string, unknown>>("json?"),
  add_tags: of<readonly string[]>("text[]?"),
  remove_tags: of<readonly string[]>("text[]?"),
  consent: of<"opted_in" | "opted_out" | null>("text?"),
  /** When that was said; default: now. */
  consent_at: "timestamptz?",
  /** `phone_app`: the phone book of the business's own phone, which gives a name only where no client gave one. */
  source: of<"client" | "import" | "phone_app">("text"),
  /** Of `phone_app`: when it was said. */
  said_at: "timestamptz?",
});
export type ContactWrite = RowOf<typeof WRITE>;

/** `tags`, `attributes`: there would be too many. */
export type WriteOutcome = "created" | "updated" | "unchanged" | "exists" | "not_found" | "tags" | "attributes";

const NAMED: ObservedIdentifiers = {
  workspace: "r.workspace_id",
  scope: "''",
  phone: "r.phone",
  e164: "r.e164",
  key: "r.phone_key",
  loose: "r.phone_loose",
  userId: "null::text",
};
const NEW_PERSON = { ...NAMED, contact: "r.contact_id", source: "r.source", at: "now" };

/** A phone book from before a person was erased does not bring them back. */
const IS_LEFT_OUT = `(x.source = 'phone_app' and ${wasErasedPerson({
  workspace: "x.workspace_id",
  phone: "x.phone",
  key: "x.phone_key",
  userId: "null::text",
  scope: "null::text",
  at: "x.said_at",
})})`;

/** A sorted text[] of tags, each once. */
const tagsOf = (before: string): string => `array(
      select t from unnest(${before} || coalesce(r.add_tags, '{}')) t
      where t <> all(coalesce(r.remove_tags, '{}')) group by t order by t collate "C")`;

const field = (name: string, before: string): string =>
  `case when r.fields::jsonb ? '${name}' then r.fields ->> '${name}' else ${before} end`;

/** Finds the contact of the row `r` and locks it; `person` stays null where there is none. Another call may have merged it since. */
const FIND = `
  person := null;
  for tries in 1..3 loop
    candidate := case when r.mode = 'update' then ${survivorOf("r.workspace_id", "r.contact_id")}
      else coalesce(${contactByPhone(NAMED)}, ${contactWithoutIdentifiers(NAMED)}) end;
    exit when candidate is null;
    select c.* into old from contact c where c.workspace_id = r.workspace_id and c.id = candidate for no key update;
    if old.id is not null and old.merged_into is null then
      person := old.id;
      exit;
    end if;
  end loop;`;

/**
 * Creates contacts and changes what their workspace says of them, each with its event. Contacts that would not change stay untouched.
 * `exists`: `create` met a person who is known. `overtaken`: another call created the person at the same moment.
 */
export const writeContacts = hotFunction({
  name: "write_contacts",
  waits: true,
  input: WRITE,
  answers: columns({
    /** `contact_id` of the row. */
    of_row: "uuid",
    outcome: of<WriteOutcome>("text"),
    /** Of the contact that it is about; null: there is none. */
    id: "uuid?",
    slots_mask: "text",
  }),
  declare: `${EVENT_VARIABLES}${CONSENT_VARIABLES}
  r record;
  old contact;
  fresh contact;
  person uuid;
  candidate uuid;
  won uuid;
  is_new boolean;
  outcome_of_row text;`,
  body: `
for r in
  select x.* from ${recordset(WRITE)}
  where not ${IS_LEFT_OUT}
  order by x.workspace_id, coalesce(x.phone_key, x.phone, x.contact_id::text), x.ordinality
loop
${FIND}
  is_new := false;
  if person is null and r.mode <> 'update' then
    with first as (${insertFirstIdentifiers("(select 1) one", NEW_PERSON)})
    select f.contact_id into won from first f;
    if won is null then
      -- Another transaction that creates this person has committed by now.
${FIND}
    else
${insertPhoneForm("(select 1) one", NEW_PERSON)};
      -- With all that is said of them: a second writing of the row would cost its index entries again.
      insert into contact as c (workspace_id, id, phone, name, email, locale, attributes, tags, created_at, updated_at, is_named, phone_app_name)
      values (r.workspace_id, r.contact_id, r.e164, r.fields ->> 'name', r.fields ->> 'email', r.fields ->> 'locale',
        jsonb_strip_nulls(coalesce(r.attributes::jsonb, '{}')), ${tagsOf("'{}'::text[]")}, now, now, true,
        case when r.source = 'phone_app' then r.fields ->> 'name' end)
      on conflict do nothing
      returning c.* into old;
      is_new := found;
      person := r.contact_id;
      if not is_new then
        -- A process of an earlier version created this person since.
        select c.* into old from contact c
        where c.workspace_id = r.workspace_id and c.id = ${contactWithoutIdentifiers(NAMED)} for no key update;
        person := old.id;
        update identifier i set contact_id = person
        where i.workspace_id = r.workspace_id and i.contact_id = r.contact_id and i.value <> '';
      end if;
    end if;
  end if;
  outcome_of_row := case when person is null then 'not_found'
    when not is_new and r.mode = 'create' then 'exists' end;
  if outcome_of_row is null then
    fresh := old;
    fresh.name := ${field("name", "old.name")};
    if r.source = 'phone_app' and fresh.name is distinct from old.name then
      if old.name is not null and old.name is distinct from old.phone_app_name then
        fresh.name := old.name;
      else
        fresh.phone_app_name := fresh.name;
      end if;
    end if;
    fresh.email := ${field("email", "old.email")};
    fresh.locale := ${field("locale", "old.locale")};
    fresh.attributes := jsonb_strip_nulls(old.attributes || coalesce(r.attributes::jsonb, '{}'));
    fresh.tags := ${tagsOf("old.tags")};
    outcome_of_row := case when cardinality(fresh.tags) > ${MOST_TAGS} then 'tags'
      when (select count(*) from jsonb_object_keys(fresh.attributes)) > ${MOST_ATTRIBUTES} then 'attributes'
      when is_new then 'created'
      when fresh is distinct from old then 'updated'
      else 'unchanged' end;
  end if;
  if outcome_of_row in ('created', 'updated') then
    if fresh is distinct from old then
      update contact c set name = fresh.name, email = fresh.email, locale = fresh.locale, attributes = fresh.attributes,
        tags = fresh.tags, phone_app_name = fresh.phone_app_name, updated_at = now
      where c.workspace_id = r.workspace_id and c.id = person;
    end if;
    ${emitEvent({
      workspace: "r.workspace_id",
      kind: "case when is_new then 'contact_created' else 'contact_updated' end",
      contact: "person",
      occurredAt: "now",
      state: "json_build_object('source', r.source)",
      conversation: "hashtextextended(person::text, 0)",
    })}
  end if;
  -- A file that says what is known already, or was known better since, is no evidence: so an export can be imported.
  if r.consent is not null and outcome_of_row in ('created', 'updated', 'unchanged') and not (r.source = 'import'
      and (old.marketing_consent = r.consent or coalesce(old.consent_at > r.consent_at, false)
        and (old.marketing_consent <> 'unknown' or r.consent = 'opted_out'))) then
    consents := ${consentsOf("(select r.workspace_id, r.source, r.consent, 1 as ordinality) x", {
      contact: "person",
      consent: "x.consent",
      source: "x.source",
      at: "coalesce(r.consent_at, now)",
      proof: "null::uuid",
      conversation: "hashtextextended(person::text, 0)",
    })};
    if outcome_of_row = 'unchanged' and (old.marketing_consent, old.consent_source) is distinct from (r.consent, r.source) then
      outcome_of_row := 'updated';
    end if;
  end if;
${TAKE_CONSENTS}
  return query select r.contact_id, outcome_of_row, person, ${SLOTS_MASK};
end loop;`,
});
