import type { Database } from "../../db/database.ts";
import { columns, hotFunction, recordset } from "../../db/hot-function.ts";
import { messageWaits } from "./waiting.sql.ts";

const RETAIN = columns({
  /** Media that was not used since is to go. */
  bound: "timestamptz",
  most: "int",
});

/** Uses of one media that a call deletes: of one that a million messages had, each call takes some. */
const USES_A_CALL = 2_000;

/**
 * Looks at the media that was used least recently, and deletes what was not used since the bound and no message waits for, its uses
 * first. One that was used since is looked at again when that is long ago, one that a message waits for a day later.
 */
export const retainMedia = hotFunction({
  name: "retain_media",
  input: RETAIN,
  answers: columns({ looked: "int", deleted: "int" }),
  declare: "r record; x record; last_used timestamptz; n int; looked int := 0; deleted int := 0;",
  body: `
select y.bound, y.most into x from ${recordset(RETAIN, "y")};
for r in
  select m.workspace_id, m.id, m.file_id from media m where m.used_at > '-infinity' and m.used_at < x.bound
  order by m.used_at limit x.most for update skip locked
loop
  looked := looked + 1;
  -- The use of the newest message.
  select u.used_at into last_used from media_use u
  where u.workspace_id = r.workspace_id and u.media_id = r.id order by u.message_id desc limit 1;
  if last_used >= x.bound then
    update media m set used_at = last_used where m.workspace_id = r.workspace_id and m.id = r.id;
    continue;
  end if;
  delete from media_use v using (
    select u.message_id from media_use u
    where u.workspace_id = r.workspace_id and u.media_id = r.id and not ${messageWaits("u")} limit ${USES_A_CALL}) o
  where v.workspace_id = r.workspace_id and v.media_id = r.id and v.message_id = o.message_id;
  get diagnostics n = row_count;
  continue when n = ${USES_A_CALL};
  if exists (select from media_use u where u.workspace_id = r.workspace_id and u.media_id = r.id) then
    update media m set used_at = x.bound + interval '1 day' where m.workspace_id = r.workspace_id and m.id = r.id;
    continue;
  end if;
  delete from media m where m.workspace_id = r.workspace_id and m.id = r.id;
  update media_file f set sweep_at = greatest(f.sweep_at, now) where f.workspace_id = r.workspace_id and f.id = r.file_id;
  deleted := deleted + 1;
end loop;
return query select looked, deleted;`,
});

export async function retainMediaRows(
  db: Database,
  { bound, most }: { bound: Date; most: number },
  now: number,
): Promise<{ looked: number; deleted: number }> {
  const [answer] = await db.call(retainMedia, [{ bound: bound.toISOString(), most }], now);
  return answer ?? { looked: 0, deleted: 0 };
}
