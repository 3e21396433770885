import { columns, hotFunction, lookUp, of, recordset } from "../../db/hot-function.ts";
import { inWorkspace } from "./event.sql.ts";

const INPUT = columns({ workspace_id: "uuid" });

export const findListeners = hotFunction({
  name: "find_listeners",
  writes: false,
  input: INPUT,
  answers: columns({
    /** For each endpoint of the workspace, the kinds that it listens to, or `*`. */
    events: of<string[][]>("json?"),
  }),
  body: `return query select e.events from ${recordset(INPUT)}
    ${lookUp("e", `select json_agg(e.events) as events from webhook_endpoint e where ${inWorkspace("x.workspace_id")}`)}
    order by x.ordinality;`,
});
