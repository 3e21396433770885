import { callWithin } from "../../../db/call-within.ts";
import type { Sql } from "../../../db/database.ts";
import { columns, hotFunction, of, recordset } from "../../../db/hot-function.ts";
import { SLOTS_MASK } from "../../events/event.sql.ts";
import { lockContacts, survivorOf } from "../identifiers.sql.ts";
import {
  BOTH,
  BY_CLIENT,
  HAS_OWN_NUMBER,
  MERGE_RECORDS,
  MERGE_VARIABLES,
  TWO_LIVE_PEOPLE,
} from "./merge-records.sql.ts";

const PAIR = columns({
  workspace_id: "uuid",
  /** Each may be a record that was merged before: then the surviving one is meant. */
  contact_id: "uuid",
  other_contact_id: "uuid",
});

/** `same`: they are one contact already. `two_people`: the provider knows them as two. */
export type MergeOutcome = "merged" | "same" | "two_people" | "not_found" | "no_other";

/** Merges records that a client names as one person: the first survives. Its caller has locked both. */
export const mergeNamed = hotFunction({
  name: "merge_named",
  waits: true,
  input: PAIR,
  answers: columns({ outcome: of<MergeOutcome>("text"), slots_mask: "text" }),
  declare: `${MERGE_VARIABLES}
  r record;
  merge_outcome text;`,
  body: `
for r in
  select x.*, '${BY_CLIENT}' as source, null::uuid as message_id, '' as scope, now as at from ${recordset(PAIR)}
  order by x.workspace_id, x.ordinality
loop
  survivor := ${survivorOf("r.workspace_id", "r.contact_id")};
  merged := ${survivorOf("r.workspace_id", "r.other_contact_id")};
  merge_outcome := case when survivor is null then 'not_found' when merged is null then 'no_other'
    when survivor = merged then 'same' end;
  if merge_outcome is null then
${lockContacts("r.workspace_id", "survivor, merged", "update")}
    if (select count(*) < 2 or count(c.merged_into) > 0 from ${BOTH}) then
      raise exception 'overtaken' using errcode = 'serialization_failure';
    end if;
    if ${TWO_LIVE_PEOPLE} then
      merge_outcome := 'two_people';
    else
      merge_outcome := 'merged';
      keeps_number := ${HAS_OWN_NUMBER};
${MERGE_RECORDS}
    end if;
  end if;
  return query select merge_outcome, ${SLOTS_MASK};
end loop;`,
});

export async function callMergeNamed(
  sql: Sql,
  workspaceId: string,
  { survivor, other }: { survivor: string; other: string },
  now: number,
): Promise<MergeOutcome> {
  const row = { workspace_id: workspaceId, contact_id: survivor, other_contact_id: other };
  const [answer] = await callWithin(sql, mergeNamed, [row], now);
  return answer?.outcome ?? "not_found";
}
