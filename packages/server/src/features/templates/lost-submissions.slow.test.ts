import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ctx } from "../../ctx.ts";
import { parseId } from "../../lib/ids.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { beginIntent } from "./submit/intent.ts";

let gateway: Gateway;
let mine: Sender;
let made = 0;
let name: string;

beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  gateway.simulator.setDelays({ reviewMs: null });
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.simulator.clearFaults();
  made += 1;
  name = `lost_${made}`;
});

const PATIENCE = { timeout: 30_000, interval: 20 };
const definition = (more: object = {}) => ({
  name,
  language: { code: "de" },
  category: "utility",
  components: [{ type: "BODY", text: "Dein Paket ist da." }],
  ...more,
});
const submit = (headers: Record<string, string> = {}) =>
  mine.call("POST", "/v1/templates", { body: definition(), headers });
const fault = (kind: "reset" | "hang" | "html" | "no_id" | "refuse", more: object = {}) =>
  gateway.simulator.addFault({ kind, operation: "create_template", ...more });
/** What the provider has of this test's name. */
const atProvider = async () => {
  const path = `/v26.0/${mine.account.wabaId}/message_templates?name=${name}&fields=id,status,components`;
  const answer = await fetch(gateway.simulator.url + path, {
    headers: { authorization: `Bearer ${mine.account.token}` },
  });
  return ((await answer.json()) as { data: { id: string; status: string }[] }).data;
};
const here = async () => (await mine.call("GET", `/v1/templates?name=${name}`)).body.data;
const open = () => mine.rows("select attempt from template_submission where name = $1", [name]);
const kinds = async () => {
  const rows = await mine.rows<{ kind: string }>(
    "select e.kind from event e join template t on t.id = e.resource_id where t.name = $1 order by e.sequence",
    [name],
  );
  return rows.map(({ kind }) => kind);
};
/** Lets time pass until the task has settled what is open. */
const settled = () =>
  vi.waitFor(async () => {
    if ((await open()).length === 0) return;
    gateway.clock.advance(30_000);
    throw new Error("the submission is not settled yet");
  }, PATIENCE);
/** The provider's callback may say it too, and have the event: then it comes with the next read of the template. */
async function deletedOnce(): Promise<void> {
  await vi.waitFor(async () => {
    gateway.clock.advance(1_000);
    expect(await kinds()).toContain("deleted");
  }, PATIENCE);
  expect((await kinds()).filter((kind) => kind === "deleted")).toHaveLength(1);
}
/** Lets the time of a call pass once the provider has it. */
const afterDeadline = async <T>(call: Promise<T>): Promise<T> => {
  await vi.waitFor(() => expect(gateway.simulator.faults()).toEqual([]), PATIENCE);
  gateway.clock.advance(12_500);
  return await call;
};

describe("an answer that is lost after the provider has created the template", () => {
  it.each([
    ["the connection breaks", () => fault("reset", { accept: true })],
    ["an edge answers instead", () => fault("html", { accept: true })],
    ["the answer has no id", () => fault("no_id")],
  ])("%s: the name tells", async (_what, inject) => {
    inject();
    const answer = await submit();
    expect([answer.status, answer.body.status]).toEqual([201, "pending"]);
    expect((await atProvider()).map(({ id }) => id)).toEqual([answer.body.provider_template_id]);
    expect([await kinds(), await open()]).toEqual([["pending"], []]);
  });

  it("never comes: the name tells when the time is up", async () => {
    fault("hang", { accept: true });
    const answer = await afterDeadline(submit());
    expect([answer.status, (await atProvider()).length]).toEqual([201, 1]);
    expect([await kinds(), await open()]).toEqual([["pending"], []]);
  });

  it("and the provider is away afterwards: 502, and a task finds it", async () => {
    fault("reset", { accept: true });
    fault("refuse", { operation: "list_templates", code: 2 });
    const answer = await submit();
    expect([answer.status, answer.body.code, answer.body.retryable]).toEqual([502, "provider_unavailable", true]);
    expect(answer.body.detail).toContain("is being settled");
    expect([(await here()).length, (await open()).length]).toEqual([0, 1]);
    await settled();
    expect(await here()).toMatchObject([{ status: "pending", provider_template_id: (await atProvider())[0]?.id }]);
    expect(await kinds()).toEqual(["pending"]);
  });

  it("and is repeated while it is open: the same template, submitted once", async () => {
    fault("reset", { accept: true });
    fault("refuse", { operation: "list_templates", code: 2 });
    expect((await submit({ "idempotency-key": name })).status).toBe(502);
    fault("refuse", { code: 100, subcode: 1, count: null }); // a second submission would be refused
    const again = await submit({ "idempotency-key": name });
    expect([again.status, again.body.provider_template_id]).toEqual([201, (await atProvider())[0]?.id]);
    expect([await kinds(), await open()]).toEqual([["pending"], []]);
    const replayed = await submit({ "idempotency-key": name });
    expect([replayed.status, replayed.headers["idempotent-replayed"]]).toEqual([201, "true"]);
  });
});

describe("an answer that is lost before the provider has done anything", () => {
  it.each([
    ["the connection breaks", () => fault("reset")],
    ["an edge answers instead", () => fault("html")],
    ["a code that only reports a failure", () => fault("refuse", { code: 2, httpStatus: 503 })],
  ])("%s: 502, and the repetition submits it", async (_what, inject) => {
    inject();
    expect([(await submit()).status, (await atProvider()).length, (await open()).length]).toEqual([502, 0, 1]);
    const again = await submit();
    expect([again.status, (await atProvider()).length]).toEqual([201, 1]);
    expect([await kinds(), await open()]).toEqual([["pending"], []]);
  });

  it("never comes: 502, and without a repetition it is given up", async () => {
    fault("hang");
    expect((await afterDeadline(submit())).status).toBe(502);
    await settled();
    expect([await here(), await atProvider()]).toEqual([[], []]);
  });

  it("and another system has taken the name: 409 with its template", async () => {
    gateway.simulator.addTemplate({
      waba_id: mine.account.wabaId,
      name,
      language: "de",
      category: "UTILITY",
      components: [{ type: "BODY", text: "Von jemand anderem." }],
    });
    fault("reset");
    const answer = await submit();
    expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
    expect(await here()).toMatchObject([{ status: "approved", components: [{ text: "Von jemand anderem." }] }]);
    expect(await open()).toEqual([]);
  });

  it("and another definition of the name follows: the first is stored, the second is told", async () => {
    fault("reset", { accept: true });
    fault("refuse", { operation: "list_templates", code: 2 });
    expect((await submit()).status).toBe(502);
    const other = definition({ components: [{ type: "BODY", text: "Etwas anderes." }] });
    const answer = await mine.call("POST", "/v1/templates", { body: other });
    expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
    expect([(await here()).length, await kinds(), await open()]).toEqual([1, ["pending"], []]);
  });
});

it("a process that is killed after the intent: the task finds what the provider has done, or that it has not", async () => {
  const businessAccountId = parseId("acc", (await mine.call("GET", "/v1/business-accounts")).body.data[0].id)!;
  const ctx = { ...gateway.app, workspaceId: mine.uuid, signal: new AbortController().signal } as unknown as Ctx; // what beginning needs of it
  const intended = (of: string) =>
    beginIntent(ctx, {
      businessAccountId,
      name: of,
      language: "de",
      operation: "create",
      definition: 1,
      check: () => Promise.resolve(null),
    });
  await intended(name);
  await intended(`${name}_never`);
  gateway.simulator.addTemplate({
    waba_id: mine.account.wabaId,
    name,
    language: "de",
    category: "UTILITY",
    status: "PENDING",
    components: [{ type: "BODY", text: "Da." }],
  });
  // Until its lease ends another request cannot know whether it is at work.
  let isOver = false;
  const early = submit().finally(() => (isOver = true));
  await vi.waitFor(() => {
    if (isOver) return;
    gateway.clock.advance(2_000);
    throw new Error("it still waits for the other request");
  }, PATIENCE);
  expect((await early).status).toBe(409);
  await settled();
  expect([(await here()).length, await kinds()]).toEqual([1, ["pending"]]);
  name = `${name}_never`;
  await settled();
  expect(await here()).toEqual([]);
});

describe("two requests at the same time", () => {
  it("are one submission, with the same answer", async () => {
    gateway.simulator.addFault({ kind: "delay", operation: "create_template", delayMs: 300 });
    const [one, two] = await Promise.all([submit(), submit()]);
    expect([one.status, two.status, one.body.id]).toEqual([201, 201, two.body.id]);
    expect([(await atProvider()).length, await kinds(), await open()]).toEqual([1, ["pending"], []]);
  });

  it("for a name that has a template are both refused, and get none of it", async () => {
    const components = [{ type: "BODY", text: "Etwas anderes." }];
    const { body: there } = await mine.call("POST", "/v1/templates", { body: definition({ components }) });
    gateway.simulator.addFault({ kind: "delay", operation: "management", delayMs: 300 });
    const answers = await Promise.all([submit(), submit()]);
    for (const { status } of answers) expect([409, 422]).toContain(status);
    expect(await here()).toMatchObject([{ id: there.id, components }]);
    expect(await open()).toEqual([]);
  });

  it("with one key are one request", async () => {
    gateway.simulator.addFault({ kind: "delay", operation: "create_template", delayMs: 300 });
    const key = { "idempotency-key": name };
    const [one, two] = await Promise.all([submit(key), submit(key)]);
    expect([one.status, two.status, one.text]).toEqual([201, 201, two.text]);
    expect((await atProvider()).length).toBe(1);
    const rows = await mine.rows("select 1 from audit where action = 'template.create' and resource_id = $1", [
      one.body.id,
    ]);
    expect(rows).toHaveLength(1);
  });
});

it("a review that ends at once: pending and approved are each one event, in this order", async () => {
  gateway.simulator.setDelays({ reviewMs: 0 });
  const answer = await submit();
  gateway.simulator.setDelays({ reviewMs: null });
  expect(answer.status).toBe(201);
  await vi.waitFor(async () => expect(await kinds()).toContain("approved"), PATIENCE);
  await vi.waitFor(
    async () => expect(await mine.rows("select 1 from provider_notice where event_due is not null")).toEqual([]),
    PATIENCE,
  );
  expect((await kinds()).filter((kind) => kind === "approved")).toHaveLength(1);
  expect((await here())[0].status).toBe("approved");
});

describe("edits and deletions", () => {
  /** The events of a template that was submitted, approved and edited. */
  const EDITED = ["pending", "approved", "pending", "template_components_changed"];
  const CHANGE = { components: [{ type: "BODY", text: "Dein Paket kommt morgen." }] };
  const approved = async () => {
    const { body } = await submit();
    gateway.simulator.decideTemplate(body.provider_template_id, { status: "APPROVED" });
    await vi.waitFor(async () => expect((await here())[0].status).toBe("approved"), PATIENCE);
    return (await here())[0];
  };
  const ofEdit = (kind: "reset" | "hang", more: object = {}) =>
    gateway.simulator.addFault({ kind, operation: "edit_template", ...more });

  it.each([
    [true, [200, 422]],
    [false, [502, 200]],
  ])("an edit whose answer is lost, done: %s", async (accept, statuses) => {
    const { id } = await approved();
    ofEdit("reset", { accept });
    const edit = async () => (await mine.call("PATCH", `/v1/templates/${id}`, { body: CHANGE })).status;
    // A template that is pending cannot be edited.
    expect([await edit(), await edit()]).toEqual(statuses);
    expect((await here())[0]).toMatchObject({ status: "pending", components: CHANGE.components });
    expect([await kinds(), await open()]).toEqual([EDITED, []]);
  });

  it("an edit whose answer is lost is not seen in what the template had before", async () => {
    const { id, components } = await approved();
    ofEdit("reset");
    const answer = await mine.call("PATCH", `/v1/templates/${id}`, {
      body: { components, message_send_ttl_seconds: 600 },
    });
    expect([answer.status, answer.body.code]).toEqual([502, "provider_unavailable"]);
    await settled();
  });

  it("an edit that hangs and is done after all is found by the task", async () => {
    const { id } = await approved();
    ofEdit("reset", { accept: true });
    gateway.simulator.addFault({ kind: "refuse", operation: "get_template", code: 2 });
    expect((await mine.call("PATCH", `/v1/templates/${id}`, { body: CHANGE })).status).toBe(502);
    await settled();
    expect((await here())[0]).toMatchObject({ status: "pending", components: CHANGE.components });
    expect(await kinds()).toEqual(EDITED);
  });

  it("an edit whose answer is lost is found although another one was refused meanwhile", async () => {
    const { id } = await approved();
    ofEdit("reset", { accept: true });
    gateway.simulator.addFault({ kind: "refuse", operation: "get_template", code: 2 });
    expect((await mine.call("PATCH", `/v1/templates/${id}`, { body: CHANGE })).status).toBe(502);
    const other = { components: [{ type: "BODY", text: "Dein Paket kommt heute." }] };
    for (let times = 0; times < 2; times += 1)
      expect((await mine.call("PATCH", `/v1/templates/${id}`, { body: other })).status).toBe(422);
    await settled();
    expect((await here())[0]).toMatchObject({ status: "pending", components: CHANGE.components });
    expect(await kinds()).toEqual(EDITED);
  });

  it("twice at the same time are one edit and one deletion, with the same answers", async () => {
    const { id } = await approved();
    const both = (request: () => ReturnType<typeof mine.call>) => Promise.all([request(), request()]);
    gateway.simulator.addFault({ kind: "delay", operation: "edit_template", delayMs: 300 });
    const edits = await both(() => mine.call("PATCH", `/v1/templates/${id}`, { body: CHANGE }));
    expect(edits.map(({ status, body }) => [status, body.status])).toEqual([
      [200, "pending"],
      [200, "pending"],
    ]);
    gateway.simulator.addFault({ kind: "delay", operation: "delete_template", delayMs: 300 });
    const deletions = await both(() => mine.call("DELETE", `/v1/templates/${id}`));
    expect(deletions.map(({ status }) => status)).toEqual([204, 204]);
    expect(await open()).toEqual([]);
  });

  it("different ones at the same time: who is told of success has it", async () => {
    for (let round = 1; round <= 10; round += 1) {
      name = `${name}_${round}`;
      const { id } = await approved();
      const texts = [1, 2, 3].map((n) => `Dein Paket kommt in ${n} Tagen.`);
      const edits = await Promise.all(
        texts.map((text) =>
          mine.call("PATCH", `/v1/templates/${id}`, { body: { components: [{ type: "BODY", text }] } }),
        ),
      );
      const told = edits.map(({ status, body }) => (status === 200 ? body.components[0].text : status));
      expect(told.toSorted()).toEqual([422, 422, expect.any(String)]);
      expect(texts).toContain(told.find((one, n) => one === texts[n]));
    }
  });

  it.each([
    [true, [204, 409]],
    [false, [502, 204]],
  ])("a deletion whose answer is lost, done: %s", async (accept, statuses) => {
    const { id } = await approved();
    gateway.simulator.addFault({ kind: "reset", operation: "delete_template", accept });
    const remove = async () => (await mine.call("DELETE", `/v1/templates/${id}`)).status;
    expect([await remove(), await remove()]).toEqual(statuses);
    expect([(await here())[0].status, await atProvider(), await open()]).toEqual(["deleted", [], []]);
    await deletedOnce();
  });

  it("a deletion that is refused for lack of access is none, although the template cannot be read either", async () => {
    const { id } = await approved();
    gateway.simulator.addFault({ kind: "refuse", operation: "delete_template", code: 10 });
    for (const operation of ["get_template", "list_templates"])
      gateway.simulator.addFault({ kind: "refuse", operation, code: 100, subcode: 33 });
    const answer = await mine.call("DELETE", `/v1/templates/${id}`);
    expect([answer.status, answer.body.code]).toEqual([422, "provider_rejected"]);
    expect([(await here())[0].status, await kinds(), await open()]).toEqual(["approved", ["pending", "approved"], []]);
  });

  describe("a process that is killed when the provider has done it", () => {
    // From the database on, this is what a killed process is: neither the outcome nor the end of its lease is stored.
    const withoutStoring = async (request: () => Promise<{ status: number }>): Promise<void> => {
      const { sql } = gateway.app.db;
      const isWhole = "check (lease_until >= started_at + interval '60 seconds') not valid";
      await sql.run(`alter table template_submission add constraint killed_here ${isWhole}`);
      try {
        expect((await request()).status).toBe(500);
      } finally {
        await sql.run("alter table template_submission drop constraint killed_here");
      }
    };

    it("a submission is found by the task", async () => {
      await withoutStoring(() => submit());
      expect([(await here()).length, (await atProvider()).length, (await open()).length]).toEqual([0, 1, 1]);
      await settled();
      expect(await here()).toMatchObject([{ status: "pending", provider_template_id: (await atProvider())[0]?.id }]);
      expect(await kinds()).toEqual(["pending"]);
    });

    it("an edit too", async () => {
      const { id } = await approved();
      await withoutStoring(() => mine.call("PATCH", `/v1/templates/${id}`, { body: CHANGE }));
      expect((await here())[0]).toMatchObject({ status: "approved" });
      await settled();
      expect((await here())[0]).toMatchObject({ status: "pending", components: CHANGE.components });
      expect(await kinds()).toEqual(EDITED);
    });

    it("a deletion too", async () => {
      const { id } = await approved();
      await withoutStoring(() => mine.call("DELETE", `/v1/templates/${id}`));
      await settled();
      expect([(await here())[0].status, await atProvider()]).toEqual(["deleted", []]);
      await deletedOnce();
    });
  });
});
