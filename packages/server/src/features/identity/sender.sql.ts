import { columns, lookUp, recordset } from "../../db/hot-function.ts";
import { innerFunction } from "../../db/inner-function.ts";
import { EVENT_OF_ONE, emitEvent } from "../events/event.sql.ts";
import { consentsOf } from "./consent/consent.sql.ts";
import { contactByUserId, type ObservedIdentifiers } from "./identifiers.sql.ts";
import { saysOther } from "./recipient.sql.ts";
import { ADD_PHONE_FORM, ADD_SENDER_IDENTIFIERS, FIND_SENDER, REFUSE_LEFT } from "./resolving/from-sender.sql.ts";
import { APPLY_CHANGE, CHANGE_VARIABLES } from "./resolving/identity-change.sql.ts";
import { REFUSE_OVERTAKEN, RESOLVE_VARIABLES, WRITE_CONTACT } from "./resolving/observation.sql.ts";

// Who a callback is of: steps for rows `x` with the columns of `SENDER_COLUMNS`, workspace_id, phone_number_id, new_contact_id and at.

/** What the provider calls the person of a row, as far as it is needed where all of that is known. */
export const KNOWN_SENDER_COLUMNS = columns({
  /** E.164 with +; null for people without a visible number. */
  phone: "text?",
  /** Digits of the number as the provider calls it. */
  wa_id: "text?",
  /** With the portfolio that user ids are valid in. */
  user_id: "text?",
  parent_user_id: "text?",
  scope: "text",
  username: "text?",
  profile_name: "text?",
  /** Whether the message says that the person changed number or user id: the names are the new ones. */
  changes_identity: "boolean?",
});

/** What the provider calls the person of a row. */
export const SENDER_COLUMNS = columns({
  ...KNOWN_SENDER_COLUMNS,
  /** The canonical form of `wa_id` and the common one, where they are others. */
  wa_key: "text?",
  wa_loose: "text?",
  /** What a person had until now who changed it. Of others: the form of their number that the message came from, where the provider calls it otherwise. */
  previous_wa_id: "text?",
  previous_wa_key: "text?",
  previous_wa_loose: "text?",
  previous_user_id: "text?",
  previous_parent_user_id: "text?",
});

const SENDER_IDENTIFIERS: ObservedIdentifiers = {
  workspace: "x.workspace_id",
  scope: "x.scope",
  phone: "x.wa_id",
  e164: "x.phone",
  key: "x.wa_key",
  loose: "x.wa_loose",
  userId: "x.user_id",
  parentUserId: "x.parent_user_id",
};

const SHOWN = "c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name";

const BY_NUMBER = `select ${SHOWN} from contact c where c.workspace_id = x.workspace_id and c.phone = x.phone`;
/** `taught`: uuid, whom the row was found to be of, or null. */
const byNames = (taught: string): string => `select ${SHOWN} from contact c
  where c.workspace_id = x.workspace_id and c.id = coalesce(${taught}
    ${contactByUserId(SENDER_IDENTIFIERS)},
    contact_of_number(x.workspace_id, x.wa_id))`;

/**
 * The look-up `p` of a row's contact, by what names nearly every person who wrote before; numbers that are not in the contact's column
 * are looked up by a function, because a look-up of its own costs a statement its start. Who is found by other names alone
 * (`FIND_SENDER`) counts as one of whom something is learned. Of a row that taught something it is whom `findOrCreateSenders` found: its
 * names may have been given up since it was written.
 */
export const SENDER_CONTACT = lookUp(
  "p",
  `${BY_NUMBER} and x.user_id is null and x.new_contact_id <> all(taught_rows)
  union all
  ${byNames("taught_people[array_position(taught_rows, x.new_contact_id)],")}
  limit 1`,
);

/** The same of a row that is alone in its call, and has taught nothing yet: statements that read it into the record `p`. Sets `found`. */
export const READ_SENDER = `
    if x.user_id is null then
      ${BY_NUMBER} into p;
    end if;
    if x.user_id is not null or not found then
      ${byNames("")} into p;
    end if;`;

/** Whether a row whose contact is `p` teaches something of its person, or who it is. `addressed`: uuid, whose it must be, or null. */
export const saysMore = (addressed: string): string => `(x.changes_identity is true or p.id is null
      or (x.wa_id is not null and p.wa_id is distinct from x.wa_id)
      -- Late: the number may have been another's then.
      or (x.wa_id is not null and p.wa_id_at > x.at + interval '2 seconds')
      or ${saysOther("p", "user_id")} or ${saysOther("p", "parent_user_id")}
      or (x.username is not null and p.username is distinct from x.username)
      or (x.profile_name is not null and p.profile_name is distinct from x.profile_name)
      or coalesce(${addressed} <> p.id, false))`;

const CONVERSATION = "hashtextextended(r.phone_number_id::text || person::text, 0)";

/** For `findOrCreateSenders`, beside `CONSENT_VARIABLES` and `EVIDENCE_VARIABLES`. */
export const SENDER_VARIABLES = `
  people json;
  all_teach boolean;
  taught_rows uuid[];
  taught_people uuid[];`;

/** Before the rows of a run are looked at. */
export const RESET_SENDERS = `
taught_rows := '{}';
taught_people := '{}';`;

/** The rows that name people, and what is known of them. */
export type SenderRows = {
  /** A `from` list. */
  input: string;
  /** Text: what names them. */
  source: string;
  /** uuid: the message that proves it. */
  message: string;
  /** uuid: the contact that the row must be of, or null. */
  addressed: string;
  /** Rows that are left out. */
  except: string;
};

/** A row that teaches something. */
const TEACHING = columns({
  workspace_id: "uuid",
  phone_number_id: "uuid",
  new_contact_id: "uuid",
  ...SENDER_COLUMNS,
  at: "timestamptz",
  source: "text",
  message_id: "uuid?",
  addressed: "uuid?",
});

/** Learns from rows in the order given (`TEACHING`). What a person whose number another one has now said of marketing is added to `consents`. */
const LEARN_PEOPLE = innerFunction({
  name: "learn_people",
  takes: { people: "json", now: "timestamptz" },
  keeps: { slots_filled: "bigint", has_evidence: "boolean", consents: "json[]" },
  gives: { taught_rows: "uuid[]", taught_people: "uuid[]" },
  declare: `${EVENT_OF_ONE}${RESOLVE_VARIABLES}${CHANGE_VARIABLES}
  r record;`,
  body: `
taught_rows := '{}';
taught_people := '{}';
for r in
  select x.*, true as confirms from ${recordset(TEACHING, "x", "people")} order by x.ordinality
loop
  if r.changes_identity then
${APPLY_CHANGE}
  else
${FIND_SENDER}
${ADD_SENDER_IDENTIFIERS}
${WRITE_CONTACT}
${ADD_PHONE_FORM}
${REFUSE_LEFT}
  end if;
${REFUSE_OVERTAKEN}
  taught_rows := taught_rows || r.new_contact_id;
  taught_people := taught_people || person;
  if former_owner is not null then
    -- Who has a number now may not be who stopped marketing to it, but is not written to against that.
    consents := ${consentsOf(
      `(select o.*, r.at as seen_at, 1 as ordinality from contact o
        where o.workspace_id = r.workspace_id and o.id = former_owner and o.marketing_consent = 'opted_out') x`,
      {
        contact: "person",
        consent: "'opted_out'",
        source: "x.consent_source",
        at: "coalesce(x.consent_at, x.seen_at)",
        proof: "x.consent_proof",
        conversation: CONVERSATION,
      },
    )};
  end if;
  if is_new then
    ${emitEvent({
      workspace: "r.workspace_id",
      kind: "'contact_created'",
      contact: "person",
      occurredAt: "r.at",
      state: "json_build_object('source', r.source)",
      conversation: CONVERSATION,
    })}
  end if;
end loop;`,
});

/**
 * Creates contacts of strangers, each with its event, and adds what is newly said of known people; sorted, as accept does. Rows that
 * teach nothing, as most do, never come to the function that learns. But where a person changes number or user id, all rows do: what a row
 * calls them from before the change finds no contact after it.
 */
export const findOrCreateSenders = ({ input, source, message, addressed, except }: SenderRows): string => `
all_teach := false;
loop
  select json_agg(x order by x.workspace_id, coalesce(x.wa_key, x.wa_id), x.user_id, x.ordinality) into people
  from (
    select ${Object.keys(TEACHING)
      .map((column) => `x.${column}`)
      .join(", ")}, x.ordinality
    from (
      select x.*, ${source} as source, ${message} as message_id, ${addressed} as addressed from ${input} offset 0) x
    ${SENDER_CONTACT}
    where (all_teach or ${saysMore("x.addressed")}) and not ${except}) x;
  exit when all_teach or people is null or position('"changes_identity":true' in people::text) = 0;
  all_teach := true;
end loop;
if people is not null then ${LEARN_PEOPLE.call({ people: "people", now: "now" })}
end if;`;
