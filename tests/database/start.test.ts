import { randomBytes } from "node:crypto";
import { escapeIdentifier } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readRoles } from "../../packages/server/src/db/migrate.ts";
import { ensurePartitions } from "../../packages/server/src/db/partitions.ts";
import { newKeyText } from "../../packages/server/src/features/keys/key-format.ts";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import type { SystemClock } from "../../packages/server/src/lib/clock.ts";
import { systemClock } from "../../packages/server/src/lib/clock.ts";
import { readConfig } from "../../packages/server/src/process/config/config.ts";
import { type Runtime, start } from "../../packages/server/src/process/runtime.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { testDatabase } from "../../packages/server/src/testing/database.ts";
import { PATIENCE } from "../../packages/server/src/testing/patience.ts";
import { emptyDatabase, runChild } from "./databases.ts";

let database: { url: string; drop(): Promise<void> };
let runtimes: Runtime[] = [];

beforeEach(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  for (const runtime of runtimes.splice(0)) await runtime.stop();
  await database.drop();
});

const environment = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  WAYPOST_OPERATOR_KEY: randomBytes(16).toString("hex"),
  WAYPOST_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  PORT: "0",
});

async function begin(options: { migrate?: boolean; clock?: SystemClock } = {}): Promise<Runtime> {
  const { migrate = true, clock } = options;
  const config = readConfig({ ...environment(), LOG_LEVEL: "silent" });
  const runtime = await start({ config, roles: ["api", "maintenance"], migrate, ...(clock ? { clock } : {}) });
  runtimes = [...runtimes, runtime];
  return runtime;
}

describe("a start", () => {
  it("without migrating refuses a database in which nothing was installed", async () => {
    const empty = await emptyDatabase();
    const config = readConfig({ ...environment(), DATABASE_URL: empty.url, LOG_LEVEL: "silent" });
    await expect(start({ config, roles: ["api"], migrate: false })).rejects.toThrow(
      /never migrated: run `waypost migrate` first/,
    );
    await empty.drop();
  });

  it("without migrating refuses a database that lacks a migration, or a function, of this version", async () => {
    const names = await query<{ name: string }>(
      "delete from migration where name = (select max(name) from migration) returning name",
    );
    await expect(begin({ migrate: false })).rejects.toThrow(
      `migrations are missing (not applied: ${names[0]?.name}): run \`waypost migrate\` first`,
    );
    await query(`insert into migration (name, run_on) values ('${names[0]?.name}', now())`);

    const { installed } = functionNamed("accept_messages");
    await query(`drop function ${installed}`);
    await expect(begin({ migrate: false })).rejects.toThrow(`lacks functions of this version (${installed})`);
  });

  it("creates the partitions ahead before it is ready, even with --no-migrate", async () => {
    const [newest] = await query<{ name: string }>(
      "select max(inhrelid::regclass::text) as name from pg_inherits where inhparent = 'event'::regclass",
    );
    await query(`drop table ${newest?.name}`);
    await begin({ migrate: false });
    expect(await query(`select to_regclass('${newest?.name}') is not null as there`)).toEqual([{ there: true }]);
  });

  it("is refused by a clock more than a minute off the database's; a smaller distance is corrected", async () => {
    const off = (ms: number): SystemClock => {
      const clock = systemClock();
      let corrected = 0;
      return {
        ...clock,
        now: () => Date.now() + ms + corrected,
        correct: (earliestMs) => {
          corrected += earliestMs - (Date.now() + ms + corrected);
        },
      };
    };
    // Half of the time that the question takes is not known.
    await expect(begin({ clock: off(75_000) })).rejects.toThrow(
      /this machine's clock is (6[1-9]|[78]\d) s ahead of the database's/,
    );
    await expect(begin({ clock: off(-75_000) })).rejects.toThrow(
      /this machine's clock is (6[1-9]|[78]\d) s behind the database's/,
    );
    const clock = off(-30_000);
    const correct = vi.spyOn(clock, "correct");
    await begin({ clock });
    expect(correct).toHaveBeenCalled();
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(15_000);
  });
});

describe("/readyz", () => {
  it("covers database, migrations, roles, partitions, functions, lease and slots", async () => {
    const { url } = await begin();
    const names = ["database", "migrations", "roles", "partitions", "functions", "lease", "slots"];
    await expectReadyz(url, 200, Object.fromEntries(names.map((name) => [name, null])));
    expect(Object.keys(await checksOf(url)).toSorted()).toEqual(names.toSorted());

    const [gone] = await query<{ name: string }>(
      "delete from migration where name = (select max(name) from migration) returning name",
    );
    await expectReadyz(url, 503, { database: null, migrations: `not applied: ${gone?.name}` });
    await query(`insert into migration (name, run_on) values ('${gone?.name}', now())`);

    const roles = await readRoles(database.url);
    const engine = escapeIdentifier(roles?.engineRole ?? "");
    await query(`grant ${engine} to current_user`);
    await expectReadyz(url, 503, { roles: `the login inherits from ${roles?.engineRole}` });
    await query(`revoke ${engine} from current_user`);
    await expectReadyz(url, 200, { roles: null });
  });

  it("wants the partitions of today and tomorrow, taken out or gone, and is content when they are made again", async () => {
    const { url, app } = await begin();
    await expectReadyz(url, 200, {});
    const day = (ahead: number) =>
      new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
    const [today, tomorrow] = [`event_${day(0)}`, `callback_${day(1)}`];
    await query(`alter table event detach partition ${today}; drop table ${tomorrow}`);
    await expectReadyz(url, 503, { database: null, partitions: `missing: ${tomorrow}, ${today}` });
    await query(`drop table ${today}`);
    await ensurePartitions(app.db.sql, Date.now());
    await expectReadyz(url, 200, { partitions: null });
  });

  it("says no as soon as one of the process's functions is gone", async () => {
    const { url, broken } = await begin();
    await expectReadyz(url, 200, {});
    const { installed } = functionNamed("authenticate_keys");
    await query(`drop function ${installed}`);
    await askWithStrangeKey(url);
    const fault = await broken;
    expect(fault.message).toBe(
      `the database lacks functions of this version (${installed}): run \`waypost migrate\` of this version, then start it again`,
    );
    await expectReadyz(url, 503, { database: null, functions: fault.message });
  });
});

it("a process whose function is gone ends with one clear line", { timeout: 240_000 }, async () => {
  const child = await runChild("serve-child.ts", [], environment());
  try {
    await vi.waitFor(() => expect(child.output()).toContain("waypost is up"), { timeout: 120_000 });
    const { installed } = functionNamed("dispatch_tail");
    await query(`drop function ${installed}`);
    // Without any request: the lanes look for work by themselves.
    const { code, complaint } = await child.ended;
    expect(complaint).toBe(
      `waypost: the database lacks functions of this version (${installed}): run \`waypost migrate\` of this version, then start it again\n`,
    );
    expect(code).toBe(1);
  } finally {
    child.kill("SIGKILL");
  }
});

function functionNamed(name: string) {
  const found = HOT_FUNCTIONS.find((fn) => fn.name === name);
  if (!found) throw new Error(`no function ${name}`);
  return found;
}

/** Well formed, so that the database is asked for it. */
async function askWithStrangeKey(url: string): Promise<void> {
  await fetch(`${url}/v1/messages`, { headers: { authorization: `Bearer ${newKeyText().text}` } });
}

type Checks = Record<string, string | null>;

/** Waits for this answer, which includes these checks: on a busy machine the database may be late for one, or a renewal of the lease. */
async function expectReadyz(url: string, status: number, checks: Checks): Promise<void> {
  await vi.waitFor(async () => {
    const reply = await fetch(`${url}/readyz`);
    expect({ status: reply.status, checks: checksIn(await reply.json()) }).toMatchObject({ status, checks });
  }, PATIENCE);
}
const checksOf = async (url: string): Promise<Checks> => checksIn(await (await fetch(`${url}/readyz`)).json());
const checksIn = (body: unknown): Checks =>
  Object.fromEntries(
    (body as { checks: { name: string; detail: string | null }[] }).checks.map(({ name, detail }) => [name, detail]),
  );

async function query<Row extends object>(text: string): Promise<Row[]> {
  return await withClient(database.url, async (client) => (await client.query<Row>(text)).rows);
}
