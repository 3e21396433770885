import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PERSONAL_DATA, WITHOUT_PERSONAL_DATA } from "../../packages/server/src/features/contacts/personal-data.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { testDatabase } from "../../packages/server/src/testing/database.ts";

it("has a decision for each table: whether people's data is in it, and what an erasure does", async () => {
  const database = await testDatabase();
  try {
    const tables = await withClient(database.url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select c.relname as name from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
      );
      return rows.map(({ name }) => name);
    });
    const decided = [...PERSONAL_DATA.map(({ table }) => table), ...WITHOUT_PERSONAL_DATA];
    expect(decided.toSorted()).toEqual(tables.toSorted());
  } finally {
    await database.drop();
  }
});

it("is what docs/privacy.md says", () => {
  const page = readFileSync(new URL("../../docs/privacy.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)].map(([, table, holds, erasure]) => ({
    table,
    holds,
    erasure,
  }));
  expect(rows).toEqual(PERSONAL_DATA.map(({ stays: _stays, ...shown }) => shown));
});
