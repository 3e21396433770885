import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, recordset } from "../../db/hot-function.ts";
import { EVENT_VARIABLES, emitEvent, SLOTS_MASK } from "../events/event.sql.ts";
import { ERASE_NAMES, ERASE_RECORDS, ERASE_VARIABLES, LOCK_RECORDS, REFUSE_UNJOINED } from "../people/erasure.sql.ts";

const PERSON = columns({ workspace_id: "uuid", contact_id: "uuid" });

/** The kept answers that have data of the `records`: their keys are known, and refused as expired ones are. */
const ERASE_ANSWERS = `
  update idempotency_key i set status = null, answer = null, headers = null
  from (
    select distinct k.digest from kept_answer_contact k
    where k.workspace_id = r.workspace_id and k.contact_id = any(records)) k
  where i.workspace_id = r.workspace_id and i.digest = k.digest;
  delete from kept_answer_contact k where k.workspace_id = r.workspace_id and k.contact_id = any(records);`;

/**
 * Erases people: their contacts, all records of each, and what names them. What is left is an id of each record, by which its messages
 * are returned without content. A person without a contact has no answer row.
 */
export const eraseContacts = hotFunction({
  name: "erase_contacts",
  waits: true,
  input: PERSON,
  answers: columns({ contact_id: "uuid", slots_mask: "text" }),
  declare: `${EVENT_VARIABLES}${ERASE_VARIABLES}
  r record;`,
  body: `
for r in select x.* from ${recordset(PERSON)} order by x.workspace_id, x.contact_id loop
${LOCK_RECORDS}
  continue when r.contact_id <> all(records);
${REFUSE_UNJOINED}
  insert into erased_contact (workspace_id, id, person, erased_at)
  select r.workspace_id, u.id, r.contact_id, now from unnest(records) u(id)
  on conflict do nothing;
${ERASE_RECORDS}
${ERASE_ANSWERS}
  ${emitEvent({
    workspace: "r.workspace_id",
    kind: "'contact_deleted'",
    contact: "r.contact_id",
    occurredAt: "now",
    state: "json_build_object('source', 'client')",
    conversation: "hashtextextended(r.contact_id::text, 0)",
  })}
  return query select r.contact_id, ${SLOTS_MASK};
end loop;`,
});

/**
 * Erases what calls that began before the erasure have written of a person since, under each of the person's ids: nobody is found by
 * those names then, and the next who has them is a new contact.
 */
export const eraseLate = hotFunction({
  name: "erase_late",
  input: PERSON,
  answers: columns({ contact_id: "uuid" }),
  declare: `${ERASE_VARIABLES}
  r record;`,
  body: `
for r in select x.* from ${recordset(PERSON)} order by x.workspace_id, x.contact_id loop
  records := array(
    select e.id from erased_contact e
    where e.workspace_id = r.workspace_id and e.person = r.contact_id and e.erased_at > '-infinity');
${ERASE_NAMES}
${ERASE_ANSWERS}
  delete from contact_evidence e
  where e.workspace_id = r.workspace_id and (e.contact_id = any(records) or e.other_contact_id = any(records));
  return query select r.contact_id;
end loop;`,
});

export type ErasedRow = { id: string; erased_at: Date; redacted_from: string | null; redacted_at: Date | null };

/** The records of an erased person. */
export const selectErasedRows = (sql: Sql, workspaceId: string, person: string): Promise<ErasedRow[]> =>
  sql.query<ErasedRow>(
    `select e.id, e.erased_at, e.redacted_from, e.redacted_at from erased_contact e
     where e.workspace_id = $1 and e.person = $2 and e.erased_at > '-infinity' order by e.id`,
    [workspaceId, person],
  );
