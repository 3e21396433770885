import { afterAll, beforeAll, expect, it } from "vitest";
import { eraseRest } from "../../features/contacts/erase.ts";
import type { Task } from "../../features/tasks/lane.ts";
import { Pace } from "../../features/tasks/pace.ts";
import { parseId } from "../../lib/ids.ts";
import { type Gateway, startGateway, type Workspace } from "../gateway.ts";
import { VISITS_A_PIECE, visits, WITH_VISITS } from "./feature.ts";

// Without a worker of tasks: each run of the erasure's task is one of the test.
let gateway: Gateway;
let mine: Workspace;
let theirs: Workspace;
beforeAll(async () => {
  gateway = await startGateway({}, { ...WITH_VISITS, roles: ["api"] });
  [mine, theirs] = [await gateway.workspace(), await gateway.workspace()];
});
afterAll(() => gateway.stop());

let people = 0;

/** A contact with a name among the visitors and so many visits; the other workspace has some of the same id. */
async function visitor(count: number): Promise<{ id: string; uuid: string }> {
  const { id } = (await mine.call("POST", "/v1/contacts", { body: { phone: `+1555020${1_000 + ++people}` } })).body;
  const uuid = parseId("con", id) ?? "";
  for (const of of [mine, theirs]) {
    await addVisitor(of, uuid, "Ana");
    await addVisits(of, uuid, 1, count);
  }
  return { id, uuid };
}
const addVisitor = (of: Workspace, contact: string, name: string) =>
  gateway.app.db.transaction(of.uuid, (sql) =>
    sql.run("insert into visitor (workspace_id, contact_id, name) values ($1, $2, $3)", [of.uuid, contact, name]),
  );
const addVisits = (of: Workspace, contact: string, from: number, to: number) =>
  gateway.app.db.transaction(of.uuid, (sql) =>
    sql.run(
      `insert into visit (workspace_id, contact_id, number, said, at)
       select $1, $2, n, 'Private words', $5 from generate_series($3::int, $4::int) n`,
      [of.uuid, contact, from, to, new Date(gateway.clock.now())],
    ),
  );
async function left(of: Workspace, contact: string): Promise<{ visits: number; names: string[] }> {
  const found = await of.rows("select from visit where contact_id = $1", [contact]);
  const names = await of.rows<{ name: string }>("select name from visitor where contact_id = $1", [contact]);
  return { visits: found.length, names: names.map(({ name }) => name) };
}
const erase = async (id: string): Promise<void> =>
  expect((await mine.call("DELETE", `/v1/contacts/${id}`)).status).toBe(204) as void;
const stored = async (contact: string) =>
  (await mine.rows("select progress, redacted_at is not null as done from erased_contact where id = $1", [contact]))[0];
const runTask = (contact: string, signal = new AbortController().signal) =>
  eraseRest(
    gateway.app,
    { workspaceId: mine.uuid, payload: { contact_id: contact }, signal } as unknown as Task, // of a task it needs no more
    { erasure: gateway.features.services.erasure, pace: new Pace(gateway.app) },
  );

it("are forgotten with their person by what the feature declares: at once, in pieces, and what comes late", async () => {
  const { id, uuid } = await visitor(20);
  await erase(id);
  // Four pieces: one of messages, the others of visits.
  expect(await left(mine, uuid)).toEqual({ visits: 20 - 3 * VISITS_A_PIECE, names: [] });
  expect(await stored(uuid)).toEqual({
    done: false,
    progress: { "first messages": { place: null, whole: true }, "first visits": { place: "6", whole: false } },
  });

  // A process that was killed behind a piece, before its place was stored.
  await visits.forgets?.inPieces?.(gateway.app, mine.uuid, { contactId: uuid, place: "6", since: null });
  expect(await left(mine, uuid)).toMatchObject({ visits: 12 });
  // Two processes at once, one of which has to stop before its first piece.
  const stopped = await runTask(uuid, AbortSignal.abort());
  expect(stopped).toEqual({ kind: "wait", at: expect.any(Number) });
  const outcomes = await Promise.all([runTask(uuid), runTask(uuid)]);
  expect(outcomes).toMatchObject([{ kind: "wait" }, { kind: "wait" }]);
  expect(await left(mine, uuid)).toMatchObject({ visits: 0 });
  expect(outcomes[0]).toEqual(outcomes[1]);

  // What a request wrote that had found the person before the erasure.
  await addVisitor(mine, uuid, "Ana again");
  await addVisits(mine, uuid, 1, 5);
  gateway.clock.advance(61_000);
  expect(await Promise.all([runTask(uuid), runTask(uuid)])).toEqual([{ kind: "done" }, { kind: "done" }]);
  expect(await left(mine, uuid)).toEqual({ visits: 0, names: [] });
  expect(await stored(uuid)).toEqual({ done: true, progress: null });
  // As a process that was killed before the end of its task was stored.
  expect(await runTask(uuid)).toEqual({ kind: "done" });
  expect(await left(theirs, uuid)).toEqual({ visits: 20, names: ["Ana"] });
});

it("hold up no other feature when they cannot be removed, and are tried again until they are", async () => {
  const { id, uuid } = await visitor(3);
  const [role] = await gateway.app.db.sql.query<{ app: string }>("select app_role as app from installation");
  await gateway.app.db.sql.run(`revoke delete on visit from "${role?.app}"`);
  await erase(id);
  expect(await left(mine, uuid)).toEqual({ visits: 3, names: [] });
  expect(await stored(uuid)).toEqual({ done: false, progress: { "first messages": { place: null, whole: true } } });
  const failed = { kind: "retry", error: { code: "erasure_unfinished" } };
  expect(await runTask(uuid)).toMatchObject(failed);
  await addVisitor(mine, uuid, "Ana again");
  gateway.clock.advance(61_000);
  expect(await runTask(uuid)).toMatchObject(failed);
  expect(await left(mine, uuid)).toEqual({ visits: 3, names: [] });
  expect(await stored(uuid)).toMatchObject({ done: false, progress: { "late messages": { whole: true } } });

  await gateway.app.db.sql.run(`grant delete on visit to "${role?.app}"`);
  expect(await runTask(uuid)).toEqual({ kind: "done" });
  expect(await left(mine, uuid)).toEqual({ visits: 0, names: [] });
  expect(await left(theirs, uuid)).toEqual({ visits: 3, names: ["Ana"] });
});

it("that came with two merged contacts are forgotten of both records", async () => {
  const [one, two] = [await visitor(9), await visitor(9)];
  const merged = await mine.call("POST", `/v1/contacts/${one.id}/merge`, { body: { contact_id: two.id } });
  expect(merged.status).toBe(200);
  await erase(two.id);
  for (const { uuid } of [one, two]) expect(await left(mine, uuid)).toMatchObject({ names: [] });
  expect(await runTask(one.uuid)).toMatchObject({ kind: "wait" });
  for (const { uuid } of [one, two]) expect(await left(mine, uuid)).toEqual({ visits: 0, names: [] });
});
