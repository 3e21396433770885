import { hotFunction, lookUp } from "../../../db/hot-function.ts";

/** For each endpoint of the workspace, the kinds that it listens to, or `*`. */
export type ListenersAnswer = { events: string[][] | null };

export const findListeners = hotFunction({
  name: "find_listeners",
  writes: false,
  returns: "events json",
  body: `return query select e.events from rows from (json_to_recordset(rows) as (workspace_id uuid)) with ordinality x
    ${lookUp("e", "select json_agg(e.events) as events from webhook_endpoint e where e.workspace_id = x.workspace_id")} order by x.ordinality;`,
});
