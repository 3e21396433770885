import type { QueueRow } from "../kind.ts";

/** Inserts a row at its place; new rows belong at the end, so the search begins there. */
export function insertBySeq(rows: QueueRow[], row: QueueRow): void {
  let at = rows.length;
  while (at > 0 && (rows[at - 1]?.seq ?? 0) > row.seq) at -= 1;
  if (at === rows.length) rows.push(row);
  else rows.splice(at, 0, row);
}
