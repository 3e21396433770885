import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { escapeIdentifier, escapeLiteral } from "pg";
import { inject } from "vitest";
import { install } from "../../packages/server/src/process/install.ts";
import { bundled } from "../../packages/server/src/testing/bundled.ts";
import { dropDatabase, withClient } from "../../packages/server/src/testing/client.ts";
import { cloneDatabase, type TestDatabase } from "../../packages/server/src/testing/database.ts";
import { urlOf } from "../../packages/server/src/testing/template.ts";

export type Fresh = { url: string; name: string; drop(): Promise<void> };

/** A database in which nothing was installed yet, of the run's plain login: no superuser, CREATEROLE. */
export async function emptyDatabase(name = `waypost_e_${randomBytes(4).toString("hex")}`): Promise<Fresh> {
  const elsewhere = urlOf(inject("templateUrl"), "postgres");
  await withClient(elsewhere, (owner) => owner.query(`create database ${escapeIdentifier(name)}`));
  return { name, url: urlOf(elsewhere, name), drop: () => dropWithRoles(elsewhere, name) };
}

/** One in which this version was installed, with roles of its own, which its copies share: they go before it. */
export async function installedDatabase(): Promise<Fresh & { copy(): Promise<TestDatabase> }> {
  const installed = await emptyDatabase();
  await install(installed.url);
  return { ...installed, copy: () => cloneDatabase(installed.url) };
}

/** The database, and the roles that only it knew. */
async function dropWithRoles(elsewhere: string, name: string): Promise<void> {
  const roles = await withClient(urlOf(elsewhere, name), async (owner) => {
    const { rows } = await owner.query<{ there: string | null }>("select to_regclass('installation')::text as there");
    if (!rows[0]?.there) return [];
    const stored = await owner.query<{ roles: string[] }>(
      "select array[app_role, engine_role] as roles from installation",
    );
    return stored.rows[0]?.roles ?? [];
  });
  await withClient(elsewhere, async (owner) => {
    await dropDatabase(owner, name);
    for (const role of roles) await owner.query(`drop role if exists ${escapeIdentifier(role)}`);
  });
}

/** The run's server as its administrator; null where its login is no superuser. */
export async function adminUrl(): Promise<string | null> {
  const url = inject("serverUrl");
  const { rows } = await withClient(url, (client) =>
    client.query<{ super: boolean }>("select rolsuper as super from pg_roles where rolname = current_user"),
  );
  return rows[0]?.super ? url : null;
}

/** A login with these attributes that owns a new, empty database. `admin` is a superuser's URL. */
export async function strangerDatabase(admin: string, attributes: string): Promise<Fresh & { login: string }> {
  const name = `waypost_s_${randomBytes(4).toString("hex")}`;
  const password = randomBytes(8).toString("hex");
  await withClient(admin, async (server) => {
    await server.query(`create role ${escapeIdentifier(name)} login ${attributes} password ${escapeLiteral(password)}`);
    await server.query(`create database ${escapeIdentifier(name)} owner ${escapeIdentifier(name)}`);
  });
  const url = new URL(urlOf(admin, name));
  url.username = name;
  url.password = password;
  return {
    url: url.href,
    name,
    login: name,
    drop: () =>
      withClient(admin, async (server) => {
        await dropDatabase(server, name);
        const { rows } = await server.query<{ role: string }>(
          "select rolname as role from pg_roles where rolname like $1",
          [`waypost\\_%\\_${name.replaceAll("_", "\\_")}%`],
        );
        for (const { role } of rows) await server.query(`drop role ${escapeIdentifier(role)}`);
        await server.query(`drop role ${escapeIdentifier(name)}`);
      }),
  };
}

export type ChildEnd = { code: number | null; signal: string | null; output: string; complaint: string };
export type RunningChild = {
  pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Everything it has written to standard output so far. */
  output(): string;
  ended: Promise<ChildEnd>;
};

/** A real process of a script beside this file, with nothing of our environment but what is given. */
export async function runChild(
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<RunningChild> {
  const child = spawn(process.execPath, [await bundled(new URL(script, import.meta.url)), ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let complaint = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, output, complaint }));
  return { pid: child.pid ?? 0, kill: (signal) => void child.kill(signal), output: () => output, ended };
}
