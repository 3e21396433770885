import { inLane, orderIn } from "../../../lanes/queue-sql.ts";

/**
 * Moves the row `r` of the queue behind the earlier ones of its conversation. Their time was read as `r.due`, and may have become an earlier one
 * since, by a person who asked for one of them: then that counts, and where none of them waits any more, now. `conversations` is SQL, those that
 * are one with that of the row `q`.
 */
export const moveBehind = (table: string, conversations: string): string => `
      update ${table} q set due = greatest(now, least(r.due, coalesce((
        select min(f.due) from ${table} f
        where ${inLane("f", "q.slot", "q.lane")} and f.conversation = any(${conversations}) and ${orderIn("f")} < r.seq and f.due > '-infinity'), now)))
      where q.slot = r.slot and q.seq = r.seq and q.workspace_id = r.workspace_id;`;
