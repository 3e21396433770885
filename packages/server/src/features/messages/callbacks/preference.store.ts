import { columns, of, type RowOf, recordset } from "../../../db/hot-function.ts";
import type { PartPlace } from "../../../provider/part-place.ts";
import { consentsOf } from "../../identity/consent/consent.sql.ts";
import type { Consent } from "../../identity/consent/keywords.ts";
import { findOrCreateSenders, RESET_SENDERS, SENDER_COLUMNS, SENDER_CONTACT } from "../../identity/sender.sql.ts";

/** A person's setting for marketing, or other user id, as the provider reports it. */
export const PREFERENCE = columns({
  kind: of<"preference">("text"),
  workspace_id: "uuid",
  phone_number_id: "uuid",
  new_contact_id: "uuid",
  ...SENDER_COLUMNS,
  /** None: it says only who a person is. */
  consent: of<Consent>("text?"),
  /** How it was said, where that is not the setting in the app. */
  said_by: of<"signup">("text?"),
  /** The provider's words for it, by its names. */
  fields: of<Record<string, string>>("json?"),
  /** The provider's time. */
  at: "timestamptz",
  callback_id: "uuid",
  /** Of the setting in the callback. */
  place: of<PartPlace>("json?"),
});
export type PreferenceRow = RowOf<typeof PREFERENCE>;

const INPUT = recordset(PREFERENCE);

/**
 * Takes settings (`PreferenceRow`), also of people who never wrote; `consents` has what they say. A person whom another call
 * creates at the same moment is found by the second statement. What is repeated says the same. Outcome: `noted`.
 */
export const TAKE_PREFERENCES = `${RESET_SENDERS}
${findOrCreateSenders({
  input: INPUT,
  source: "coalesce(x.said_by, 'preference')",
  message: "null::uuid",
  addressed: "null::uuid",
  except: "false",
})}
with given as materialized (
  select x.*, p.id as person from ${INPUT} ${SENDER_CONTACT} order by x.ordinality)
select array_agg('noted'::text order by x.ordinality), array_agg(null::uuid), array_agg(false), ${consentsOf(
  "given x where x.person is not null and x.consent is not null",
  {
    contact: "x.person",
    consent: "x.consent",
    source: "coalesce(x.said_by, 'preference')",
    at: "x.at",
    proof: "x.callback_id",
    conversation: "hashtextextended(x.phone_number_id::text || x.person::text, 0)",
    fields: "x.fields",
    phoneNumber: "x.phone_number_id",
    place: "x.place",
    isFound: true,
  },
)}
into verdicts, messages, sent_twices, consents
from given x;`;
