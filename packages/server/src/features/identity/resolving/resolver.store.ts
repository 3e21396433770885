import { type AnswerOf, columns, hotFunction, of, recordset } from "../../../db/hot-function.ts";
import type { Question } from "../../../db/question.ts";
import { SLOTS_MASK } from "../../events/event.sql.ts";
import { contactsOf, lockContacts } from "../identifiers.sql.ts";
import { EVIDENCE_VARIABLES } from "../recipient.sql.ts";
import { ADD_RECIPIENT_IDENTIFIERS } from "./from-recipient.sql.ts";
import {
  AFTERMATH,
  BOTH,
  END_OLDER_NUMBER,
  MERGE_RECORDS,
  MERGE_VARIABLES,
  MOVE,
  TWO_LINES,
  TWO_NUMBERS,
  TWO_PEOPLE,
} from "./merge-records.sql.ts";
import { COUNT_NEW_OWNER, NEW_OWNER, NEW_OWNER_VARIABLES, WAITS_UNTIL } from "./new-owner.sql.ts";
import { REFUSE_OVERTAKEN, RESOLVE_VARIABLES, timeOfId, WRITE_CONTACT } from "./observation.sql.ts";

const LOOK = columns({
  /** The time up to which looks are due. */
  up_to: "timestamptz",
  most: "int",
});

const due = (condition: string): string => `
  select e.* from ${recordset(LOOK)}
  cross join lateral (
    select e.* from contact_evidence e where e.look_at <= x.up_to and ${condition}
    order by e.look_at limit x.most for update skip locked) e`;

/** Whether `take_evidence` or `merge_contacts` has anything to look at. Each has an index of its own. */
export const EVIDENCE: Question = {
  name: "evidence",
  rows: ["null", "not null"]
    .map((pair) => `select from contact_evidence e where e.look_at <= now and e.other_contact_id is ${pair}`)
    .join(" union all "),
};

/** How long the observation `r` has waited. Its id says when it was kept. */
const AGE = `(now - ${timeOfId("r.id")})`;

/**
 * Takes the observation `r`. One that fails must not keep the others from being learned: it is put back, and looked at ever more
 * seldom; at first soon, where another call was in the way. A lock that another call holds ends the batch, or each observation
 * might wait for it.
 */
const takeOne = (steps: string, sayFailed: string): string => `
  begin
    delete from contact_evidence e where e.workspace_id = r.workspace_id and e.id = r.id;
${steps}
  exception when others then
    update contact_evidence e set look_at = now + case
      when sqlstate in ('40001', '40P01', '55P03') then least(interval '2 seconds', greatest(interval '200 ms', ${AGE} / 10)) * (0.5 + random())
      else least(interval '1 hour', greatest(interval '1 second', ${AGE})) end
    where e.workspace_id = r.workspace_id and e.id = r.id;
    ${sayFailed}
    exit when sqlstate = '55P03';
  end;`;

/** What a look at an observation answers in any case. */
export const LOOKED_AT = columns({
  workspace_id: "uuid",
  message_id: "uuid?",
  /** SQLSTATE, when it could not be learned and will be tried again. */
  failure: "text?",
});

const LEARNED = columns({
  ...LOOKED_AT,
  /** So many numbers have new owners by now that joining stops. */
  stops: "boolean",
  /** That, or an earlier one of the call, teaches that two contacts are one person. */
  has_pairs: "boolean",
});

/**
 * Learns from what the provider said of people that were written to: in answers to sends, and in statuses. One input row. One
 * answer row for each observation. Two contacts of one person are left to `merge_contacts`.
 */
export const takeEvidence = hotFunction({
  name: "take_evidence",
  input: LOOK,
  answers: LEARNED,
  declare: `${EVIDENCE_VARIABLES}${RESOLVE_VARIABLES}${NEW_OWNER_VARIABLES}
  r record;`,
  body: `
for r in
  select e.*, e.source = 'status' as confirms from (${due("e.other_contact_id is null")}) e
  order by e.workspace_id, e.contact_id, e.at, e.id
loop
${takeOne(
  `
  if r.source = '${NEW_OWNER}' then
${COUNT_NEW_OWNER}
    return query select r.workspace_id, r.message_id, null::text, has_stopped, has_evidence;
    continue;
  end if;
${ADD_RECIPIENT_IDENTIFIERS}
  if person is not null then
${WRITE_CONTACT}
${REFUSE_OVERTAKEN}
  end if;
  return query select r.workspace_id, r.message_id, null::text, false, has_evidence;`,
  "return query select r.workspace_id, r.message_id, sqlstate, false, has_evidence;",
)}
end loop;`,
});

export const MERGED = columns({
  ...LOOKED_AT,
  contact_id: "uuid",
  merged_contact_id: "uuid?",
  /** `moved`: the look after a merge. `same`: one contact already. `two_people`: they were not merged. `waits`: joining is stopped. */
  outcome: of<"merged" | "moved" | "same" | "two_people" | "waits" | "failed">("text"),
  slots_mask: "text",
});

/** The columns of an answer, as expressions. */
const answer = (
  contact: string,
  other: string,
  outcome: AnswerOf<typeof MERGED>["outcome"],
  failure = "null::text",
): string => `r.workspace_id, r.message_id, ${failure}, ${contact}, ${other}::uuid, '${outcome}', ${SLOTS_MASK}`;

/** Merges the contacts of the evidence `r`. */
const MERGE = `
  select min(s.id::text)::uuid, max(s.id::text)::uuid into survivor, merged from (
    select coalesce(c.merged_into, c.id) as id from ${contactsOf("r.workspace_id", "r.contact_id, r.other_contact_id")}) s;
  late := r.source = '${AFTERMATH}';
  waits_until := case when not late then ${WAITS_UNTIL} end;
  if waits_until is not null then
    insert into contact_evidence (workspace_id, id, contact_id, other_contact_id, source, message_id, scope, user_id, at, look_at)
    values (r.workspace_id, r.id, r.contact_id, r.other_contact_id, r.source, r.message_id, r.scope, r.user_id, r.at, waits_until);
    return query select ${answer("r.contact_id", "r.other_contact_id", "waits")};
    continue;
  end if;
  if late then
    survivor := (select c.merged_into from contact c where c.workspace_id = r.workspace_id and c.id = r.other_contact_id);
    merged := r.other_contact_id;
  end if;
  if survivor is null or survivor = merged then
    return query select ${answer("r.contact_id", "null", "same")};
    continue;
  end if;
${lockContacts("r.workspace_id", "survivor, merged", "update")}
  -- One may have been merged or erased meanwhile.
  if (select count(*) < 2 or count(c.merged_into) > late::int from ${BOTH}) then
    raise exception 'overtaken' using errcode = 'serialization_failure';
  end if;
  if late then
${MOVE}
    return query select ${answer("survivor", "merged", "moved")};
    continue;
  end if;
  has_two_numbers := ${TWO_NUMBERS} or ${TWO_LINES};
  if ${TWO_PEOPLE} or (has_two_numbers and r.user_id is null) then
    return query select ${answer("survivor", "merged", "two_people")};
    continue;
  end if;
  if has_two_numbers then
${END_OLDER_NUMBER}
  end if;
${MERGE_RECORDS}
  return query select ${answer("survivor", "merged", "merged")};`;

/**
 * Merges contacts of one person, two at a time: the older record survives, both ids answer as it from then on, and nothing is
 * rewritten but what names the person and whose window is open. Two live user ids of one portfolio are two people. One input
 * row. One answer row for each pair that was looked at.
 */
export const mergeContacts = hotFunction({
  name: "merge_contacts",
  input: LOOK,
  answers: MERGED,
  declare: `${MERGE_VARIABLES}
  r record;
  late boolean;
  waits_until timestamptz;
  older record;`,
  body: `
for r in
  select e.* from (${due("e.other_contact_id is not null")}) e
  order by e.workspace_id, least(e.contact_id, e.other_contact_id), greatest(e.contact_id, e.other_contact_id), e.id
loop
${takeOne(MERGE, `return query select ${answer("r.contact_id", "r.other_contact_id", "failed", "sqlstate")};`)}
end loop;`,
});
