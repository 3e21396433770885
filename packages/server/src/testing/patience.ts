import { escapeIdentifier } from "pg";
import { withClient } from "./client.ts";

/** Lets a hot function wait for locks for 20 s, much longer than the tenth of a second that it has. */
export const waitForLocks = (url: string, installed: string): Promise<void> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ engine_role: string }>("select engine_role from installation");
    const engine = escapeIdentifier(rows[0]?.engine_role ?? "");
    // In one transaction, so that no other test sees the login with this role.
    await client.query(`begin; grant ${engine} to current_user; set local role ${engine}`);
    await client.query(`alter function ${installed} set lock_timeout = '20s'; reset role`);
    await client.query(`revoke ${engine} from current_user; commit`);
  });

/**
 * For `vi.waitFor`, which by itself gives up after a second: how long a condition may take to hold. It guards nothing but a failing
 * test, so it is far longer than anything takes on a machine with ten times as much to do. How fast things are is measured by `bench`.
 */
export const PATIENCE = { timeout: 30_000, interval: 15 };
