import { REPORTS } from "../threads/status.ts";

/** boolean: whether the message of a use, a row `use` of `media_use`, may still need its file. */
export const messageWaits = (use: string): string => `exists (
      select from message_state s
      where s.workspace_id = ${use}.workspace_id and s.id = ${use}.message_id
        and (s.rank = 0 or s.rank = ${REPORTS.unknown.rank} and s.seen & ${REPORTS.given_up.bit} = 0))`;
