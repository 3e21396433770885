import { withClient } from "./client.ts";

/** Statements over all workspaces, on tables that no role of the gateway may access directly. */
export type TestEngine = { rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> };

/** The owner sees no row of a workspace; as a member of the engine role, for one transaction, it may do what hot functions may. */
export const testEngine = (url: string): TestEngine => ({
  rows: <Row extends object>(text: string, values: readonly unknown[] = []) =>
    withClient(url, async (client) => {
      const { rows } = await client.query<{ engine_role: string }>("select engine_role from installation");
      const role = rows[0]?.engine_role ?? "";
      await client.query("begin");
      await client.query(`grant ${role} to current_user`);
      await client.query(`set local role ${role}`);
      const result = await client.query<Row>(text, [...values]);
      await client.query("reset role");
      await client.query(`revoke ${role} from current_user`);
      await client.query("commit");
      return result.rows;
    }),
});
