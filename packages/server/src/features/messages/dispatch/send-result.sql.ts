import { columns, of, type RowOf, recordset } from "../../../db/hot-function.ts";
import { CLAIM } from "../../identity/recipient.sql.ts";

/** What became of a send. */
export const SEND_RESULT = columns({
  slot: "smallint",
  seq: "bigint",
  workspace_id: "uuid",
  message_id: "uuid",
  /** The attempt this is evidence of; 0 when none was begun. */
  attempt: "smallint",
  /**
   * accepted, failed, expired, canceled (its contact was erased): final here; the last two count as `silence` where an answer was lost before. unknown: the answer was
   * lost. retry: a definite no that is tried again at `due`, before the later messages of the person. waits: until `due` the
   * number or the portfolio may not send it, and the person's other messages go on.
   * silence: ten minutes after a lost answer; reported once more, or sent once more where the message asked for that and has
   * not come to its end. Of what waited to be sent once more: evidence has settled it.
   * unwritten: `worker` asked for the attempt, does not know whether it was begun, and wrote nothing: ready again.
   */
  outcome: of<"accepted" | "failed" | "expired" | "canceled" | "unknown" | "silence" | "retry" | "waits" | "unwritten">(
    "text",
  ),
  at: "timestamptz",
  provider_message_id: "text?",
  error: of<object>("json?"),
  due: "timestamptz?",
  lane: "int",
  recipient: "bigint",
  worker: "uuid?",
  /** Accepted, it makes the conversation ours. */
  takes_thread: "boolean?",
  /** What the provider calls the recipient, where that says more than what is known. */
  ...CLAIM,
});
/** The same as the call gets it. */
export const SETTLED_ROW = columns({
  ...SEND_RESULT,
  /** The process has lanes that take the deliveries of the row's event, where it is alone in its call. */
  hands: "boolean?",
});
export type SendResultRow = RowOf<typeof SETTLED_ROW>;
/** The rows of a call. */
export const RESULTS = recordset(SEND_RESULT);

/** The step that learns the provider's ids of messages: of rows `x`, `values` or a select of `NAMED_VALUES`. */
export const insertNamed = (values: string): string => `
  insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
  ${values}
  on conflict do nothing`;
export const NAMED_VALUES = "x.workspace_id, x.provider_message_id, x.message_id, now, false";

/** The step that keeps attempts, in the same form. */
export const insertTried = (values: string): string => `
  insert into attempt (workspace_id, message_id, attempt, completed_at, outcome, provider_message_id, error)
  ${values}
  on conflict do nothing`;
export const TRIED_VALUES = `x.workspace_id, x.message_id, x.attempt, x.at,
    case x.outcome when 'waits' then 'retry' else x.outcome end, x.provider_message_id, x.error`;
