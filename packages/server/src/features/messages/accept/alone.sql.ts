import { HAS_ONE_ROW, readOnlyRow } from "../../../db/hot-function.ts";
import { slotOfLane } from "../../../lanes/lane-kinds.ts";
import { SLOTS_MASK } from "../../events/event.sql.ts";
import { ACCEPT } from "./accept-input.ts";
import {
  CONVERSATION_KEY,
  DECIDED,
  insertAudits,
  insertMessages,
  insertQueueRows,
  insertStates,
  isNews,
  SENT_TO,
  takeKeys,
  UNLESS_OVERTAKEN,
  upsertConversations,
} from "./effects.sql.ts";
import { CONTACT_OF_NAME, CONTACT_OF_PHONE, FACT, MAY_BREAK, RULES } from "./verdict.sql.ts";

/** For `TAKE_ONE`; `is_taken`: it has done all. */
export const ONE_VARIABLES = `
  is_taken boolean := false;
  is_found boolean := false;
  x record;
  c record;
  n record;
  a record;
  t record;
  v record;`;

/** Reads a row into the variable that is called like its alias. */
const read = (alias: string, select: string): string => `${select} into ${alias};`;

/** Leaves the row to the other way where it may break one of the rules that are asked once this is read. */
const leaveIfBroken = (once: "c" | "n" | "t" | "v"): string =>
  RULES.filter(([rule]) => MAY_BREAK[rule].once === once)
    .map(([rule, isBroken]) => {
      const { given, when = isBroken } = MAY_BREAK[rule];
      const leave = `exit alone when ${when};`;
      return given === undefined ? leave : `if ${given} then ${leave} end if;`;
    })
    .join("\n  ");

/**
 * The short way of a row that is alone in its call, as most are: to a person who is known, refused by no rule, with a key that is new. Each
 * fact is read by a statement of its own, and only where the row needs it: the statement for many rows spends two thirds of its time on
 * its start. What is anything else leaves before anything is written.
 */
export const TAKE_ONE = `
<<alone>>
begin
  exit alone when again or not (${HAS_ONE_ROW}) or tight <> '{}';
  ${readOnlyRow(ACCEPT, DECIDED)}
  if x.phone is not null then
    ${read("c", CONTACT_OF_PHONE)}
    is_found := found;
    -- Mostly a stranger.
    exit alone when not is_found and x.new_contact_id is not null;
  end if;
  ${read("n", FACT.n)}
  ${read("a", FACT.a)}
  ${leaveIfBroken("n")}
  if not is_found then
    ${read("c", CONTACT_OF_NAME)}
  end if;
  ${leaveIfBroken("c")}
  if x.template_id is not null then
    ${read("t", FACT.t)}
    ${leaveIfBroken("t")}
  end if;
  ${read("v", FACT.v)}
  ${leaveIfBroken("v")}
  if x.key is not null then
    perform ${FACT.k.replace(/^select /, "")};
    exit alone when found;
    ${takeKeys(null)};
    ${UNLESS_OVERTAKEN}
  end if;
  x.lane := n.lane;
  x.slot := ${slotOfLane("n.lane")};
  x.contact := c.id;
  x.recipient := ${SENT_TO};
  x.conversation := ${CONVERSATION_KEY};
  x.sequence := nextval('conversation_sequence');
  x.seq := nextval('dispatch_seq_seq');
  if ${isNews("v")} then ${upsertConversations(null)}; end if;
  ${insertMessages(null)};
  ${insertStates(null)};
  if x.actor_type is not null then ${insertAudits(null)}; end if;
  ${insertQueueRows(null)};
  outcome := 'accepted';
  contact_id := x.contact;
  recipient := x.recipient;
  sequence := x.sequence;
  slot := x.slot;
  slots_mask := ${SLOTS_MASK};
  queued := json_build_object('slot', x.slot, 'lane', x.lane, 'seq', x.seq, 'key', x.conversation::text);
  return next;
  is_taken := true;
end;`;
