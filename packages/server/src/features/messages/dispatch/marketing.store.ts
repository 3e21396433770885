import { columns, hotFunction, inSpan, lookUp, of, recordset, sqlInterval } from "../../../db/hot-function.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/duration.ts";
import { numberChanged } from "../../accounts/numbers/number.sql.ts";
import { EVENT_VARIABLES, SLOTS_MASK } from "../../events/event.sql.ts";
import { survivorOf } from "../../identity/identifiers.sql.ts";
import { REPORTS } from "../../threads/status.ts";
import { DISPATCH_WINDOW_MS, isOutsideWindow } from "../../threads/thread.sql.ts";

/** A message that is tried while marketing is stopped is judged within this time: a call takes 30 s, and its outcome 15 more. */
const PROBE_WITHIN_MS = 2 * 60_000;

/** Reports that say that the provider has sent a message on. */
const LEFT_BITS = REPORTS.sent.bit | REPORTS.delivered.bit | REPORTS.read.bit | REPORTS.played.bit;

/** text: the category of what an attempt at the message `g` would send now: the message, or its fallback. */
const CATEGORY_NOW = `coalesce(g.category, case when g.fallback_category is not null and (
    not exists (
      select from conversation v
      where v.workspace_id = g.workspace_id and v.contact_id = ${survivorOf("g.workspace_id", "g.contact_id")}
        and v.phone_number_id = g.phone_number_id and not ${isOutsideWindow("v.last_inbound_at", "now", DISPATCH_WINDOW_MS)})
    or was_refused_as_closed(g.workspace_id, g.id)) then g.fallback_category end)`;

const ASKED = columns({ workspace_id: "uuid", phone_number_id: "uuid", message_id: "uuid" });

/**
 * Asks for messages of numbers whose marketing is stopped whether they may be sent. `go`: it is no marketing, or the stop is over.
 * `probe`: its time has come to try one message, and it is this one. `wait`: not before `until`.
 */
export const holdMarketing = hotFunction({
  name: "hold_marketing",
  input: ASKED,
  span: ({ message_id }) => [message_id],
  answers: columns({ verdict: of<"go" | "probe" | "wait">("text"), until: "timestamptz?" }),
  declare: `
  r record;
  stop timestamptz;
  verdicts text[];
  untils timestamptz[];`,
  body: `
for r in
  select x.*, n.marketing_stopped_until, n.marketing_probe, m.category from ${recordset(ASKED)}
  ${lookUp("n", "select n.* from phone_number n where n.workspace_id = x.workspace_id and n.id = x.phone_number_id")}
  ${lookUp("m", `select ${CATEGORY_NOW} as category from message g where g.workspace_id = x.workspace_id and g.id = x.message_id and ${inSpan("g.id")}`)}
  order by x.workspace_id, x.phone_number_id, x.ordinality
loop
  stop := r.marketing_stopped_until;
  untils[r.ordinality] := stop;
  if r.category is distinct from 'marketing' or stop is null then
    verdicts[r.ordinality] := 'go';
  elsif r.marketing_probe = r.message_id then
    verdicts[r.ordinality] := 'probe';
  else
    verdicts[r.ordinality] := 'wait';
    if stop <= now then
      update phone_number n
      set marketing_probe = r.message_id, marketing_stopped_until = now + ${sqlInterval(PROBE_WITHIN_MS)}
      where n.workspace_id = r.workspace_id and n.id = r.phone_number_id and n.marketing_stopped_until <= now;
      if found then
        verdicts[r.ordinality] := 'probe';
      else
        -- Another message of this call is tried, or the stop is over.
        select n.marketing_stopped_until into stop from phone_number n
        where n.workspace_id = r.workspace_id and n.id = r.phone_number_id;
        untils[r.ordinality] := stop;
        if stop is null then verdicts[r.ordinality] := 'go'; end if;
      end if;
    end if;
  end if;
end loop;
return query select u.verdict, u.until from unnest(verdicts, untils) with ordinality u(verdict, until, n) order by u.n;`,
});

const JUDGED = columns({
  workspace_id: "uuid",
  phone_number_id: "uuid",
  message_id: "uuid",
  /** True: the provider refused it because too much of the number's is reported as spam. False: it accepted the probe. */
  refused: "boolean",
});

/**
 * Stops the marketing of a number after a refusal, or goes on with it after an accepted probe; each with one event,
 * `phone_number_changed`. The first pause is 1 h, and each refused probe doubles it, up to 24 h; also one that is accepted and
 * refused by a later status. Refusals of messages that were
 * sent before the stop change nothing.
 */
export const judgeMarketing = hotFunction({
  name: "judge_marketing",
  input: JUDGED,
  span: ({ message_id }) => [message_id],
  answers: columns({
    /** Whether the message is marketing, which waits for the end of the stop. */
    is_marketing: "boolean",
    /** The end of the stop; null: there is none. */
    until: "timestamptz?",
    changed: "boolean",
    slots_mask: "text",
  }),
  declare: `${EVENT_VARIABLES}
  r record;
  n record;
  refusals smallint;
  is_stop boolean;
  changes boolean;
  marketing boolean;`,
  body: `
for r in
  select x.*, case when s.fallback_used then m.fallback_category else m.category end as category from ${recordset(JUDGED)}
  ${lookUp("s", `select s.fallback_used from message_state s where s.workspace_id = x.workspace_id and s.id = x.message_id and ${inSpan("s.id")}`)}
  ${lookUp("m", `select m.category, m.fallback_category from message m where m.workspace_id = x.workspace_id and m.id = x.message_id and ${inSpan("m.id")}`)}
  order by x.ordinality
loop
  select p.* into n from phone_number p
  where p.workspace_id = r.workspace_id and p.id = r.phone_number_id for no key update;
  is_stop := r.refused and (n.marketing_stopped_until is null or n.marketing_probe = r.message_id);
  changes := case when r.refused then is_stop and n.marketing_stopped_until is null
    else coalesce(n.marketing_probe = r.message_id and n.marketing_stopped_until is not null, false) end;
  refusals := n.marketing_refusals;
  -- A probe that was accepted may still be refused, by a status: until it has left, the next stop goes on where the last one ended.
  if changes and r.refused and not exists (
    select from message_state s where s.workspace_id = r.workspace_id and s.id = n.marketing_probe
      and s.seen & ${LEFT_BITS} = 0 and s.accepted_at > now - ${sqlInterval(DAY_MS)}) then
    refusals := 0;
  end if;
  marketing := coalesce(r.category = 'marketing', false);
  if is_stop or changes then
    update phone_number p set updated_at = now, marketing_probe = case when not r.refused then p.marketing_probe end,
      marketing_refusals = case when r.refused then refusals + 1 else refusals end,
      marketing_stopped_until = case when r.refused then now + least(${sqlInterval(DAY_MS)},
        ${sqlInterval(HOUR_MS)} * power(2, least(refusals, 5))) end
    where p.workspace_id = r.workspace_id and p.id = r.phone_number_id
    returning p.* into n;
  end if;
  if changes then
    ${numberChanged("n", "'[\"limit\"]'")}
  end if;
  return query select marketing, n.marketing_stopped_until, changes, ${SLOTS_MASK};
end loop;`,
});
