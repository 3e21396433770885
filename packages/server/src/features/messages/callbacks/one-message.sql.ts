import { columns, readOnlyRow } from "../../../db/hot-function.ts";
import { emitEvent, SLOTS_MASK } from "../../events/event.sql.ts";
import { contactShown } from "../../identity/identifiers.sql.ts";
import { ownersOf, TAKE_OWNERS } from "../../threads/owner.sql.ts";
import { insertReported } from "../column-lists.ts";
import { insertCallback, isNext } from "./callback.sql.ts";
import {
  insertNames,
  insertReceivedStates,
  KNOWN,
  NAME,
  ownerSaid,
  READ_ALONE,
  RECEIVED_VALUES,
  receivedEvent,
  upsertWindows,
} from "./received.sql.ts";
import { CONVERSATION_OF_REPORTED, QUOTED_ALONE } from "./reported-message.sql.ts";

/** For `RECEIVE_ONE`, beside the records `g`, `k` and `x`, `OWNER_VARIABLES` and what `emitEvent` needs to hand over. */
export const RECEIVE_ONE_VARIABLES = `
  p record;
  w record;`;

const { new_contact_id: _ofStrangers, ...GIVEN } = KNOWN;
/** What is read or made of it. */
const FOUND = columns({
  contact_id: "uuid",
  number_phone: "text",
  sequence: "bigint",
  conversation: "bigint",
  quoted: "uuid?",
});

/**
 * The short way of the callback `g` that holds one message: of a person of whom it teaches nothing, to us, with a provider's id that is
 * new, and in which nothing is said of marketing and that brings no file. What is anything else leaves before anything is written.
 */
export const RECEIVE_ONE = `
  <<alone>>
  begin
    ${readOnlyRow(GIVEN, FOUND, "g.reports")}
    exit alone when x.files is not null;
    ${READ_ALONE}
    exit alone when not (${isNext("g")});
    x.quoted := ${QUOTED_ALONE};
    ${insertNames(`values (${NAME})`)};
    exit alone when not found;
    ${insertCallback("g")}
    x.sequence := nextval('conversation_sequence');
    x.conversation := ${CONVERSATION_OF_REPORTED};
    ${upsertWindows(
      "values (x.workspace_id, x.contact_id, x.phone_number_id, case when x.opens_window then x.at end, now)",
    )}
    into k;
    if k.has_owner and x.opens_window then
      owner_signs := ${ownersOf("(select 1 as ordinality) o", { ...ownerSaid("false"), ordinality: "o.ordinality" })};
    end if;
    ${insertReported("", RECEIVED_VALUES)}
    returning case when g.hands then row_to_json(message) end as message into k;
    ${insertReceivedStates("")};
    if g.hands then
      ${contactShown("x.workspace_id", "x.contact_id")} into p;
      -- Since it was found.
      if p.merged_into is not null then
        ${contactShown("x.workspace_id", "p.merged_into")} into p;
      end if;
    end if;
    ${emitEvent(receivedEvent("'messages'"), { when: "g.hands", message: "k.message", contact: "p.contact" })}
    ${TAKE_OWNERS}
    return query select 'taken', array[x.id], '{}'::uuid[], has_evidence, ${SLOTS_MASK}, handed;
    return;
  end;`;
