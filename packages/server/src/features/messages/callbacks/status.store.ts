import { columns, hotFunction, lookUp, of, type RowOf, recordset, sqlInterval } from "../../../db/hot-function.ts";
import { JOIN_LOCK } from "../../../db/locks.ts";
import { SLOTS_FILLED, SLOTS_MASK } from "../../webhooks/event.sql.ts";
import { lockStates, reportStatus, STATUS_VARIABLES, writeReports } from "../message.sql.ts";

/** One status of a callback. */
export const STATUS = columns({
  kind: of<"status">("text"),
  workspace_id: "uuid",
  /** Whose it is: statuses that wait for their message are bounded for each number. */
  phone_number_id: "uuid",
  /** When our authenticated value named the message; else it is looked up. */
  message_id: "uuid?",
  provider_message_id: "text",
  bit: "int",
  at: "timestamptz",
  error: of<object>("json?"),
  pricing: "json",
});
export type ReportRow = RowOf<typeof STATUS>;

const REPORTED = recordset(STATUS);
const RESOLVED = `${REPORTED} ${lookUp(
  "k",
  `
    select k.message_id from provider_message k
    where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id`,
)}`;

/** A status whose message is not known is looked at after this long: most often the send was just being stored. */
const FIRST_LOOK = sqlInterval(5_000);
/** And once more, when every transaction has ended that may have been storing it: a statement has 8 s, and a queue before it. */
const LAST_LOOK = sqlInterval(30_000);
/** Looked at in one call. */
export const LOOKS_A_CALL = 500;
/** Statuses that a number keeps waiting, its newest: a number that another system sends from too has one for each of that one's. */
export const MOST_PARKED_A_NUMBER = 5_000;

const joinOne = (parked: string, message: string): string =>
  reportStatus({
    workspace: `${parked}.workspace_id`,
    message,
    bit: `${parked}.bit`,
    at: `${parked}.at`,
    error: `${parked}.error`,
    providerMessageId: `${parked}.provider_message_id`,
    pricing: `${parked}.pricing`,
  });

export const REPORT_VARIABLES = `
  p record;
  verdict text;
  sent_twice boolean;
  verdicts text[];
  messages uuid[];
  sent_twices boolean[];`;

/**
 * Applies statuses of callbacks (`ReportRow`). It never touches the queue: the lane's owner alone does, and finds the evidence
 * in the state row. The status may come before our own outcome is stored, so it writes the provider's id as well.
 * Outcomes: `reported`, `repeated`, `parked` (its message is not known yet) or `unknown_message` (named by us, and not here).
 */
export const REPORT_STATUSES = `
${lockStates(`select x.workspace_id, coalesce(x.message_id, k.message_id) as id from ${RESOLVED}`)}
verdicts := '{}';
messages := '{}';
sent_twices := '{}';
for r in
  select x.*, coalesce(x.message_id, k.message_id) as message, k.message_id as message_of_provider_id
  from ${RESOLVED}
  order by x.ordinality
loop
  sent_twice := false;
  if r.message is null then
    insert into parked_status
      (workspace_id, provider_message_id, phone_number_id, bit, at, received_at, error, pricing, look_at)
    values (r.workspace_id, r.provider_message_id, r.phone_number_id, r.bit, r.at, now, r.error, r.pricing,
      now + ${FIRST_LOOK})
    on conflict do nothing;
    verdict := 'parked';
  else
    ${reportStatus({
      workspace: "r.workspace_id",
      message: "r.message",
      bit: "r.bit",
      at: "r.at",
      error: "r.error",
      providerMessageId: "r.provider_message_id",
      pricing: "r.pricing",
    })}
    if found then
      verdict := 'reported';
      -- Two provider ids for one message: it was sent twice, and that must be known.
      sent_twice := st.provider_message_id <> r.provider_message_id;
      if r.message_of_provider_id is null then
        insert into provider_message (workspace_id, provider_message_id, message_id, created_at)
        values (r.workspace_id, r.provider_message_id, r.message, now)
        on conflict do nothing;
        -- Earlier ones, which did not carry our value.
        for p in
          delete from parked_status w
          where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id
          returning w.*
        loop
          ${joinOne("p", "r.message")}
        end loop;
      end if;
    else
      verdict := case
        when exists (select from message_state s where s.workspace_id = r.workspace_id and s.id = r.message) then 'repeated'
        else 'unknown_message' end;
    end if;
  end if;
  verdicts := array_append(verdicts, verdict);
  messages := array_append(messages, r.message);
  sent_twices := array_append(sent_twices, sent_twice);
end loop;
${writeReports}
return query select u.verdict, u.message, u.sent_twice, ${SLOTS_MASK}
  from unnest(verdicts, messages, sent_twices) with ordinality u(verdict, message, sent_twice, n)
  order by u.n;`;

const LOOK = columns({
  /** The time up to which looks are due. */
  up_to: "timestamptz",
});

/**
 * Looks at statuses that were parked while their send's outcome was being written by another transaction, which could not
 * see them: at each once soon and once for the last time, by one process. A call that learns a message's provider id later
 * takes the statuses that wait for it too. One input row. One answer row for each status that was looked at.
 */
export const joinParked = hotFunction({
  name: "join_parked",
  input: LOOK,
  answers: columns({ workspace_id: "uuid", phone_number_id: "uuid?", message_id: "uuid?", slots_mask: "text" }),
  declare: `${SLOTS_FILLED}${STATUS_VARIABLES}
  r record;`,
  body: `
if not pg_try_advisory_xact_lock(${JOIN_LOCK}) then return; end if;
for r in
  select w.*, k.message_id as message from ${recordset(LOOK)}
  cross join lateral (
    select w.* from parked_status w where w.look_at <= x.up_to order by w.look_at limit ${LOOKS_A_CALL}) w
  ${lookUp(
    "k",
    `
    select k.message_id from provider_message k
    where k.workspace_id = w.workspace_id and k.provider_message_id = w.provider_message_id`,
  )}
  -- State rows before parked ones, each sorted, as a call that stores an outcome locks them.
  order by k.message_id is null, w.workspace_id, k.message_id, w.received_at
loop
  if r.message is null then
    update parked_status w set look_at = case
      when r.look_at < r.received_at + ${LAST_LOOK} then r.received_at + ${LAST_LOOK} end
    where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.bit = r.bit;
  else
    ${joinOne("r", "r.message")}
    ${writeReports}
    delete from parked_status w
    where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.bit = r.bit;
  end if;
  return query select r.workspace_id, r.phone_number_id, r.message, ${SLOTS_MASK};
end loop;`,
});

const NUMBER = columns({ workspace_id: "uuid", phone_number_id: "uuid" });

/** Deletes what a number has parked beyond its bound, the oldest first. One answer row for each number that had too many. */
export const trimParked = hotFunction({
  name: "trim_parked",
  input: NUMBER,
  answers: columns({ phone_number_id: "uuid", trimmed: "int" }),
  declare: "r record; n int;",
  body: `
for r in
  select x.*, w.received_at as bound from ${recordset(NUMBER)}
  cross join lateral (
    select w.received_at from parked_status w
    where w.workspace_id = x.workspace_id and w.phone_number_id = x.phone_number_id
    order by w.received_at desc offset ${MOST_PARKED_A_NUMBER} limit 1) w
  order by x.workspace_id, x.phone_number_id
loop
  delete from parked_status w
  where w.workspace_id = r.workspace_id and w.phone_number_id = r.phone_number_id and w.received_at <= r.bound;
  get diagnostics n = row_count;
  return query select r.phone_number_id, n;
end loop;`,
});
