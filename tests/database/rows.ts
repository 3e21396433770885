import { randomUUID } from "node:crypto";
import type { Database, Sql } from "../../packages/server/src/db/database.ts";
import { claimAll } from "../../packages/server/src/features/accounts/routing.store.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";

/** One workspace with all that a message needs: account, number, template, contact, endpoint that wants everything. */
export type Tenant = {
  workspace: string;
  account: string;
  number: string;
  /** The provider's id of the number, routed to the workspace. */
  providerNumber: string;
  numberLane: number;
  template: string;
  contact: string;
  phone: string;
  endpoint: string;
  endpointLane: number;
};

export async function makeTenant(db: Database, phone: string, now = Date.now()): Promise<Tenant> {
  const [workspace, account, number, template, contact, endpoint] = Array.from({ length: 6 }, () => newUuid(now)) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const at = new Date(now);
  const providerNumber = `pn-${number}`;
  const lanes = await db.transaction(workspace, async (sql) => {
    const insert = (table: string, row: Record<string, unknown>): Promise<{ lane: number }[]> =>
      insertRow(sql, table, { workspace_id: workspace, created_at: at, updated_at: at, ...row });
    await insert("workspace", { name: "app" });
    await insert("business_account", {
      id: account,
      provider_account_id: `waba-${account}`,
      status: "connected",
      job_id: randomUUID(),
    });
    const numbers = await insert("phone_number", {
      id: number,
      business_account_id: account,
      provider_phone_number_id: providerNumber,
      phone: "+15550000000",
      quality: "green",
      status: "connected",
    });
    await claimAll(sql, workspace, [{ kind: "number", provider_id: providerNumber, id: number }], now);
    await insert("template", {
      id: template,
      business_account_id: account,
      provider_template_id: "1",
      name: "hello",
      language: "en",
      category: "utility",
      status: "approved",
      quality: "green",
      parameter_format: "positional",
      components: "[]",
    });
    await insert("contact", { id: contact, phone });
    const endpoints = await insert("webhook_endpoint", {
      id: endpoint,
      url: "https://example.com",
      events: ["*"],
      secret: Buffer.from("secret"),
    });
    return [numbers[0]?.lane ?? 0, endpoints[0]?.lane ?? 0] as const;
  });
  return {
    workspace,
    account,
    number,
    providerNumber,
    numberLane: lanes[0],
    template,
    contact,
    phone,
    endpoint,
    endpointLane: lanes[1],
  };
}

/** The row as the database keeps it. */
export function insertRow<Row extends object>(sql: Sql, table: string, row: Record<string, unknown>): Promise<Row[]> {
  const columns = Object.keys(row);
  return sql.query<Row>(
    `insert into ${table} (${columns.join(", ")}) values (${columns.map((_, index) => `$${index + 1}`).join(", ")}) returning *`,
    Object.values(row) as never,
  );
}
