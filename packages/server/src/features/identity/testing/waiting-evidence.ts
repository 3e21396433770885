import { withClient } from "../../../testing/client.ts";

/** Observations that wait to be learned, which only the engine's role sees. */
export const waitingEvidence = (databaseUrl: string): Promise<{ contact_id: string }[]> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ role: string }>("select engine_role as role from installation");
    const role = `"${rows[0]?.role}"`;
    await client.query(`begin; grant ${role} to current_user; set local role ${role}`);
    const waiting = (await client.query<{ contact_id: string }>("select * from contact_evidence")).rows;
    await client.query("rollback");
    return waiting;
  });
