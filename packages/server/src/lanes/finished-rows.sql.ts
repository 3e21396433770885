/**
 * Deletes the rows named by the arrays `<rows>_slot`, `<rows>_workspace` and `<rows>_seq` of a hot function, which declares
 * `r record`. By key, a slot and a workspace at a time: joined with a list, the planner may choose to read all of the table. With
 * a range, and a short one: before PostgreSQL 17 the planner takes a list in the middle of a key for a filter, and reads the slot
 * from its first row to its last.
 */
export const deleteRows = (table: string, rows: string): string => `
for r in
  select u.slot, u.workspace_id, array_agg(u.seq) as seqs, min(u.seq) as first, max(u.seq) as last
  from unnest(${rows}_slot, ${rows}_workspace, ${rows}_seq) as u(slot, workspace_id, seq)
  group by u.slot, u.workspace_id, u.seq >> 10 order by u.slot, u.workspace_id, u.seq >> 10
loop
  delete from ${table} d
  where d.slot = r.slot and d.seq between r.first and r.last and d.seq = any(r.seqs) and d.workspace_id = r.workspace_id;
end loop;`;
