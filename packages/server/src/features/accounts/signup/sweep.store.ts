import { columns, hotFunction, of, recordset } from "../../../db/hot-function.ts";

/** Signups of one call: a transaction of some milliseconds. */
export const SWEPT_A_CALL = 200;

const SWEEP = columns({
  /** Stored as the error of what is given up. */
  error: of<object>("json"),
  /** When the secrets of what is given up now are erased, and when what is erased now is deleted. */
  erase_at: "timestamptz",
  delete_at: "timestamptz",
});

/**
 * What happens to signups without a run, some at a time: one that should have ended is given up, the secrets of one that failed are
 * erased, one that ended long ago is deleted. One input row.
 */
export const sweepSignups = hotFunction({
  name: "sweep_signups",
  input: SWEEP,
  answers: columns({ swept: "int" }),
  declare: "r record; q record; gone int := 0;",
  body: `
for r in select x.* from ${recordset(SWEEP)} loop
  for q in
    select s.workspace_id, s.id, s.status, s.has_secrets from embedded_signup s
    where s.sweep_at <= now order by s.sweep_at limit ${SWEPT_A_CALL} for update skip locked
  loop
    if q.status in ('pending', 'running') then
      update embedded_signup s set status = 'failed', error = r.error, claim = null, sweep_at = r.erase_at, updated_at = now
      where s.workspace_id = q.workspace_id and s.id = q.id;
    elsif q.has_secrets then
      update embedded_signup s set code = null, access_token = null, pin = null, has_secrets = false, sweep_at = r.delete_at
      where s.workspace_id = q.workspace_id and s.id = q.id;
    else
      delete from embedded_signup s where s.workspace_id = q.workspace_id and s.id = q.id;
    end if;
    gone := gone + 1;
  end loop;
end loop;
return query select gone;`,
});
