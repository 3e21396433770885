import { randomBytes } from "node:crypto";
import { expect, inject, it } from "vitest";
import { install } from "../../packages/server/src/process/install.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { dropTemplate, makeTemplate, urlOf } from "../../packages/server/src/testing/template.ts";
import { adminUrl } from "./databases.ts";

// Where the given login is no superuser it is not the run's own, and a database of another name may be anyone's.
it.skipIf((await adminUrl()) === null)(
  "the template of a run is dropped with the databases and roles that failed tests have left",
  async () => {
    const server = inject("serverUrl");
    const name = `waypost_t_${randomBytes(4).toString("hex")}`;
    const template = await makeTemplate(server, name);
    const left = `waypost_e_${randomBytes(4).toString("hex")}`;
    const elsewhere = urlOf(template.url, "postgres");
    await withClient(elsewhere, async (owner) => {
      await owner.query(`create database ${name}_clone template ${name}`);
      await owner.query(`create database ${left}`);
    });
    await install(urlOf(template.url, left)); // with roles of its own
    const found = () =>
      withClient(server, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `select datname as name from pg_database where datname ^@ $1 or datname = $2
         union all select rolname from pg_roles where rolname ~ $3`,
          [name, left, `${name}|${left}`],
        );
        return rows.length;
      });
    expect(await found()).toBeGreaterThanOrEqual(7);
    await dropTemplate(server, template);
    expect(await found()).toBe(0);
  },
);
