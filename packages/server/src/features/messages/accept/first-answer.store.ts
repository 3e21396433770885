import { columns, hotFunction, inSpan, lookUp, recordset } from "../../../db/hot-function.ts";
import { FIRST_COLUMNS } from "../column-lists.ts";

const ASKED = columns({ workspace_id: "uuid", id: "uuid" });

/** All of it is null when there is no message of this id any more. */
const ANSWER = columns({ ...FIRST_COLUMNS, id: "uuid?", is_erased: "boolean" });

/** Reads messages that are given as the answer again: a batch of a thousand is repeated in a few calls. */
export const readAccepted = hotFunction({
  name: "read_accepted",
  writes: false,
  input: ASKED,
  answers: ANSWER,
  span: ({ id }) => [id],
  body: `
return query select ${Object.keys(FIRST_COLUMNS)
    .map((column) => `m.${column}`)
    .join(", ")}, z.yes is not null
from ${recordset(ASKED)}
${lookUp("m", `select g.* from message g where g.workspace_id = x.workspace_id and g.id = x.id and ${inSpan("g.id")}`)}
${lookUp("z", "select true as yes from erased_contact e where e.workspace_id = x.workspace_id and e.id = m.contact_id")}
order by x.ordinality;`,
});
