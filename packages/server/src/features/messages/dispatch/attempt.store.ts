import type { Sql } from "../../../db/database.ts";
import type { MessageErrorCode } from "../../../provider/provider.ts";

/** An attempt that was refused and is tried again. */
export type RefusalRow = {
  attempt: number;
  completed_at: Date;
  code: MessageErrorCode;
  /** Null: the answer had no body of the provider's, or the provider was not reached. */
  provider_code: number | null;
};

/** How a message was refused before this attempt, the latest first. */
export function selectRefusalRows(
  sql: Sql,
  workspaceId: string,
  messageId: string,
  before: number,
): Promise<RefusalRow[]> {
  return sql.query<RefusalRow>(
    `select attempt, completed_at, error->>'code' as code, (error->'provider'->>'code')::float8 as provider_code from attempt
     where workspace_id = $1 and message_id = $2 and attempt < $3 and outcome = 'retry' and error is not null
     order by attempt desc`,
    [workspaceId, messageId, before],
  );
}
