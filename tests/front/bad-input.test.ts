import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatId, newUuid } from "../../packages/server/src/lib/ids.ts";
import { countRows } from "../../packages/server/src/testing/everything.ts";
import {
  type Gateway,
  OPERATOR_KEY,
  ORDER_READY,
  type Sender,
  startGateway,
} from "../../packages/server/src/testing/gateway.ts";

// Bad input gets the code of the contract, leaves nothing behind but its audit row, and no neighbour notices.
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

let people = 0;
const person = (): string => `+1555800${String((people += 1)).padStart(4, "0")}`;
const good = (to = person()) => ({ to, type: "template", template: ORDER_READY });
const UPDATE = {
  name: "order_update",
  language: { code: "en_US", policy: "deterministic" },
  components: [
    {
      type: "body",
      parameters: [
        { type: "text", text: "Ana" },
        { type: "text", text: "A17" },
      ],
    },
  ],
};

type Bad = {
  name: string;
  status: number;
  code: string;
  path?: string;
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  body?: () => unknown;
  headers?: Record<string, string>;
  bearer?: string | null;
};

const CASES: Bad[] = [
  { name: "malformed JSON", status: 400, code: "invalid_json", body: () => '{"to":"+1555' },
  { name: "broken UTF-8", status: 400, code: "invalid_json", body: () => Buffer.from([0x22, 0xff, 0x22]) },
  { name: "no body", status: 400, code: "invalid_request", body: () => "" },
  {
    name: "another content type",
    status: 415,
    code: "unsupported_media_type",
    body: () => JSON.stringify(good()),
    headers: { "content-type": "text/plain" },
  },
  {
    name: "a form",
    status: 415,
    code: "unsupported_media_type",
    body: () => "to=1",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  },
  {
    name: "a packed body",
    status: 415,
    code: "unsupported_media_type",
    body: () => "x",
    headers: { "content-encoding": "gzip" },
  },
  {
    name: "300 KiB",
    status: 413,
    code: "payload_too_large",
    body: () => ({ ...good(), reference: "x".repeat(300 * 1024) }),
  },
  { name: "an unknown field", status: 400, code: "invalid_request", body: () => ({ ...good(), colour: "red" }) },
  {
    name: "__proto__",
    status: 400,
    code: "invalid_request",
    body: () => `{"__proto__":{"x":1},${JSON.stringify(good()).slice(1)}`,
  },
  {
    name: "a number beyond doubles",
    status: 400,
    code: "invalid_request",
    body: () => JSON.stringify({ ...good(), template: UPDATE }).replace('"Ana"', "1e400"),
  },
  {
    name: "nesting without end",
    status: 400,
    code: "invalid_request",
    body: () => "[".repeat(5_000) + "]".repeat(5_000),
  },
  { name: "a number without +", status: 422, code: "invalid_phone_number", body: () => good("15551230001") },
  { name: "an impossible number", status: 422, code: "invalid_phone_number", body: () => good("+1555") },
  { name: "no key", status: 401, code: "unauthorized", body: good, bearer: null },
  { name: "a bad key", status: 401, code: "unauthorized", body: good, bearer: "wp_live_nonsense" },
  { name: "the operator's key", status: 401, code: "unauthorized", body: good, bearer: OPERATOR_KEY },
  { name: "a foreign contact", status: 422, code: "reference_not_found", body: () => good(foreign.contact_id) },
  {
    name: "a foreign number",
    status: 422,
    code: "reference_not_found",
    body: () => ({ ...good(), from: theirs.phoneNumberId }),
  },
  {
    name: "a foreign message to quote",
    status: 422,
    code: "reference_not_found",
    body: () => ({ ...good(), reply_to: foreign.id }),
  },
  {
    name: "a foreign message in the path",
    status: 404,
    code: "not_found",
    method: "GET",
    path: "/v1/messages/{foreign}",
  },
  {
    name: "another kind of id in the path",
    status: 404,
    code: "not_found",
    method: "GET",
    path: `/v1/messages/${formatId("con", newUuid(1))}`,
  },
  {
    name: "a method that is not taken",
    status: 405,
    code: "method_not_allowed",
    method: "DELETE",
    path: "/v1/messages",
  },
  { name: "a path that is none", status: 404, code: "not_found", method: "GET", path: "/v1/massages" },
  {
    name: "an unknown query parameter",
    status: 400,
    code: "invalid_request",
    method: "GET",
    path: "/v1/messages?nope=1",
  },
  { name: "NUL in the query", status: 400, code: "invalid_request", method: "GET", path: "/v1/messages?reference=%00" },
  { name: "NUL in the path", status: 400, code: "invalid_request", method: "GET", path: "/v1/messages/%00" },
  {
    name: "a path that cannot be decoded",
    status: 400,
    code: "invalid_request",
    method: "GET",
    path: "/v1/messages/%zz",
  },
  {
    name: "a key reused with another body",
    status: 422,
    code: "idempotency_key_reused",
    body: good,
    headers: { "x-idempotency-key": "reused" },
  },
  {
    name: "two keys",
    status: 400,
    code: "invalid_request",
    body: good,
    headers: { "x-idempotency-key": "a", "idempotency-key": "b" },
  },
  {
    name: "a stranger's window",
    status: 422,
    code: "window_closed",
    body: () => ({ to: person(), type: "text", text: { body: "Hi" } }),
  },
  {
    name: "an unknown template",
    status: 422,
    code: "template_not_found",
    body: () => ({ ...good(), template: { ...ORDER_READY, name: "nothing" } }),
  },
  {
    name: "a template that is not approved",
    status: 422,
    code: "template_not_approved",
    body: () => ({ ...good(), template: { ...ORDER_READY, name: "pending_notice" } }),
  },
  {
    name: "parameters that do not fit",
    status: 422,
    code: "template_parameters_mismatch",
    body: () => ({ ...good(), template: { ...UPDATE, components: [] } }),
  },
];

let foreign: { id: string; contact_id: string };
beforeAll(async () => {
  foreign = (await theirs.send(person())).body;
  await theirs.becomes(foreign.id, "accepted");
  const first = await mine.send(person(), {}, { "x-idempotency-key": "reused" });
  await mine.becomes(first.body.id, "accepted");
});

const ask = ({ method = "POST", path = "/v1/messages", body, headers = {}, bearer = mine.key }: Bad) =>
  gateway.as(bearer)(method, path.replace("{foreign}", foreign.id), { headers, ...(body ? { body: body() } : {}) });

/** Rows of all tables but the audit log, which has the refusals, and `flight`, which counts calls under way. */
async function rows(): Promise<Record<string, number>> {
  await gateway.audited();
  const { audit: _audit, flight: _flight, ...others } = await countRows(gateway.database.url);
  return others;
}

describe("bad input", () => {
  it.each(CASES)("$name: $status $code, and nothing is written", async (bad) => {
    const before = await rows();
    const reply = await ask(bad);
    expect([reply.status, reply.body?.code]).toEqual([bad.status, bad.code]);
    expect(reply.headers["content-type"]).toContain("application/problem+json");
    expect(reply.body).toMatchObject({
      status: bad.status,
      request_id: reply.headers["x-request-id"],
      retryable: false,
    });
    expect(await rows()).toEqual(before);
  });

  it("between 20 good ones at once, each kind of it, is noticed by none of them", async () => {
    const before = await rows();
    const kinds = CASES.filter((bad) => bad.method === undefined && bad.bearer === undefined);
    const sent: string[] = [];
    for (let start = 0; start < kinds.length; start += 4) {
      const some = kinds.slice(start, start + 4);
      const goods = Array.from({ length: 20 }, () => person());
      const replies: { status: number; body: { id: string }; bad?: Bad }[] = await Promise.all(
        goods.flatMap((to, index) => {
          const bad = index % 5 === 0 ? some[index / 5] : undefined;
          return bad ? [mine.send(to), ask(bad).then((reply) => ({ ...reply, bad }))] : [mine.send(to)];
        }),
      );
      for (const { bad, status } of replies) expect([bad?.name, status]).toEqual([bad?.name, bad?.status ?? 202]);
      sent.push(...replies.filter(({ bad }) => bad === undefined).map(({ body }) => body.id));
    }
    for (const id of sent) await mine.becomes(id, "accepted");
    const after = await rows();
    expect((after["message"] ?? 0) - (before["message"] ?? 0)).toBe(sent.length);
    expect((after["message_state"] ?? 0) - (before["message_state"] ?? 0)).toBe(sent.length);
    expect(after["idempotency_key"]).toBe(before["idempotency_key"]);
    expect(after["dispatch"] ?? 0).toBe(before["dispatch"] ?? 0);
  });
});

describe("NUL and lone surrogates", () => {
  const routes = (): [string, string, object][] => [
    [
      "/v1/messages",
      mine.key,
      {
        ...good(),
        template: UPDATE,
        reference: "r",
        from: mine.phoneNumberId,
        on_unknown: "hold",
        send_at: "2027-01-01T00:00:00Z",
        reply_to: foreign.id,
      },
    ],
    ["/v1/messages", mine.key, { to: person(), type: "text", text: { body: "Hi" } }],
    ["/v1/webhook-endpoints", mine.key, { url: "https://example.com/hook", events: ["*"], description: "d" }],
    ["/v1/api-keys", mine.key, { name: "n", scopes: ["*"] }],
    ["/v1/business-accounts", mine.key, { provider_account_id: "1", access_token: "t" }],
    ["/admin/v1/workspaces", OPERATOR_KEY, { name: "n" }],
  ];

  it("are 400 with their pointer at every string and every name of every body, and leave nothing", async () => {
    const before = await rows();
    let tried = 0;
    for (const [path, bearer, body] of routes()) {
      for (const bad of ["\u0000", "a\u0000b", "\ud800", "x\udc00", "\udc00\ud800"]) {
        for (const { value, pointer } of spoiled(body, bad)) {
          const reply = await gateway.as(bearer)("POST", path, { body: value });
          const at = reply.body?.errors?.[0]?.pointer;
          expect({ path, bad, pointer, status: reply.status, code: reply.body?.code, at }).toEqual({
            path,
            bad,
            pointer,
            status: 400,
            code: "invalid_request",
            at: pointer,
          });
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(150);
    expect(await rows()).toEqual(before);
  });

  it("pairs and what only looks like them pass", async () => {
    const reference = "😀 \\u0000 \\ud800 \u00e9\ufffd";
    const reply = await mine.send(person(), { reference });
    expect([reply.status, reply.body.reference]).toEqual([202, reference]);
    expect((await mine.call("GET", `/v1/messages?reference=${encodeURIComponent(reference)}`)).body.data).toHaveLength(
      1,
    );
  });
});

/** The value once for each of its strings and names, with `bad` put there; the pointer that the refusal must name. */
function* spoiled(value: unknown, bad: string, pointer = ""): Generator<{ value: unknown; pointer: string }> {
  if (typeof value === "string") yield { value: bad, pointer };
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const one of spoiled(inner, bad, `${pointer}/${name}`))
      yield {
        value: Array.isArray(value) ? value.with(Number(name), one.value) : { ...value, [name]: one.value },
        pointer: one.pointer,
      };
  }
  if (!Array.isArray(value)) yield { value: { ...value, [bad]: 1 }, pointer };
}

// Last: it takes the database away.
describe("the database stopped", () => {
  it("before a request is 503 with Retry-After; the same request is taken when it is back", async () => {
    const to = person();
    expect((await mine.send(to)).status).toBe(202); // the key is remembered
    gateway.wire.cut();
    await expect.poll(async () => (await mine.call("GET", "/v1/messages")).status).toBe(503);
    for (const headers of [{}, { "x-idempotency-key": "away" }]) {
      const reply = await mine.send(to, {}, headers);
      expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([503, "unavailable", true]);
      expect(reply.headers["retry-after"]).toBe("1");
    }
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);
    gateway.wire.mend();
    const back = async () => (await mine.send(to, {}, { "x-idempotency-key": "away" })).status;
    await expect.poll(back, { timeout: 15_000 }).toBe(202);
    const left = await mine.rows("select 1 from message where recipient = $1", [to]);
    expect(left).toHaveLength(2);
  });

  it("in mid-request: 202 is there, 503 may be sent again with its key, none twice, none lost", async () => {
    const people = Array.from({ length: 200 }, () => person());
    const post = (to: string) => mine.send(to, {}, { "x-idempotency-key": `mid-${to}` });
    const replies = people.map((to) => post(to));
    await Promise.any(replies); // some are committed, some under way, some have not begun
    gateway.wire.cut();
    const answers = await Promise.all(replies);
    expect(answers.filter(({ status }) => status !== 202 && status !== 503)).toEqual([]);
    gateway.wire.mend();
    await expect.poll(async () => (await mine.call("GET", "/v1/workspace")).status, { timeout: 15_000 }).toBe(200);
    const again = await Promise.all(people.map((to) => post(to)));
    expect(again.map((reply) => reply.status)).toEqual(people.map(() => 202));
    const before = answers.map((reply, index) => (reply.status === 202 ? reply : again[index]));
    expect(again.map((reply) => reply.text)).toEqual(before.map((reply) => reply?.text));
    const kept = await mine.rows<{ recipient: string }>("select recipient from message where recipient = any($1)", [
      people,
    ]);
    expect(kept.map((row) => row.recipient).toSorted()).toEqual(people.toSorted());
    for (const { body } of again) {
      await expect
        .poll(async () => (await mine.call("GET", `/v1/messages/${body.id}`)).body.status, { timeout: 20_000 })
        .toMatch(/accepted|unknown/);
    }
    const counts = new Map<string, number>();
    for (const { to } of gateway.simulator.sent({ phone_number_id: mine.account.providerPhoneNumberId, limit: 10_000 })
      .data)
      if (to !== null && people.includes(to)) counts.set(to, (counts.get(to) ?? 0) + 1);
    expect([...counts.values()].every((count) => count === 1)).toBe(true);
  });

  it("in mid-request without a key: 503 did nothing, 500 names the message to look for", async () => {
    const people = Array.from({ length: 200 }, () => person());
    const replies = people.map((to) => mine.send(to));
    await Promise.any(replies);
    gateway.wire.cut();
    const answers = await Promise.all(replies);
    gateway.wire.mend();
    await expect.poll(async () => (await mine.call("GET", "/v1/workspace")).status, { timeout: 15_000 }).toBe(200);
    const kept = await mine.rows<{ recipient: string }>("select recipient from message where recipient = any($1)", [
      people,
    ]);
    const there = new Set(kept.map((row) => row.recipient));
    const told = (status: number) => people.filter((_to, index) => answers[index]?.status === status);
    expect(told(202).filter((to) => !there.has(to))).toEqual([]);
    expect(told(503).filter((to) => there.has(to))).toEqual([]);
    // The rest may be there or not, and says what to look for.
    const rest = answers.filter(({ status }) => status !== 202 && status !== 503);
    const named = { status: 500, code: "internal", resource_id: expect.stringMatching(/^msg_/) };
    expect(rest.map(({ body }) => body)).toEqual(rest.map(() => expect.objectContaining(named)));
  });
});
