import { columns, hotFunction, of, recordset } from "../../../db/hot-function.ts";

/** Imports of one call. The errors of each are deleted with it. */
export const SWEPT_A_CALL = 20;

const SWEEP = columns({
  /** Stored as the error of an import whose task has gone. */
  error: of<object>("json"),
  /** Imports that ended before are deleted. */
  ended_before: "timestamptz",
  /** Only of those that began before is the task looked for: it is committed with them. */
  begun_before: "timestamptz",
});

/** Ends imports whose task was given up, and deletes those that ended long ago, some at a time. One input row. */
export const sweepImports = hotFunction({
  name: "sweep_imports",
  input: SWEEP,
  answers: columns({ swept: "int" }),
  declare: "r record; q record; gone int := 0;",
  body: `
for r in select x.* from ${recordset(SWEEP)} loop
  for q in
    select i.workspace_id, i.id from contact_import i
    where i.completed_at is null and i.created_at < r.begun_before
      and not exists (select from job j where j.workspace_id = i.workspace_id and j.id = i.job_id and j.status = 'pending')
    order by i.created_at limit ${SWEPT_A_CALL} for no key update skip locked
  loop
    update contact_import i set status = 'failed', error = r.error, completed_at = now, updated_at = now
    where i.workspace_id = q.workspace_id and i.id = q.id;
    gone := gone + 1;
  end loop;
  for q in
    select i.workspace_id, i.id from contact_import i
    where i.completed_at is not null and i.completed_at < r.ended_before
    order by i.completed_at limit ${SWEPT_A_CALL} for update skip locked
  loop
    delete from contact_import_error e where e.workspace_id = q.workspace_id and e.import_id = q.id;
    delete from contact_import i where i.workspace_id = q.workspace_id and i.id = q.id;
    gone := gone + 1;
  end loop;
end loop;
return query select gone;`,
});
