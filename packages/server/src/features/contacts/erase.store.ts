import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, recordset } from "../../db/hot-function.ts";
import { EVENT_VARIABLES, emitEvent, SLOTS_MASK } from "../events/event.sql.ts";
import { ERASE_VARIABLES, FIND_NUMBERS, LOCK_RECORDS, REFUSE_UNJOINED } from "../identity/erase.sql.ts";

const PERSON = columns({ workspace_id: "uuid", contact_id: "uuid" });

/**
 * Erases people by the `steps` of all features: their contacts, all records of each, and what names them. What is left is an id of each
 * record, by which its messages are returned without content. A person without a contact has no answer row.
 */
export const eraseContacts = (steps: readonly string[]) =>
  hotFunction({
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
${[FIND_NUMBERS, ...steps].join("\n")}
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
 * Erases what calls that began before the erasure have written of a person since, under each of the person's ids: no contact is found by
 * those names then, and the next who has them is a new contact.
 */
export const eraseLate = (steps: readonly string[]) =>
  hotFunction({
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
${steps.join("\n")}
  return query select r.contact_id;
end loop;`,
  });

const PROGRESS = columns({
  workspace_id: "uuid",
  contact_id: "uuid",
  /** Of which pass and feature. */
  part: "text",
  place: "text?",
  whole: "boolean",
});

/** Keeps how far a part of an erasure is. Of two processes that work on it the later one may store less: that is done again. */
export const keepErasureProgress = hotFunction({
  name: "keep_erasure_progress",
  input: PROGRESS,
  answers: columns({ contact_id: "uuid" }),
  declare: "r record;",
  body: `
for r in select x.* from ${recordset(PROGRESS)} order by x.workspace_id, x.contact_id, x.part loop
  update erased_contact e
  set progress = coalesce(e.progress, '{}') || jsonb_build_object(r.part, jsonb_build_object('place', r.place, 'whole', r.whole))
  where e.workspace_id = r.workspace_id and e.id = r.contact_id and e.redacted_at is null
    and e.progress -> r.part ->> 'whole' is distinct from 'true';
  return query select r.contact_id;
end loop;`,
});

/** Records that nothing is left to be done of the erased records. */
export const endErasures = hotFunction({
  name: "end_erasures",
  input: PERSON,
  answers: columns({ contact_id: "uuid" }),
  declare: "r record;",
  body: `
for r in select x.* from ${recordset(PERSON)} order by x.workspace_id, x.contact_id loop
  update erased_contact e set redacted_at = now, progress = null
  where e.workspace_id = r.workspace_id and e.id = r.contact_id and e.redacted_at is null;
  return query select r.contact_id;
end loop;`,
});

/** How far the parts of an erasure are that have begun. */
export type Progress = Readonly<Record<string, { place: string | null; whole: boolean }>>;
export type ErasedRow = { id: string; erased_at: Date; progress: Progress | null };

/** The records of an erased person of which something may be left to be done. */
export const selectErasedRows = (sql: Sql, workspaceId: string, person: string): Promise<ErasedRow[]> =>
  sql.query<ErasedRow>(
    `select e.id, e.erased_at, e.progress from erased_contact e
     where e.workspace_id = $1 and e.person = $2 and e.erased_at > '-infinity' and e.redacted_at is null order by e.id`,
    [workspaceId, person],
  );
