import { expect, vi } from "vitest";
import { parseId } from "../../packages/server/src/lib/ids.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import type { Deployment, Worker, Workspace } from "./deployment.ts";

/** Resolves once no statement of a process runs in the database any more, when all of them are killed. */
export const statementsEnded = ({ database }: Deployment): Promise<void> =>
  withClient(database.url, (client) =>
    vi.waitFor(
      async () => {
        const running = `select from pg_stat_activity where datname = current_database()
          and application_name like 'waypost %' and application_name <> 'waypost tests'`;
        expect((await client.query(running)).rows).toEqual([]);
      },
      { timeout: 15_000, interval: 20 },
    ),
  );

/**
 * What a killed process had begun in the workspace was begun 45 s earlier than it was. The next owner of its lanes then settles it
 * as soon as it reads it, where it would wait until 45 s after the start. Call it before the lanes have that owner.
 */
export async function ageAttempts({ database }: Deployment, { id }: Workspace, { worker }: Worker): Promise<void> {
  await withClient(database.url, async (client) => {
    await client.query("select set_config('app.workspace_id', $1, false)", [parseId("ws", id)]);
    await client.query(
      `update dispatch set started_at = started_at - interval '45 seconds'
       where state = 1 and worker = $1 and started_at > now() - interval '45 seconds'`,
      [worker],
    );
  });
}
