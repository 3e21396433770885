import { describe, expect, it } from "vitest";
import type { Actor, App } from "../../packages/server/src/ctx.ts";
import type { Feature } from "../../packages/server/src/feature.ts";
import type { SendMessage } from "../../packages/server/src/features/messages/schema.ts";
import { readBody } from "../../packages/server/src/features/messages/send-body.ts";
import { type SendCtx, type Sent, sendKey } from "../../packages/server/src/features/messages/send-context.ts";
import type { Sending } from "../../packages/server/src/features/messages/sending.ts";
import { person, startSenders } from "../../packages/server/src/features/messages/testing/senders.ts";
import type { Task } from "../../packages/server/src/features/tasks/lane.ts";
import { enqueueTask } from "../../packages/server/src/features/tasks/task.ts";
import { FEATURES } from "../../packages/server/src/features.ts";
import { Problem } from "../../packages/server/src/http/problem.ts";
import { problemFields } from "../../packages/server/src/http/problem-body.ts";
import { ORDER_READY } from "../../packages/server/src/testing/gateway.ts";

const GATEWAY: Actor = { type: "system", id: null, name: null, scopes: [], phoneNumberIds: null };

const template = (to: string, more: object = {}): SendMessage => ({
  to,
  type: "template",
  template: ORDER_READY,
  ...more,
});
const text = (to: string): SendMessage => ({ to, type: "text", text: { body: "Hello" } });

/** A list within a list, so often. */
function chain(levels: number): unknown {
  let inner: unknown = 1;
  for (let level = 0; level < levels; level++) inner = [inner];
  return inner;
}

/** What became of the messages of each run of the task below. */
const runs: (Sent | Problem)[][] = [];

/** A feature above messages that sends from a task, whose first run ends when all is committed and nothing noted. */
const rounds: Feature = {
  name: "rounds",
  build: (_app: App, { sending }) => ({
    tasks: {
      "rounds.send": async (task) => {
        runs.push(
          await Promise.all((task.payload as SendMessage[]).map((body, nr) => sendOf(sending, task, nr, body))),
        );
        if (runs.length === 1) throw new Error("the process is killed here");
        return { kind: "done" };
      },
    },
  }),
};

async function sendOf(sending: Sending, task: Task, nr: number, body: SendMessage): Promise<Sent | Problem> {
  const { workspaceId, taskId, now } = task;
  const key = sendKey(`${taskId}\n${nr}`, body);
  const ctx = { workspaceId, actor: GATEWAY, requestId: taskId, now, key, audit: null, wait: null };
  return await sending.send(ctx, body).catch((refusal: unknown) => {
    if (refusal instanceof Problem) return refusal;
    throw refusal;
  });
}

const { attempts, countOf, gateway, mine, sentTo, theirs } = await startSenders(
  {},
  { features: [...FEATURES, rounds] },
);
const { sending } = gateway.features.services;

const ctxOf = (more: Partial<SendCtx> = {}): SendCtx => ({
  workspaceId: mine.uuid,
  actor: GATEWAY,
  requestId: "req_rounds",
  now: gateway.clock.now(),
  key: null,
  audit: null,
  wait: null,
  ...more,
});

/** All that a send has stored, but for the person's own ids and the times. */
async function traces(to: string): Promise<object> {
  const own = "'{id,contact_id,recipient,sequence,created_at,estimated_dispatch_at}'::text[]";
  const [message] = await mine.rows<{ contact_id: string; row: object }>(
    `select contact_id, to_jsonb(m) - ${own} as row from message m where recipient = $1`,
    [to],
  );
  const events = await mine.rows("select kind from event where contact_id = $1 order by sequence", [
    message?.contact_id ?? null,
  ]);
  return { message: message?.row, events, attempts: (await attempts(to)).length, sent: sentTo(to).length };
}

const auditOf = (messageId: string) =>
  mine.rows("select * from audit where resource_id = $1 and action = 'message.create'", [messageId]);

describe("a feature that sends without a request", () => {
  it("sends each message once, though its task is killed and begins again", async () => {
    const people = [person(), person(), person()];
    const closed = person();
    const bodies = [...people.map((to) => template(to)), text(closed)];
    await gateway.app.db.transaction(mine.uuid, async (sql) => {
      await enqueueTask(sql, mine.uuid, { kind: "rounds.send", payload: bodies, now: gateway.clock.now() });
    });
    await expect.poll(() => runs).toHaveLength(1);
    gateway.clock.advance(10_000);
    await expect.poll(() => runs).toHaveLength(2);
    const [first = [], again = []] = runs;
    expect(first.slice(0, 3)).toMatchObject(
      people.map((to) => ({ message: { to, status: "queued" }, replayed: false })),
    );
    expect(again.slice(0, 3)).toEqual(
      first.slice(0, 3).map((sent) => ({ ...(sent as Sent), replayed: true, slot: null })),
    );
    expect([first[3], again[3]]).toMatchObject([{ code: "window_closed" }, { code: "window_closed" }]);
    for (const outcome of first.slice(0, 3)) await mine.becomes((outcome as Sent).message.id, "accepted");
    expect(await Promise.all([...people, closed].map(countOf))).toEqual([1, 1, 1, 0]);
    expect([...people, closed].map((to) => sentTo(to).length)).toEqual([1, 1, 1, 0]);
  });

  it("leaves the same message, events and attempt as a request, and an audit row if it says of which call", async () => {
    const [asked, called, quiet] = [person(), person(), person()];
    const more = { reference: "order-17" };
    const { body } = await mine.send(asked, more);
    const audit = { method: "POST", path: "/elsewhere/messages", ip: "192.0.2.1", userAgent: "rounds/1" };
    const ofCall = await sending.send(ctxOf({ audit }), template(called, more));
    const ofNone = await sending.send(ctxOf(), template(quiet, more));
    for (const id of [body.id, ofCall.message.id, ofNone.message.id]) await mine.becomes(id, "accepted");
    expect(await traces(asked)).toMatchObject({ events: [{ kind: "contact_created" }, {}], attempts: 1, sent: 1 });
    expect(await traces(called)).toEqual(await traces(asked));
    expect(await traces(quiet)).toEqual(await traces(asked));
    const own = { id: expect.anything(), contact_id: expect.anything(), to: called, sequence: expect.anything() };
    const times = { created_at: expect.anything(), estimated_dispatch_at: ofCall.message.estimated_dispatch_at };
    expect(ofCall).toEqual({
      message: { ...body, ...own, ...times },
      replayed: false,
      waited: false,
      slot: expect.any(Number),
    });
    const [over] = await auditOf(body.id);
    expect(await auditOf(ofNone.message.id)).toEqual([]);
    expect(await auditOf(ofCall.message.id)).toEqual([
      {
        ...over,
        id: expect.anything(),
        at: expect.anything(),
        resource_id: ofCall.message.id,
        actor_type: "system",
        actor_id: null,
        actor_name: null,
        request_id: "req_rounds",
        method: audit.method,
        path: audit.path,
        ip: audit.ip,
        user_agent: audit.userAgent,
      },
    ]);
  });

  it("may wait for the provider's answer, and no longer than its signal lets it", async () => {
    const [patient, gone] = [person(), person()];
    const wait = { seconds: 20, signal: new AbortController().signal };
    const accepted = await sending.send(ctxOf({ wait }), template(patient));
    expect(accepted).toMatchObject({ waited: true, message: { to: patient, status: "accepted" } });
    const ended = await sending.send(ctxOf({ wait: { ...wait, signal: AbortSignal.abort() } }), template(gone));
    expect(ended).toMatchObject({ waited: true, message: { to: gone } });
    expect(await countOf(gone)).toBe(1);
  });

  it("has keys that belong to its workspace, and that no request can have", async () => {
    const to = person();
    const body = template(to);
    const first = await sending.send(ctxOf({ key: sendKey("round\n1", body) }), body);
    const request = await mine.send(to, {}, { "x-idempotency-key": "round 1" });
    expect([request.status, request.body.code]).toEqual([400, "invalid_request"]);
    const other = await sending.send(ctxOf({ workspaceId: theirs.uuid, key: sendKey("round\n1", body) }), body);
    expect([other.replayed, other.message.from]).toEqual([false, theirs.account.phone]);
    const differs = template(to, { reference: "other" });
    await expect(sending.send(ctxOf({ key: sendKey("round\n1", differs) }), differs)).rejects.toMatchObject({
      code: "idempotency_key_reused",
      extras: { resourceId: first.message.id },
    });
    expect(await countOf(to)).toBe(1);
  });

  it("sends a list as a batch does, under the list's key", async () => {
    const [one, two] = [person(), person()];
    const list = [template(one), text(two), template(two, { reference: "second" }), template(one)];
    const key = sendKey("list\n1", template(one));
    const first = await sending.sendAll(ctxOf({ key }), list);
    const again = await sending.sendAll(ctxOf({ key }), list);
    expect(first).toMatchObject([
      { message: { to: one }, replayed: false },
      { code: "window_closed" },
      { message: { to: two, reference: "second" } },
      { message: { to: one } },
    ]);
    expect(again.map((outcome) => (outcome instanceof Problem ? outcome.code : outcome.replayed))).toEqual([
      true,
      "window_closed",
      true,
      true,
    ]);
    expect(await Promise.all([one, two].map(countOf))).toEqual([2, 1]);
  });

  describe("reads a body that no request has brought", () => {
    const own = (to: string): Record<string, unknown> => ({ ...template(to) });
    const button = { type: "button", sub_type: "URL", index: "0", parameters: [{ type: "TEXT", text: "x" }] };
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

    it.each<[string, (body: Record<string, unknown>) => unknown]>([
      ["without a recipient", ({ to: _to, ...body }) => body],
      ["with a recipient of another type", (body) => ({ ...body, to: 1 })],
      ["of an unknown type", (body) => ({ ...body, type: "fax" })],
      ["with the content of another type", (body) => ({ ...body, text: { body: "Hi" } })],
      ["with a field that is not there", (body) => ({ ...body, referense: "order-17" })],
      ["with a reference that is too long", (body) => ({ ...body, reference: "x".repeat(257) })],
      ["with a time that there is not", (body) => ({ ...body, send_at: "2026-02-31T09:30:00Z" })],
      ["with an id of another resource", (body) => ({ ...body, reply_to: "con_01jd0000000000000000000000" })],
      [
        "with a parameter of the wrong type",
        (body) => ({
          ...body,
          template: { ...ORDER_READY, components: [{ type: "body", parameters: [{ type: "text", text: 17 }] }] },
        }),
      ],
      [
        "with a fallback without a language",
        ({ to }) => ({ ...text(String(to)), fallback: { template: { name: ORDER_READY.name } } }),
      ],
      ["with half a character", (body) => ({ ...body, reference: "\ud83d" })],
      ["with a NUL", (body) => ({ ...body, reference: "order\u0000" })],
      ["that is nested too deep", (body) => ({ ...body, template: deep(40) })],
      ["with a number that is too large", (body) => ({ ...body, sequence: 2 ** 60 })],
      ["that is too large", (body) => ({ ...body, reference: "x".repeat(300_000) })],
      ["that is a list", (body) => [body]],
      ["that is null", () => null],
      ["that is a text", () => "template"],
    ])("and refuses one %s as it would be refused there", async (_what, change) => {
      const value = change(own(person()));
      const reply = await mine.call("POST", "/v1/messages", { body: JSON.stringify(value) });
      const refusal = readBody(value);
      if (!(refusal instanceof Problem)) throw new Error("it was read");
      const { request_id, ...rest } = problemFields(refusal, {
        requestId: reply.body.request_id,
        config: gateway.app.config,
      });
      expect([reply.status, reply.body]).toEqual([refusal.status, { ...rest, request_id }]);
    });

    it.each<[string, unknown]>([
      ["nothing", undefined],
      ["a circle", own("+15552000999")],
      ["a bigint", { ...own("+15552000999"), sequence: 1n }],
      ["more levels than the stack has room for", { ...own("+15552000999"), template: chain(100_000) }],
    ])("and refuses %s, which none can bring", (what, value) => {
      if (what === "a circle") (value as { self: unknown }).self = value;
      const refusal = readBody(value);
      expect(refusal).toMatchObject({ status: 400, code: what === "nothing" ? "invalid_request" : "invalid_json" });
      expect(
        JSON.stringify(problemFields(refusal as Problem, { requestId: "req_1", config: gateway.app.config })),
      ).not.toContain("15552000999");
    });

    it("and sends one that fits as there, with its words in the schema's spelling, and leaves the value as it is", async () => {
      const [asked, told] = [person(), person()];
      const value = (to: string) => ({
        ...own(to),
        template: { ...ORDER_READY, components: [structuredClone(button)] },
        send_at: undefined,
      });
      const given = value(told);
      const body = readBody(given);
      if (body instanceof Problem) throw body;
      expect(body).toMatchObject({ template: { components: [{ sub_type: "url", parameters: [{ type: "text" }] }] } });
      expect([given, Object.keys(body)]).toStrictEqual([value(told), ["to", "type", "template"]]);
      expect(Object.isFrozen(readBody(Object.freeze(own(told))))).toBe(false);
      const [there, here] = [
        await mine.call("POST", "/v1/messages", { body: value(asked) }),
        await sending.send(ctxOf(), body).catch((refusal: unknown) => refusal),
      ];
      expect(there.status).toBe(422);
      expect(here).toMatchObject({ code: there.body.code, message: there.body.detail });
      const plain = readBody(own(told));
      if (plain instanceof Problem) throw plain;
      expect(await sending.send(ctxOf({ key: sendKey("read\n1", plain) }), plain)).toMatchObject({
        message: { to: told },
      });
      expect(await countOf(told)).toBe(1);
    });
  });

  it("asks beforehand, as a dry run does", async () => {
    const to = person();
    const dry = await sending.validate(ctxOf(), text(to));
    expect(dry).toMatchObject({ sendable: false, problems: [{ code: "window_closed" }] });
    const { body } = await mine.call("POST", "/v1/messages/validate", { body: text(to) });
    const codes = ({ problems }: { problems: { code?: unknown }[] }) => problems.map(({ code }) => code);
    expect([codes(dry), dry.window, dry.limits.messaging]).toEqual([codes(body), body.window, body.limits.messaging]);
    expect(await countOf(to)).toBe(0);
  });
});
