import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";
import type { Task } from "../../tasks/lane.ts";
import { importsOf } from "./run.ts";
import { sweepFiles } from "./sweep.ts";

// Lost leases and lost tasks: what two runs at once do, and none at all.

let gateway: Gateway;
let mine: Workspace;
beforeAll(async () => {
  // No task is worked by itself.
  gateway = await startGateway({}, { roles: ["api"] });
  mine = await gateway.workspace();
});
afterAll(() => gateway.stop());

const ROWS = 400;
const fileOf = (first: number): string =>
  `phone\n${Array.from({ length: ROWS }, (_, n) => (n % 100 === 50 ? "1" : `+1555${first + n}`)).join("\n")}\n`;

async function upload(first: number) {
  const headers = { "content-type": "text/csv" };
  const { body } = await mine.call("POST", "/v1/contacts/imports", { headers, body: fileOf(first) });
  const [job] = await mine.rows<{ id: string }>("select id from job order by id desc limit 1");
  const id = parseId("imp", body.id) ?? "";
  return { publicId: body.id as string, id, task: taskOf(id, job?.id ?? "") };
}
const taskOf = (importId: string, taskId: string): Task => ({
  workspaceId: mine.uuid,
  taskId,
  kind: "contacts.import",
  payload: { import_id: importId },
  attempt: 0,
  lastTry: false,
  now: gateway.clock.now(),
  signal: new AbortController().signal,
});
const runner = () => importsOf(gateway.app, gateway.features.services.files);
const read = async (publicId: string) => (await mine.call("GET", `/v1/contacts/imports/${publicId}`)).body;

it("of four runs at once one writes each row, and the counts are exact", async () => {
  const { publicId, task } = await upload(5_000_000);
  await vi.waitFor(
    async () => {
      await Promise.all([runner(), runner(), runner(), runner()].map((one) => one.run(task)));
      expect((await read(publicId)).status).toBe("completed");
    },
    { timeout: 30_000, interval: 10 },
  );
  expect((await read(publicId)).progress).toMatchObject({ rows: ROWS, created: ROWS - 4, updated: 0, failed: 4 });
  const [counts] = await mine.rows(
    "select (select count(*)::int from contact) as contacts, (select count(*)::int from event) as events, (select count(*)::int from contact_import_error) as errors",
  );
  expect(counts).toEqual({ contacts: ROWS - 4, events: ROWS - 4, errors: 4 });
  expect(await runner().run(task)).toEqual({ kind: "done" });
});

it("an import whose task was given up fails by the sweep, and its file goes", async () => {
  const { publicId, task } = await upload(6_000_000);
  const sweep = () => gateway.features.timers.find(({ name }) => name === "sweep imports")?.run();
  gateway.clock.advance(120_000);
  await sweep();
  expect((await read(publicId)).status).toBe("pending"); // its task waits
  await gateway.app.db.transaction(mine.uuid, (sql) =>
    sql.run("update job set status = 'failed' where workspace_id = $1 and id = $2", [mine.uuid, task.taskId]),
  );
  await sweep();
  expect(await read(publicId)).toMatchObject({ status: "failed", error: { code: "crashed" } });
  // No row names it; it is too young for the hourly sweep.
  const { files } = gateway.features.services;
  await sweepFiles(gateway.app, files);
  expect(await files.sweep("imports", Date.now() + 1_000, () => Promise.resolve(new Set()))).toBe(1);
  gateway.clock.advance(31 * 86_400_000);
  await gateway.partitionsAhead();
  await sweep();
  expect((await mine.call("GET", `/v1/contacts/imports/${publicId}`)).status).toBe(404);
});

it("a row about a contact twice counts both", async () => {
  const contact = (await mine.call("POST", "/v1/contacts", { body: { phone: "+15557000001" } })).body;
  const headers = { "content-type": "application/x-ndjson" };
  const lines = [
    { id: contact.id, name: "Ana" },
    { id: contact.id, name: "Ana" },
    { id: "con_01jd0000000000000000000000", name: "Ben" },
  ];
  const { body } = await mine.call("POST", "/v1/contacts/imports", {
    headers,
    body: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  const [job] = await mine.rows<{ id: string }>("select id from job order by id desc limit 1");
  await runner().run(taskOf(parseId("imp", body.id) ?? "", job?.id ?? ""));
  expect(await read(body.id)).toMatchObject({ status: "completed", progress: { rows: 3, updated: 1, failed: 1 } });
  const errors = (await mine.call("GET", `/v1/contacts/imports/${body.id}/errors`)).body.data;
  expect(errors).toMatchObject([{ row: 3, line: 3, column: "id", code: "not_found" }]);
});
