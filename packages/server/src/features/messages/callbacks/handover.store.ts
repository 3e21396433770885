import { columns, of, type RowOf, recordset } from "../../../db/hot-function.ts";
import type { PartPlace } from "../../../provider/part-place.ts";
import { wasErased } from "../../identity/erased.sql.ts";
import { findOrCreateSenders, RESET_SENDERS, SENDER_COLUMNS, SENDER_CONTACT } from "../../identity/sender.sql.ts";
import { ownersOf } from "../../threads/owner.sql.ts";

/** Another owner of the conversation with a person. */
export const HANDOVER = columns({
  kind: of<"handover">("text"),
  workspace_id: "uuid",
  phone_number_id: "uuid",
  new_contact_id: "uuid",
  ...SENDER_COLUMNS,
  /** self, other or none */
  owner: of<"self" | "other" | "none">("text"),
  /** It was taken from the provider's own agent. */
  from_agent: "boolean?",
  /** The provider's time. */
  at: "timestamptz",
  mark: "text",
  callback_id: "uuid?",
  /** Of the handover in the callback. */
  place: of<PartPlace>("json?"),
});
export type HandoverRow = RowOf<typeof HANDOVER>;

const INPUT = recordset(HANDOVER);

/** The provider repeats a handover for days: that brings no person back who was erased since. */
const WAS_ERASED = wasErased("x.at");

/** Takes handovers (`HandoverRow`), also of people who are not known here; `owner_signs` has what they say. Outcome: `noted`. */
export const TAKE_HANDOVERS = `${RESET_SENDERS}
${findOrCreateSenders({
  input: INPUT,
  source: "'handover'",
  message: "null::uuid",
  addressed: "null::uuid",
  except: WAS_ERASED,
})}
with given as materialized (
  select x.*, case when not ${WAS_ERASED} then p.id end as person from ${INPUT} ${SENDER_CONTACT} order by x.ordinality)
select array_agg('noted'::text order by x.ordinality), array_agg(null::uuid), array_agg(false), ${ownersOf("given x", {
  workspace: "x.workspace_id",
  contact: "x.person",
  phoneNumber: "x.phone_number_id",
  role: "x.owner",
  at: "x.at",
  mark: "x.mark",
  callback: "x.callback_id",
  place: "x.place",
  fromAgent: "coalesce(x.from_agent, false)",
  // It is passed for an answer: where no copies came, nothing else tells that the window is open.
  opensWindow: "x.owner = 'self'",
})}
into verdicts, messages, sent_twices, owner_signs
from given x;`;
