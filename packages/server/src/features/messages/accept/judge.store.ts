import { columns, hotFunction, of, recordset } from "../../../db/hot-function.ts";
import { ACCEPT } from "./accept-input.ts";
import { FIND_QUOTES } from "./quotes.sql.ts";
import { BROKEN_RULES, CONVERSATION, FACTS, IS_NEW_PERSON, type Rule } from "./verdict.sql.ts";

/** What accepting a message would say, by the same rules: nothing is written, no key is looked at. */
export const judgeMessages = hotFunction({
  name: "judge_messages",
  writes: false,
  input: ACCEPT,
  answers: columns({
    refusals: of<Rule[]>("text[]"),
    /** The provider's time of the person's last message to the number that opened a window. */
    last_inbound_at: "timestamptz?",
    /** Accepting it would count the person as a new one in the portfolio's messaging limit. */
    is_new_person: "boolean",
  }),
  declare: `
  batch_now timestamptz := now;
  rows_text text := rows::text;
  rows_with_quote uuid[];`,
  body: `${FIND_QUOTES}
return query
  select ${BROKEN_RULES}, v.last_inbound_at, ${IS_NEW_PERSON}
  from ${recordset(ACCEPT)}
  ${FACTS}
  ${CONVERSATION}
  order by x.ordinality;`,
});
