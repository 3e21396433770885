import { columns, hotFunction, of, recordset } from "../../../db/hot-function.ts";
import { ACCEPT, FIND_QUOTES } from "./accept.store.ts";
import { BROKEN_RULES, CONVERSATION, FACTS, type Rule } from "./verdict.sql.ts";

/** What accepting a message would say, by the same rules: nothing is written, no key is looked at. */
export const judgeMessages = hotFunction({
  name: "judge_messages",
  writes: false,
  input: ACCEPT,
  answers: columns({
    refusals: of<Rule[]>("text[]"),
    /** The provider's time of the person's last message to the number that opened a window. */
    last_inbound_at: "timestamptz?",
  }),
  declare: `
  batch_now timestamptz := now;
  rows_text text := rows::text;
  rows_with_quote uuid[];`,
  body: `${FIND_QUOTES}
return query
  select ${BROKEN_RULES}, v.last_inbound_at
  from ${recordset(ACCEPT)}
  ${FACTS}
  ${CONVERSATION}
  order by x.ordinality;`,
});
