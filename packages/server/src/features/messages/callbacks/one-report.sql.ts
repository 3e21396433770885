import { columns, HAS_ONE_ROW, recordset } from "../../../db/hot-function.ts";
import { CALLBACK_INPUT } from "./callback.sql.ts";
import { RECEIVE_ONE, RECEIVE_ONE_VARIABLES } from "./one-message.sql.ts";
import { REPORT_ONE } from "./one-status.sql.ts";

/** A callback as `take_callbacks` gets it; `reports` is json. */
export const CALLBACK_ROW = columns({
  ...CALLBACK_INPUT,
  /** The provider's id of the number, and whose it was when the caller looked. */
  number: "text",
  workspace_id: "uuid",
  reports: "json",
  /** The process has lanes that take the deliveries of the callback's event, where both are alone. */
  hands: "boolean?",
});

/** For `TAKE_ONE_REPORT`. */
export const ONE_REPORT_VARIABLES = `
  g record;
  r record;
  k record;
  x record;${RECEIVE_ONE_VARIABLES}`;

/**
 * The short ways of a callback that is alone in its call and holds one status or message, as most do. What is not usual leaves before
 * anything is written.
 */
export const TAKE_ONE_REPORT = `
if not again and ${HAS_ONE_ROW} then
  select x.*, case when json_array_length(x.reports) = 1 then x.reports->0->>'kind' end as kind into g from ${recordset(CALLBACK_ROW)};
  if g.kind = 'status' then ${REPORT_ONE}
  elsif g.kind = 'message' then ${RECEIVE_ONE}
  end if;
end if;`;
