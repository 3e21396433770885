import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startReceiver } from "../../features/webhooks/testing/receiver.ts";
import { startGateway, type Workspace } from "../../testing/gateway.ts";
import { WITH_NOTES } from "./with-notes.ts";

describe("notes", () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let mine: Workspace;
  let theirs: Workspace;
  beforeAll(async () => {
    gateway = await startGateway({}, WITH_NOTES);
    [mine, theirs] = [await gateway.workspace(), await gateway.workspace()];
  });
  afterAll(() => gateway.stop());

  it("are created, read, listed newest first, and deleted", async () => {
    const first = await mine.call("POST", "/v1/notes", { body: { text: "one" } });
    expect(first).toMatchObject({ status: 201, body: { text: "one", topic: null } });
    expect(first.headers["location"]).toBe(`/v1/notes/${first.body.id}`);
    gateway.clock.advance(1);
    const second = await mine.call("POST", "/v1/notes", { body: { text: "two" } });
    expect((await mine.call("GET", first.headers["location"] ?? "")).body).toEqual(first.body);
    expect((await mine.call("GET", "/v1/notes")).body).toEqual({ data: [second.body, first.body], next_cursor: null });

    expect((await mine.call("DELETE", `/v1/notes/${first.body.id}`)).status).toBe(204);
    expect((await mine.call("DELETE", `/v1/notes/${first.body.id}`)).status).toBe(404);
    expect(await mine.rows("select text from note")).toEqual([{ text: "two" }]);
  });

  it("are changed field by field, and only in the version that the client has seen", async () => {
    const { body, headers } = await mine.call("POST", "/v1/notes", { body: { text: "first", topic: "billing" } });
    const path = `/v1/notes/${body.id}`;
    const seen = { "If-Match": headers["etag"] ?? "" };
    gateway.clock.advance(1_000);
    const changed = await mine.call("PATCH", path, { body: { text: "second" }, headers: seen });
    expect(changed).toMatchObject({ status: 200, body: { text: "second", topic: "billing" } });
    expect(changed.body.updated_at).not.toBe(body.updated_at);
    const late = await mine.call("PATCH", path, { body: { topic: null }, headers: seen });
    expect(late).toMatchObject({ status: 412, body: { code: "precondition_failed" } });
    expect((await mine.call("DELETE", path, { headers: seen })).status).toBe(412);
    expect((await mine.call("PATCH", path, { body: { topic: null } })).body).toMatchObject({ topic: null });
    expect((await theirs.call("PATCH", path, { body: { text: "theirs" } })).status).toBe(404);
  });

  it("are listed by topic, page by page", async () => {
    const { call } = await gateway.workspace();
    const ids: string[] = [];
    for (const topic of ["a", "b", "a", "a", null]) {
      ids.push((await call("POST", "/v1/notes", { body: { text: "one of many", topic } })).body.id);
      gateway.clock.advance(1);
    }
    const first = await call("GET", "/v1/notes?topic=a&limit=2");
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[3], ids[2]]);
    const second = await call("GET", `/v1/notes?topic=a&limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ data: [{ id: ids[0] }], next_cursor: null });
    expect((await call("GET", "/v1/notes?topic=none")).body.data).toEqual([]);
  });

  it("are found by their id in the audit log", async () => {
    const { body } = await mine.call("POST", "/v1/notes", { body: { text: "audited" } });
    await mine.call("GET", `/v1/notes/${body.id}`);
    await gateway.audited();
    const activity = await mine.call("GET", `/v1/audit/activity?resource=${body.id}`);
    expect(activity.body.data.map(({ action }: { action: string }) => action)).toEqual(["note.read", "note.create"]);
  });

  it("belong to one workspace", async () => {
    const { body } = await mine.call("POST", "/v1/notes", { body: { text: "private" } });
    expect((await theirs.call("GET", `/v1/notes/${body.id}`)).status).toBe(404);
    expect((await theirs.call("DELETE", `/v1/notes/${body.id}`)).status).toBe(404);
    expect((await theirs.call("GET", "/v1/notes")).body.data).toEqual([]);
  });

  it("are created once for one idempotency key, with one audited change", async () => {
    const post = () =>
      mine.call("POST", "/v1/notes", { body: { text: "once" }, headers: { "X-Idempotency-Key": "once" } });
    const answers = await Promise.all([post(), post(), post()]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    // Replays are audited too, without changes.
    const rows = await mine.rows("select changes from audit where resource_id = $1 and changes is not null", [
      answers[0]?.body.id,
    ]);
    expect(rows).toEqual([{ changes: { text: "once", topic: null } }]);
  });

  it("are announced to the endpoints that subscribed", async () => {
    const receiver = await startReceiver();
    await mine.call("POST", "/v1/webhook-endpoints", { body: { url: receiver.url, events: ["note_created"] } });
    const { body: note } = await mine.call("POST", "/v1/notes", { body: { text: "announced" } });
    await receiver.got(1);
    expect(receiver.received[0]?.body).toMatchObject({ kind: "note_created", category: "note", data: { note } });
    await receiver.close();
  });

  it("need a text, and the scope to write", async () => {
    const empty = await mine.call("POST", "/v1/notes", { body: { text: "" } });
    expect(empty).toMatchObject({ status: 400, body: { code: "invalid_request", errors: [{ pointer: "/text" }] } });
    const reader = await gateway.workspace(["notes:read"]);
    expect((await reader.call("POST", "/v1/notes", { body: { text: "no" } })).status).toBe(403);
  });
});
