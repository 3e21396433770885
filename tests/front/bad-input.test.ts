import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatId, newUuid } from "../../packages/server/src/lib/ids.ts";
import {
  type Gateway,
  OPERATOR_KEY,
  ORDER_READY,
  type Sender,
  startGateway,
} from "../../packages/server/src/testing/gateway.ts";
import { good, ORDER_UPDATE, person, rowsOf } from "./requests.ts";

// Bad input gets the code of the contract, leaves nothing behind but its audit row, and no neighbour notices.
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let foreign: { id: string; contact_id: string };
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  foreign = (await theirs.send(person())).body;
  await theirs.becomes(foreign.id, "accepted");
  const first = await mine.send(person(), {}, { "x-idempotency-key": "reused" });
  await mine.becomes(first.body.id, "accepted");
});
afterAll(() => gateway.stop());

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
    body: () => JSON.stringify({ ...good(), template: ORDER_UPDATE }).replace('"Ana"', "1e400"),
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
    body: () => ({ ...good(), template: { ...ORDER_UPDATE, components: [] } }),
  },
];

const ask = ({ method = "POST", path = "/v1/messages", body, headers = {}, bearer = mine.key }: Bad) =>
  gateway.as(bearer)(method, path.replace("{foreign}", foreign.id), { headers, ...(body ? { body: body() } : {}) });

describe("bad input", () => {
  it.each(CASES)("$name: $status $code, and nothing is written", async (bad) => {
    const before = await rowsOf(gateway);
    const reply = await ask(bad);
    expect([reply.status, reply.body?.code]).toEqual([bad.status, bad.code]);
    expect(reply.headers["content-type"]).toContain("application/problem+json");
    expect(reply.body).toMatchObject({
      status: bad.status,
      request_id: reply.headers["x-request-id"],
      retryable: false,
    });
    expect(await rowsOf(gateway)).toEqual(before);
  });

  it("between 20 good ones at once, each kind of it, is noticed by none of them", async () => {
    const before = await rowsOf(gateway);
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
    const after = await rowsOf(gateway);
    expect((after["message"] ?? 0) - (before["message"] ?? 0)).toBe(sent.length);
    expect((after["message_state"] ?? 0) - (before["message_state"] ?? 0)).toBe(sent.length);
    expect(after["idempotency_key"]).toBe(before["idempotency_key"]);
    expect(after["dispatch"] ?? 0).toBe(before["dispatch"] ?? 0);
  });
});
