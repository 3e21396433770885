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
    expect(first).toMatchObject({ status: 201, body: { text: "one" } });
    expect(first.headers["location"]).toBe(`/v1/notes/${first.body.id}`);
    gateway.clock.advance(1);
    const second = await mine.call("POST", "/v1/notes", { body: { text: "two" } });
    expect((await mine.call("GET", first.headers["location"] ?? "")).body).toEqual(first.body);
    expect((await mine.call("GET", "/v1/notes")).body).toEqual({ data: [second.body, first.body], next_cursor: null });

    expect((await mine.call("DELETE", `/v1/notes/${first.body.id}`)).status).toBe(204);
    expect((await mine.call("DELETE", `/v1/notes/${first.body.id}`)).status).toBe(404);
    expect(await mine.rows("select text from note")).toEqual([{ text: "two" }]);
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
    expect(rows).toEqual([{ changes: { text: "once" } }]);
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
