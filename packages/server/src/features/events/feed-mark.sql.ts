import { sqlInterval } from "../../db/hot-function.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/duration.ts";
import { NIL_WORKSPACE } from "../../lib/ids.ts";

/*
 * Events are read in the order of the transactions that wrote them, and their ids are in the order of time: what is wanted from a time on may
 * be anywhere in that order, in principle. A mark is a time and the transaction below which all had ended by then. None of these can have
 * written an event of a later time, whatever was slow, repeated or restored, so that the reader begins at the transaction of the mark.
 */

const EVERY_MS = HOUR_MS;
/** Clocks of processes may be ahead by a minute: an event's id may be of a time at which it was not written yet. */
const CLOCK_AHEAD_MS = 15 * MINUTE_MS;
/** Longer than events are kept; marks of an older time only make a reader slower where they are missing. */
const KEPT_MS = 400 * DAY_MS;

const MARKS = `m.workspace_id = '${NIL_WORKSPACE}'`;

/**
 * Notes a mark where the last one is an hour old. `settled` and `era` are SQL: all transactions of the era below `settled` have ended. The time
 * is asked after that; where the clock of the processes is ahead of the database's, theirs counts. `marked_at` is a variable of the function,
 * a timestamptz.
 */
export const noteFeedMark = (settled: string, era: string): string => `
marked_at := greatest(now, clock_timestamp());
insert into feed_mark (workspace_id, at, era, xid) select '${NIL_WORKSPACE}', marked_at, ${era}, ${settled}
where not exists (select from feed_mark m where ${MARKS} and m.at > marked_at - ${sqlInterval(EVERY_MS)});
if found then
  delete from feed_mark m where ${MARKS} and m.at < marked_at - ${sqlInterval(KEPT_MS)};
end if;`;

/** Looks for the place from which on all events are whose id is at least `lowest`, a uuid; both variables are null where none is known. */
export const findFeedMark = (lowest: string, into: { era: string; xid: string }): string => `
  select m.era, m.xid into ${into.era}, ${into.xid} from feed_mark m
  where ${MARKS} and m.at < uuid_time(${lowest}) - ${sqlInterval(CLOCK_AHEAD_MS)} order by m.at desc limit 1;`;
