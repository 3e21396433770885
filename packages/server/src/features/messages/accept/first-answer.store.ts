import { columns, hotFunction, inSpan, lookUp, recordset } from "../../../db/hot-function.ts";

const ASKED = columns({ workspace_id: "uuid", id: "uuid" });

/** A message as it was accepted. All of it is null when there is none of this id any more. */
const ACCEPTED = columns({
  id: "uuid?",
  outbound: "boolean",
  phone_number_id: "uuid",
  contact_id: "uuid",
  recipient: "text?",
  sender: "text?",
  type: "text",
  content: "json",
  reply_to: "uuid?",
  reference: "text?",
  category: "text?",
  fallback: "json?",
  fallback_category: "text?",
  send_at: "timestamptz?",
  expires_at: "timestamptz?",
  estimated_dispatch_at: "timestamptz?",
  sequence: "bigint",
  created_at: "timestamptz",
});

const ANSWER = columns({ ...ACCEPTED, is_erased: "boolean" });

/** Reads messages that are given as the answer again: a batch of a thousand is repeated in a few calls. */
export const readAccepted = hotFunction({
  name: "read_accepted",
  writes: false,
  input: ASKED,
  answers: ANSWER,
  span: ({ id }) => [id],
  body: `
return query select ${Object.keys(ACCEPTED)
    .map((column) => `m.${column}`)
    .join(", ")}, z.yes is not null
from ${recordset(ASKED)}
${lookUp("m", `select g.* from message g where g.workspace_id = x.workspace_id and g.id = x.id and ${inSpan("g.id")}`)}
${lookUp("z", "select true as yes from erased_contact e where e.workspace_id = x.workspace_id and e.id = m.contact_id")}
order by x.ordinality;`,
});
