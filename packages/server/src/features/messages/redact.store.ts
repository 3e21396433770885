import { columns, each, hotFunction, lookUp, recordset } from "../../db/hot-function.ts";
import { READY } from "../../lanes/lane-kinds.ts";
import { EMPTIED } from "./column-lists.ts";

/** Messages of one call: some ten milliseconds. */
export const MESSAGES_A_CALL = 500;

const RECORD = columns({
  workspace_id: "uuid",
  contact_id: "uuid",
  /** Messages with ids below this one; null: all. */
  before: "uuid?",
  /** And from this one on; null: all. */
  from_id: "uuid?",
});

/** The newest messages of a record below a place. */
const MESSAGES_OF_RECORD = each(
  "m",
  // Every sequence is above 0: said for the index that only these may use (db/indexes.ts).
  `
    select g.id from message g
    where g.workspace_id = x.workspace_id and g.contact_id = x.contact_id and g.sequence > 0
      and g.id < coalesce(x.before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      and g.id >= coalesce(x.from_id, '00000000-0000-0000-0000-000000000000')
    order by g.id desc limit ${MESSAGES_A_CALL}`,
);

/** The next messages of an erased contact, newest first, and which of them wait to be sent. */
export const nextOfErased = hotFunction({
  name: "next_of_erased",
  writes: false,
  input: RECORD,
  answers: columns({ contact_id: "uuid", id: "uuid", waits: "boolean" }),
  body: `
return query
  select x.contact_id, m.id, d.state is not null from ${recordset(RECORD)}
  ${MESSAGES_OF_RECORD}
  ${lookUp("s", "select s.slot, s.seq, s.rank from message_state s where s.workspace_id = x.workspace_id and s.id = m.id")}
  ${lookUp(
    "d",
    `
    select d.state from dispatch d
    where s.rank = 0 and d.slot = s.slot and d.seq = s.seq and d.workspace_id = x.workspace_id and d.state = ${READY}`,
  )}
  order by x.ordinality, m.id desc;`,
});

const REDACTED = columns({ workspace_id: "uuid", contact_id: "uuid", message_ids: "uuid[]" });

/**
 * Takes what was in messages of erased contacts, and whom they were exchanged with, out of their rows; what they count for stays, and
 * where they came from.
 * Nothing else ever changes a message (docs/adr/0006), so no other call waits for these rows. What a process is sending right now
 * it has in memory, and no other attempt will begin.
 */
export const redactMessages = hotFunction({
  name: "redact_messages",
  input: REDACTED,
  span: ({ message_ids }) => message_ids,
  answers: columns({ contact_id: "uuid", redacted: "int" }),
  declare: "r record; n int;",
  body: `
for r in select x.* from ${recordset(REDACTED)} order by x.workspace_id, x.contact_id loop
  update message m set ${EMPTIED}
  where m.workspace_id = r.workspace_id and m.id = any(r.message_ids) and m.id between lowest and highest
    and m.content::text <> 'null';
  get diagnostics n = row_count;
  return query select r.contact_id, n;
end loop;`,
});
