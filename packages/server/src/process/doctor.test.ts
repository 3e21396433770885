import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { S3_BUCKET, S3_KEY, S3Server } from "../files/testing/s3-server.ts";
import { withClient } from "../testing/client.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { urlOf } from "../testing/template.ts";
import { diagnose, type Finding } from "./doctor.ts";

// What a database may be: installed, half of it, not at all, and with a login that may do too little.
let installed: TestDatabase;
const server = urlOf(inject("templateUrl"), "postgres");
const name = `waypost_doctor_${randomBytes(4).toString("hex")}`;

beforeAll(async () => {
  installed = await testDatabase();
  await withClient(server, async (owner) => {
    await owner.query(`create database ${name}`);
    await owner.query(`create role ${name} login password 'hush'`);
  });
});
afterAll(async () => {
  await installed.drop();
  await withClient(server, async (owner) => {
    await owner.query(`drop database ${name} with (force)`);
    await owner.query(`drop role ${name}`);
  });
});

async function findings(databaseUrl: string, more: Record<string, string> = {}): Promise<Record<string, Finding>> {
  const all: Record<string, Finding> = {};
  const env = { DATABASE_URL: databaseUrl, PROVIDER_BASE_URL: "http://127.0.0.1:1", ...more };
  for await (const finding of diagnose(env)) all[finding.name] = finding;
  return all;
}
const roles = (): Promise<unknown[]> =>
  withClient(server, async (owner) => (await owner.query("select rolname from pg_roles order by 1")).rows);

test("installed: nothing is pending", async () => {
  expect(await findings(installed.url)).toMatchObject({
    database: { state: "ok", text: expect.stringMatching(/^PostgreSQL \d+/) },
    roles: { state: "ok" },
    migrations: { state: "ok" },
  });
});

test("a bucket of media answers, or refuses the key", async () => {
  const bucket = new S3Server();
  const env = {
    MEDIA_STORE: `s3://${S3_BUCKET}`,
    S3_ENDPOINT: await bucket.listen(),
    AWS_ACCESS_KEY_ID: S3_KEY.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey,
  };
  expect((await findings(installed.url, env))["media"]).toMatchObject({ state: "ok" });
  expect((await findings(installed.url, { ...env, AWS_SECRET_ACCESS_KEY: "another" }))["media"]).toMatchObject({
    state: "fault",
    text: expect.stringMatching(/403 SignatureDoesNotMatch: check MEDIA_STORE/),
  });
  expect((await findings(installed.url))["media"]).toBeUndefined();
  await bucket.close();
});

test("installed by another version: functions are missing", async () => {
  const half = await testDatabase();
  try {
    await withClient(half.url, async (owner) => {
      const { rows } = await owner.query<{ text: string }>(
        "select oid::regprocedure::text as text from pg_proc where proname in (select name from function_use) order by 1 limit 2",
      );
      for (const { text } of rows) await owner.query(`drop function ${text}`);
    });
    expect((await findings(half.url))["migrations"]).toMatchObject({
      state: "pending",
      text: "2 functions to install: `waypost serve` does it, or `waypost migrate`",
    });
  } finally {
    await half.drop();
  }
});

test("never migrated: reported, and left as it was", async () => {
  const before = await roles();
  const url = urlOf(server, name);
  expect(await findings(url)).toMatchObject({
    roles: { state: "ok" },
    migrations: {
      state: "pending",
      text: expect.stringMatching(/^\d+ to apply, from 0001_.*`waypost serve` does it/),
    },
  });
  expect(await roles()).toEqual(before);
  const { rows } = await withClient(url, (owner) => owner.query("select from pg_class where relname = 'installation'"));
  expect(rows).toEqual([]);
});

test("a login without CREATEROLE: names the two roles that an administrator has to create", async () => {
  const url = new URL(urlOf(server, name));
  url.username = name;
  url.password = "hush";
  const { roles: found, migrations } = await findings(url.href);
  expect(found).toMatchObject({ state: "fault" });
  expect(found?.text).toMatch(
    new RegExp(`create role "waypost_app_${name}" nologin; create role "waypost_engine_${name}" nologin`),
  );
  expect(found?.text).not.toMatch(/hush|\n/);
  expect(migrations).toMatchObject({ state: "pending" }); // the fault before it ended nothing
});

test("no such database: one line", async () => {
  const { database } = await findings(urlOf(server, "waypost_nowhere"));
  expect(database).toMatchObject({ state: "fault", text: expect.stringContaining("DATABASE_URL") });
});
