import { each, lookUp, sqlInterval } from "../../db/hot-function.ts";
import { innerFunction } from "../../db/inner-function.ts";
import { DAY_MS } from "../../lib/duration.ts";
import { scopeOf } from "../identity/identifiers.sql.ts";
import { enqueueTaskRows } from "../tasks/task.sql.ts";

// The ledger of people that a portfolio has written to outside their window (docs/adr/0014): steps of other features' database
// functions. Expressions are SQL.

/**
 * How long a person counts (Cloud API documentation, messaging limits: a moving 24 hours), and a minute more: what is counted at the
 * end of a minute leaves in the next one, and the provider counts from when it comes.
 */
export const COUNTS_MS = DAY_MS + 60_000;
/**
 * The wait for a portfolio's lock. It is held until the commit of another call, and is the first lock that a call takes; with four
 * processes and commits of 100 ms, eight such calls wait for each other.
 */
const LOCK_WAIT = "3s";
/** As in every hot function. */
const USUAL_LOCK_WAIT = "100ms";

/** int: the minute of a time. */
export const minuteOf = (time: string): string => `floor(extract(epoch from ${time}) / 60)::int`;

/** int: people last written to before this minute do not count any more. */
export const oldestMinute = (now: string): string => minuteOf(`(${now} - ${sqlInterval(COUNTS_MS)})`);

/** timestamptz: when people of a minute stop counting. */
export const leavesAt = (minute: string): string =>
  `to_timestamp((${minute} + 1)::bigint * 60) + ${sqlInterval(COUNTS_MS)}`;

/** uuid: the digest of who a person is, as `counted_person` says. */
export const recipientOf = (person: string): string => `recipient_digest(${person})`;

/** Look-up `l` of a person's row, where they count. */
export const countedRow = (portfolio: string, recipient: string, now: string): string =>
  lookUp(
    "l",
    `
      select r.minute from portfolio_recipient r
      where r.portfolio_id = ${portfolio} and r.recipient = ${recipient} and r.minute >= ${oldestMinute(now)}`,
  );

/** int: the minute in which a person was last written to, or null. A function's look-up: few rows ask. */
export const countedMinute = (portfolio: string, person: string): string =>
  `counted_minute(${portfolio}, ${recipientOf(person)})`;

/** For `lockPortfolios`. */
export const LEDGER_VARIABLES = `
  ledger record;
  counting text[] := '{}';
  tight text[] := '{}';
  rooms int[] := '{}';
  room_ats timestamptz[] := '{}';`;

/**
 * Locks the portfolios of `rows` that have one (a text named `portfolio`), in one order and before anything else is locked.
 * `counting` are those that have a limit. `tight` are those without room for all rows, should each be of a new person, with
 * `rooms` and `room_ats`, when to look again: what has left them, and what was given back, is found now.
 */
export const lockPortfolios = (now: string): string => `
perform set_config('lock_timeout', '${LOCK_WAIT}', true);
for ledger in
  select p.*, g.asked from (
    select x.portfolio, count(*)::int as asked from json_to_recordset(rows) as x(portfolio text)
    where x.portfolio is not null group by x.portfolio order by x.portfolio) g
  cross join lateral (
    select p.* from portfolio_limit p where p.portfolio_id = g.portfolio for no key update) p
loop
  if ledger.most is not null then counting := counting || ledger.portfolio_id; end if;
  continue when (ledger.most is null or ledger.used + ledger.asked <= ledger.most)
    and (ledger.full_until is null or ledger.full_until <= ${now});
  with returned as (
    delete from portfolio_return t where t.portfolio_id = ledger.portfolio_id returning t.recipient, t.message_id),
  taken_back as (
    delete from portfolio_recipient r using returned t
    where r.portfolio_id = ledger.portfolio_id and r.recipient = t.recipient and r.message_id = t.message_id
    returning 1)
  select ledger.used - count(*) into ledger.used from taken_back;
  if ledger.used + ledger.asked > ledger.most and ledger.next_room_at <= ${now} then
    delete from portfolio_recipient r where r.portfolio_id = ledger.portfolio_id and r.minute < ${oldestMinute(now)};
    select count(*), coalesce(${leavesAt("min(r.minute)")}, '-infinity') into ledger.used, ledger.next_room_at
    from portfolio_recipient r where r.portfolio_id = ledger.portfolio_id;
  end if;
  update portfolio_limit p set used = ledger.used, next_room_at = ledger.next_room_at
  where p.portfolio_id = ledger.portfolio_id;
  tight := tight || ledger.portfolio_id;
  rooms := rooms || case when ledger.full_until > ${now} then 0 else greatest(ledger.most - ledger.used, 0) end;
  -- Where no person had been counted, those of now leave first.
  room_ats := room_ats || coalesce(nullif(greatest(ledger.next_room_at, ledger.full_until), '-infinity'),
    ${leavesAt(minuteOf(now))});
end loop;
perform set_config('lock_timeout', '${USUAL_LOCK_WAIT}', true);`;

/**
 * A query for the rows that find no room, as `id`, the first to come being the first to get it: all rows of one person are decided
 * as one. `from` has rows `x` of tight portfolios with portfolio, counted_as (the digest), ordinality and the id.
 */
export const withoutRoom = (id: string, from: string, now: string): string => `
  select w.id from (
    select n.id, n.portfolio, dense_rank() over (partition by n.portfolio order by n.first) as place
    from (
      select x.${id} as id, x.portfolio, min(x.ordinality) over (partition by x.portfolio, x.counted_as) as first
      from ${from}
      ${countedRow("x.portfolio", "x.counted_as", now)}
      where l.minute is null) n) w
  where w.place > rooms[array_position(tight, w.portfolio)]`;

/** timestamptz: when to ask again for a row of a tight portfolio. */
export const roomAt = (portfolio: string): string => `room_ats[array_position(tight, ${portfolio})]`;

/**
 * Parts of a `with` that count people: rows of `from` with portfolio, counted_as (the digest; null: not to be counted) and the message's id.
 * A person who counts already moves forward, and then counts for no one message.
 */
export const countRecipients = (from: string, id: string, now: string): string => `
counted as (
  insert into portfolio_recipient as r (portfolio_id, recipient, minute, message_id)
  select x.portfolio, x.counted_as, ${minuteOf(now)}, case when count(*) = 1 then (array_agg(x.${id}))[1] end
  from ${from} x
  where x.counted_as is not null
  group by x.portfolio, x.counted_as
  order by x.portfolio, x.counted_as
  on conflict (portfolio_id, recipient) do update set minute = greatest(r.minute, excluded.minute),
    message_id = case when r.message_id = excluded.message_id then r.message_id end
  returning r.portfolio_id, r.xmax = 0 as is_new),
portfolios as (
  insert into portfolio_limit as p (portfolio_id, used, updated_at)
  select c.portfolio_id, count(*), ${now} from counted c where c.is_new group by c.portfolio_id
  on conflict (portfolio_id) do update set used = p.used + excluded.used
  returning 1)`;

/** For `takeReturns`: messages that ended without reaching the person, and those that reached them nevertheless. */
export const RETURN_VARIABLES = `
  unreached uuid[] := '{}';
  reached json[] := '{}';`;

/** The kind of the task that counts the person of one message again. */
export const COUNT_AGAIN = "limits.count_again";
export type CountAgainPayload = { portfolio: string; message_id: string };

/**
 * Gives back whom the messages in `unreached` are counted for, where they still are for this one message. Whom the messages in
 * `reached` (objects with workspace_id and message_id) were given back for is counted again, by a task: it needs the portfolio's lock.
 */
const GIVE_BACK = innerFunction({
  name: "give_back",
  takes: { now: "timestamptz" },
  keeps: { unreached: "uuid[]", reached: "json[]" },
  declare: "",
  body: `
if unreached <> '{}' then
  insert into portfolio_return (portfolio_id, message_id, recipient, at)
  select r.portfolio_id, r.message_id, r.recipient, now
  from unnest(unreached) as u(message_id)
  ${each("r", "select r.* from portfolio_recipient r where r.message_id = u.message_id")}
  order by r.portfolio_id, r.message_id
  on conflict do nothing;
  unreached := '{}';
end if;
if cardinality(reached) > 0 then
  ${enqueueTaskRows(
    `unnest(reached) u(said)
  cross join lateral json_to_record(u.said) as x(workspace_id uuid, message_id uuid)
  ${lookUp("m", "select m.phone_number_id from message m where m.workspace_id = x.workspace_id and m.id = x.message_id")}
  ${lookUp("n", "select n.business_account_id from phone_number n where n.workspace_id = x.workspace_id and n.id = m.phone_number_id")}
  ${lookUp("a", "select a.portfolio_id, a.provider_account_id from business_account a where a.workspace_id = x.workspace_id and a.id = n.business_account_id")}
  ${each("p", `select p.portfolio_id from portfolio_limit p where p.portfolio_id = ${scopeOf("a")} and p.most is not null`)}`,
    {
      workspace: "x.workspace_id",
      id: "x.message_id",
      kind: COUNT_AGAIN,
      payload: "json_build_object('portfolio', p.portfolio_id, 'message_id', x.message_id)",
    },
  )};
  reached := '{}';
end if;`,
});

/** Gives back for the messages in `unreached` and `reached`, if there are any. */
export const takeReturns = (now: string): string => `
if cardinality(unreached) > 0 or cardinality(reached) > 0 then ${GIVE_BACK.call({ now })}
end if;`;
