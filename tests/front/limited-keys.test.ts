import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { AnyRoute } from "../../packages/server/src/http/route.ts";
import { DAY_MS } from "../../packages/server/src/lib/duration.ts";
import type { Call } from "../../packages/server/src/testing/call.ts";
import { callbackOf, postCallback } from "../../packages/server/src/testing/callback.ts";
import { EventReader } from "../../packages/server/src/testing/event-reader.ts";
import { type Gateway, ORDER_READY, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { unknownId } from "./examples.ts";

/**
 * What each operation does for a key that is limited to phone numbers; a new one is decided on here. `own`: it sees and changes what is of
 * its numbers alone, for which there is a test in `OWN`. `all`: it is about no number. `refused`: it concerns the whole workspace or account.
 */
const DECISIONS: Record<string, "own" | "all" | "refused"> = {
  "POST /v1/messages": "own",
  "POST /v1/messages/batch": "own",
  "POST /v1/messages/validate": "own",
  "GET /v1/messages": "own",
  "GET /v1/messages/{id}": "own",
  "POST /v1/messages/{id}/cancel": "own",
  "POST /v1/messages/{id}/read": "own",
  "GET /v1/messages/{id}/provider": "own",
  "GET /v1/audit/messages": "own",
  "GET /v1/conversations": "own",
  "GET /v1/conversations/{contact_id}/messages": "own",
  "POST /v1/conversations/{contact_id}/control": "own",
  "POST /v1/media": "own",
  "GET /v1/media": "own",
  "GET /v1/media/{id}": "own",
  "GET /v1/media/{id}/content": "own",
  "DELETE /v1/media/{id}": "own",
  "POST /v1/api-keys": "own",
  "GET /v1/api-keys": "own",
  "GET /v1/api-keys/{id}": "own",
  "DELETE /v1/api-keys/{id}": "own",
  "POST /v1/api-keys/{id}/rotate": "own",
  "GET /v1/templates": "own",
  "GET /v1/templates/{id}": "own",
  "GET /v1/business-accounts": "own",
  "GET /v1/business-accounts/{id}": "own",
  "GET /v1/phone-numbers": "own",
  "GET /v1/phone-numbers/{id}": "own",
  "PATCH /v1/phone-numbers/{id}": "own",
  "GET /v1/phone-numbers/{id}/health": "own",
  "GET /v1/phone-numbers/{id}/profile": "own",
  "PATCH /v1/phone-numbers/{id}/profile": "own",
  "GET /v1/usage": "own",
  "GET /v1/metrics/messages": "own",
  "GET /v1/metrics/deliveries": "own",
  "POST /v1/webhook-endpoints": "own",
  "GET /v1/webhook-endpoints": "own",
  "GET /v1/webhook-endpoints/{id}": "own",
  "PATCH /v1/webhook-endpoints/{id}": "own",
  "DELETE /v1/webhook-endpoints/{id}": "own",
  "POST /v1/webhook-endpoints/{id}/rotate-secret": "own",
  "POST /v1/webhook-endpoints/{id}/test": "own",
  "GET /v1/webhook-endpoints/{id}/deliveries": "own",
  "POST /v1/webhook-endpoints/{id}/replays": "own",
  "GET /v1/webhook-endpoints/{id}/replays/{replay_id}": "own",
  "GET /v1/deliveries": "own",
  "GET /v1/deliveries/{id}": "own",
  "POST /v1/deliveries/{id}/retry": "own",
  "GET /v1/events": "own",
  "GET /v1/events/{id}": "own",
  "GET /v1/events/stream": "own",
  "GET /v1/workspace": "all",
  "GET /v1/contacts": "all",
  "POST /v1/contacts": "all",
  "GET /v1/contacts/tags": "all",
  "GET /v1/contacts/export": "all",
  "GET /v1/contacts/{id}": "all",
  "PATCH /v1/contacts/{id}": "all",
  "DELETE /v1/contacts/{id}": "all",
  "POST /v1/contacts/batch": "all",
  "POST /v1/contacts/{id}/tags": "all",
  "DELETE /v1/contacts/{id}/tags/{tag}": "all",
  "POST /v1/contacts/{id}/merge": "all",
  "POST /v1/contacts/imports": "all",
  "GET /v1/contacts/imports": "all",
  "GET /v1/contacts/imports/{id}": "all",
  "GET /v1/contacts/imports/{id}/errors": "all",
  "POST /v1/contacts/imports/{id}/cancel": "all",
  "GET /v1/segments": "all",
  "POST /v1/segments": "all",
  "GET /v1/segments/{id}": "all",
  "PATCH /v1/segments/{id}": "all",
  "DELETE /v1/segments/{id}": "all",
  "GET /v1/segments/{id}/contacts": "all",
  "POST /v1/segments/preview": "all",
};

/** One number of the workspace with a key for it alone, and what is of this number. */
type Side = {
  number: string;
  phone: string;
  call: Call;
  keyId: string;
  /** A scheduled message, one that was received, and the person who wrote it. */
  scheduled: string;
  received: string;
  contact: string;
  /** Media that the person sent. */
  media: string;
  /** An endpoint for the number, a delivery to it, and a replay. */
  endpoint: string;
  delivery: string;
  replay: string;
  key: string;
};

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let one: Side;
let other: Side;
/** Of another account in the same workspace. */
let another: { accountId: string; number: string };

beforeAll(async () => {
  gateway = await startGateway();
  [mine, theirs] = [await gateway.sender({ numbers: 2 }), await gateway.sender()];
  const { body } = await mine.call("GET", "/v1/phone-numbers");
  const numbers: Numbers = body.data;
  // The default one is the second, so that nothing works because the first is taken.
  const [first, second] = numbers.toSorted((a, b) => Number(a.is_default) - Number(b.is_default));
  one = await sideOf(first, 1);
  other = await sideOf(second, 2);
  const { phoneNumberId: number } = await gateway.connect(mine);
  another = { accountId: (await mine.call("GET", `/v1/phone-numbers/${number}`)).body.business_account_id, number };
});
afterAll(() => gateway.stop());

type Numbers = { id: string; phone: string; provider_phone_number_id: string; is_default: boolean }[];

async function sideOf(number: Numbers[number] | undefined, n: number): Promise<Side> {
  if (number === undefined) throw new Error("there are no two numbers");
  const key = { name: `of ${n}`, scopes: ["*"], phone_number_ids: [number.id] };
  const { body } = await mine.call("POST", "/v1/api-keys", { body: key });
  const from = person(n).slice(1);
  const image = { id: `2${n}`, mime_type: "image/jpeg", sha256: "x" };
  const said = { from, id: `wamid.OF.${n}`, timestamp: String(Math.floor(gateway.clock.now() / 1_000)) };
  await postCallback(
    gateway,
    callbackOf(
      { ...mine.account, providerPhoneNumberId: number.provider_phone_number_id, phone: number.phone },
      { contacts: [{ profile: { name: `Person ${n}` }, wa_id: from }], messages: [{ ...said, type: "image", image }] },
    ),
  );
  const list = async (path: string) => (await mine.call("GET", path)).body.data;
  const inbound = async () => (await list(`/v1/messages?provider_message_id=wamid.OF.${n}`))[0];
  await vi.waitUntil(inbound, { timeout: 30_000 });
  const { id: received, contact_id: contact } = await inbound();
  const send_at = new Date(gateway.clock.now() + DAY_MS).toISOString();
  const scheduled = await mine.send(person(n), { send_at, from: number.id });
  const [media] = await list(`/v1/media?message_id=${received}`);
  const hook = { url: "https://example.com/hook", events: ["*"], phone_number_ids: [number.id] };
  const endpoint = (await mine.call("POST", "/v1/webhook-endpoints", { body: hook })).body.id;
  const delivery = await mine.call("POST", `/v1/webhook-endpoints/${endpoint}/test`);
  const since = { created_after: new Date(0).toISOString(), dry_run: true };
  const replay = await mine.call("POST", `/v1/webhook-endpoints/${endpoint}/replays`, { body: since });
  return {
    endpoint,
    delivery: delivery.body.id,
    replay: replay.body.id,
    key: body.key,
    number: number.id,
    phone: number.phone,
    call: gateway.as(body.key),
    keyId: body.id,
    scheduled: scheduled.body.id,
    received,
    contact,
    media: media.id,
  };
}

const person = (n: number) => `+1555930000${n}`;
const template = (to: string, more: object = {}) => ({ to, type: "template", template: ORDER_READY, ...more });
const text = (to: string, more: object = {}) => ({ to, type: "text", text: { body: "Hello" }, ...more });

const idsIn = async (call: Call, path: string, field = "id"): Promise<string[]> => {
  const reply = await call("GET", path);
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.body.data.map((item: Record<string, string>) => item[field]);
};

/** The list has what is of the key's own number and not what is of the other one; without a limit, both. */
async function splits(path: string, of: (side: Side) => string, field = "id"): Promise<void> {
  for (const [side, foreign] of [
    [one, other],
    [other, one],
  ] as const) {
    const ids = await idsIn(side.call, path, field);
    expect(ids).toContain(of(side));
    expect(ids).not.toContain(of(foreign));
    expect(await idsIn(mine.call, path, field)).toEqual(expect.arrayContaining([of(side), of(foreign)]));
  }
}

/** What is of the other number is answered like what is not there, and what is of the key's own is not. */
async function hides(
  method: Parameters<Call>[0],
  path: (id: string) => string,
  of: (side: Side) => string,
  { body, prefix }: { body?: object; prefix: string },
): Promise<void> {
  const ask = async (id: string) => await one.call(method, path(id), body === undefined ? {} : { body });
  const [unknown, foreign] = [await ask(unknownId(prefix)), await ask(of(other))];
  expect([foreign.status, foreign.body.code]).toEqual([404, "not_found"]);
  expect({ ...foreign.body, request_id: "" }).toEqual({ ...unknown.body, request_id: "" });
  expect((await ask(of(one))).status).not.toBe(404);
}

/** As `hides`, of an endpoint. */
const ofEndpoint = (method: Parameters<Call>[0], path: string, body?: object) =>
  hides(
    method,
    (id) => `/v1/webhook-endpoints/${id}${path}`,
    (of) => of.endpoint,
    {
      prefix: "whe",
      ...(body === undefined ? {} : { body }),
    },
  );

const refusal = (reply: { body: { status: number; code: string; errors?: { pointer: string }[] } }) => [
  reply.body.status,
  reply.body.code,
  reply.body.errors?.[0]?.pointer,
];

/** A call for each operation that answers a limited key with its own. */
const OWN: Record<string, () => Promise<void>> = {
  "POST /v1/messages": async () => {
    for (const from of [other.number, other.phone, theirs.phoneNumberId, unknownId("num")]) {
      const refused = await one.call("POST", "/v1/messages", { body: template(person(3), { from }) });
      expect([from, ...refusal(refused)]).toEqual([from, 422, "reference_not_found", "/from"]);
    }
    for (const body of [template(person(3)), template(person(2)), template(person(3), { from: one.number })]) {
      const { body: sent } = await one.call("POST", "/v1/messages", { body });
      expect([body, sent.phone_number_id]).toEqual([body, one.number]);
    }
    // The window is that of the number and the person.
    expect((await one.call("POST", "/v1/messages", { body: text(person(1)) })).status).toBe(202);
    expect((await one.call("POST", "/v1/messages", { body: text(person(2)) })).body.code).toBe("window_closed");
    const image = { to: person(1), type: "image", image: { id: other.media } };
    expect((await one.call("POST", "/v1/messages", { body: image })).body.code).toBe("media_not_found");
    const quoting = text(person(1), { reply_to: other.received });
    expect(refusal(await one.call("POST", "/v1/messages", { body: quoting })).slice(0, 2)).toEqual([
      422,
      "reference_not_found",
    ]);
    const headers = { "x-idempotency-key": "of-one" };
    const sent = await one.call("POST", "/v1/messages", { body: template(person(3)), headers });
    expect((await one.call("POST", "/v1/messages", { body: template(person(3)), headers })).text).toBe(sent.text);
    const again = await other.call("POST", "/v1/messages", { body: template(person(3)), headers });
    expect([again.body.code, again.text.includes(person(3))]).toEqual(["idempotency_key_reused", false]);
  },
  "POST /v1/messages/batch": async () => {
    const messages = [
      template(person(4), { from: other.number }),
      template(person(4), { idempotency_key: "row" }),
      template(person(2)),
    ];
    const { body } = await one.call("POST", "/v1/messages/batch", { body: { messages } });
    expect(body.data).toMatchObject([
      { error: { code: "reference_not_found" } },
      { message: { phone_number_id: one.number } },
      { message: { phone_number_id: one.number } },
    ]);
    const again = await other.call("POST", "/v1/messages/batch", { body: { messages: [messages[1]] } });
    expect(again.body.data).toMatchObject([{ error: { code: "idempotency_key_reused" } }]);
  },
  "POST /v1/messages/validate": async () => {
    const foreign = { body: template(person(5), { from: other.number }) };
    expect((await one.call("POST", "/v1/messages/validate", foreign)).body).toMatchObject({
      sendable: false,
      problems: [{ code: "reference_not_found" }],
    });
    const { body } = await one.call("POST", "/v1/messages/validate", { body: template(person(2)) });
    expect(body).toMatchObject({ sendable: true, window: { phone_number_id: one.number, open: false } });
  },
  "GET /v1/messages": async () => {
    await splits("/v1/messages?limit=100", ({ received }) => received);
    expect(await idsIn(one.call, `/v1/messages?to=${encodeURIComponent(other.phone)}`)).toEqual([]);
    expect(await idsIn(one.call, "/v1/messages?provider_message_id=wamid.OF.2")).toEqual([]);
    expect(await idsIn(one.call, "/v1/messages?provider_message_id=wamid.OF.1")).toEqual([one.received]);
    const found = await idsIn(one.call, "/v1/messages?status=scheduled&limit=100");
    expect([found.includes(one.scheduled), found.includes(other.scheduled)]).toEqual([true, false]);
  },
  "GET /v1/messages/{id}": () =>
    hides(
      "GET",
      (id) => `/v1/messages/${id}`,
      (of) => of.received,
      { prefix: "msg" },
    ),
  "POST /v1/messages/{id}/cancel": async () => {
    await hides(
      "POST",
      (id) => `/v1/messages/${id}/cancel`,
      (of) => of.scheduled,
      { prefix: "msg" },
    );
    const { body } = await mine.call("GET", `/v1/messages/${other.scheduled}`);
    expect(body.status).toBe("scheduled");
  },
  "POST /v1/messages/{id}/read": async () => {
    await hides(
      "POST",
      (id) => `/v1/messages/${id}/read`,
      (of) => of.received,
      { prefix: "msg" },
    );
    const { body } = await mine.call("GET", `/v1/conversations?contact_id=${other.contact}`);
    expect(body.data.some((thread: { unread_count: number }) => thread.unread_count > 0)).toBe(true);
  },
  "GET /v1/messages/{id}/provider": () =>
    hides(
      "GET",
      (id) => `/v1/messages/${id}/provider`,
      (of) => of.scheduled,
      { prefix: "msg" },
    ),
  "GET /v1/audit/messages": async () => {
    await splits("/v1/audit/messages?limit=100", ({ received }) => received, "message_id");
    expect(await idsIn(one.call, `/v1/audit/messages?message_id=${other.received}`)).toEqual([]);
    const rows = await one.call("GET", "/v1/audit/messages", { headers: { accept: "text/csv" } });
    expect([rows.text.includes(one.received), rows.text.includes(other.received)]).toEqual([true, false]);
    const pages: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await one.call("GET", `/v1/audit/messages?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      pages.push(...page.body.data.map(({ id }: { id: string }) => id));
      cursor = page.body.next_cursor;
    }
    expect(pages).toEqual(await idsIn(one.call, "/v1/audit/messages?limit=100"));
  },
  "GET /v1/conversations": async () => {
    for (const query of ["", `contact_id=${one.contact}`, "unread=true", "q=Person", "window=open"])
      for (const number of await idsIn(one.call, `/v1/conversations?limit=100&${query}`, "phone_number_id"))
        expect(number).toBe(one.number);
    expect(await idsIn(one.call, "/v1/conversations", "phone_number_id")).not.toEqual([]);
    expect(await idsIn(one.call, `/v1/conversations?phone_number_id=${other.number}`)).toEqual([]);
  },
  "GET /v1/conversations/{contact_id}/messages": async () => {
    const path = `/v1/conversations/${other.contact}/messages?limit=100`;
    expect(await idsIn(one.call, path)).not.toContain(other.received);
    expect(await idsIn(other.call, path)).toContain(other.received);
    expect(await idsIn(one.call, `${path}&phone_number_id=${other.number}`)).toEqual([]);
  },
  "POST /v1/conversations/{contact_id}/control": async () => {
    const path = `/v1/conversations/${other.contact}/control`;
    const body = { phone_number_id: other.number, action: "take" };
    expect(refusal(await one.call("POST", path, { body }))).toEqual([422, "reference_not_found", "/phone_number_id"]);
    expect((await other.call("POST", path, { body })).status).toBe(200);
  },
  "POST /v1/media": async () => {
    const uploaded = await upload(one.call);
    expect(uploaded.status).toBe(201);
    // What is uploaded is the workspace's.
    expect((await other.call("GET", `/v1/media/${uploaded.body.id}`)).status).toBe(200);
  },
  "GET /v1/media": async () => {
    await splits("/v1/media?limit=100", ({ media }) => media);
    expect(await idsIn(one.call, `/v1/media?message_id=${other.received}`)).toEqual([]);
    const { id } = (await upload(other.call)).body;
    expect(await idsIn(one.call, "/v1/media?source=upload&limit=100")).toContain(id);
  },
  "GET /v1/media/{id}": () =>
    hides(
      "GET",
      (id) => `/v1/media/${id}`,
      (of) => of.media,
      { prefix: "med" },
    ),
  "GET /v1/media/{id}/content": () =>
    hides(
      "GET",
      (id) => `/v1/media/${id}/content`,
      (of) => of.media,
      { prefix: "med" },
    ),
  "DELETE /v1/media/{id}": async () => {
    await hides(
      "DELETE",
      (id) => `/v1/media/${id}`,
      (of) => of.media,
      { prefix: "med" },
    );
    expect((await mine.call("GET", `/v1/media/${other.media}`)).status).toBe(200);
  },
  "GET /v1/templates": async () => {
    const { template: foreign, number } = await anotherAccount();
    const seen = await idsIn(one.call, "/v1/templates?limit=100");
    expect([seen.length > 0, seen.includes(foreign)]).toEqual([true, false]);
    expect(await idsIn(one.call, `/v1/templates?phone_number_id=${number}`)).toEqual([]);
  },
  "GET /v1/templates/{id}": async () => {
    const { template: foreign } = await anotherAccount();
    expect((await one.call("GET", `/v1/templates/${foreign}`)).status).toBe(404);
    const [own] = await idsIn(one.call, "/v1/templates");
    expect((await one.call("GET", `/v1/templates/${own}`)).status).toBe(200);
  },
  "GET /v1/business-accounts": async () => {
    const { account } = await anotherAccount();
    const { body } = await one.call("GET", "/v1/business-accounts");
    expect(body.data).toMatchObject([{ phone_numbers: [{ id: one.number }] }]);
    expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(account);
  },
  "GET /v1/business-accounts/{id}": async () => {
    const { account } = await anotherAccount();
    expect((await one.call("GET", `/v1/business-accounts/${account}`)).status).toBe(404);
    const [own] = await idsIn(one.call, "/v1/business-accounts");
    const { body } = await one.call("GET", `/v1/business-accounts/${own}`);
    expect(body.phone_numbers).toMatchObject([{ id: one.number }]);
  },
  "GET /v1/phone-numbers": () => splits("/v1/phone-numbers", ({ number }) => number),
  "GET /v1/phone-numbers/{id}": () =>
    hides(
      "GET",
      (id) => `/v1/phone-numbers/${id}`,
      (of) => of.number,
      { prefix: "num" },
    ),
  "PATCH /v1/phone-numbers/{id}": async () => {
    const body = { description: "Desk" };
    await hides(
      "PATCH",
      (id) => `/v1/phone-numbers/${id}`,
      (of) => of.number,
      { prefix: "num", body },
    );
    const asDefault = await one.call("PATCH", `/v1/phone-numbers/${one.number}`, { body: { is_default: true } });
    expect([asDefault.status, asDefault.body.code]).toEqual([403, "forbidden"]);
  },
  "GET /v1/phone-numbers/{id}/health": () =>
    hides(
      "GET",
      (id) => `/v1/phone-numbers/${id}/health`,
      (of) => of.number,
      { prefix: "num" },
    ),
  "GET /v1/phone-numbers/{id}/profile": () =>
    hides(
      "GET",
      (id) => `/v1/phone-numbers/${id}/profile`,
      (of) => of.number,
      { prefix: "num" },
    ),
  "PATCH /v1/phone-numbers/{id}/profile": () =>
    hides(
      "PATCH",
      (id) => `/v1/phone-numbers/${id}/profile`,
      (of) => of.number,
      { prefix: "num", body: { about: "Hi" } },
    ),
  "GET /v1/usage": async () => {
    await gateway.features.timers.find(({ name }) => name === "usage")?.run();
    await splits("/v1/usage", ({ number }) => number, "phone_number_id");
    expect(await idsIn(one.call, `/v1/usage?phone_number_id=${other.number}`)).toEqual([]);
  },
  "GET /v1/metrics/messages": async () => {
    await gateway.features.timers.find(({ name }) => name === "message metrics")?.run();
    await splits("/v1/metrics/messages?group_by=phone_number_id", ({ number }) => number, "phone_number_id");
    expect(await idsIn(one.call, `/v1/metrics/messages?phone_number_id=${other.number}`)).toEqual([]);
  },
  "GET /v1/metrics/deliveries": async () => {
    const path = "/v1/metrics/deliveries?group_by=webhook_endpoint_id";
    const counted = async (call: Call) => {
      await gateway.features.timers.find(({ name }) => name === "delivery metrics")?.run();
      return await idsIn(call, path, "webhook_endpoint_id");
    };
    await vi.waitUntil(async () => (await counted(mine.call)).includes(other.endpoint), { timeout: 30_000 });
    expect(await counted(one.call)).not.toContain(other.endpoint);
    expect(await idsIn(one.call, `${path}&webhook_endpoint_id=${other.endpoint}`)).toEqual([]);
  },
  "POST /v1/webhook-endpoints": async () => {
    const hook = { url: "https://example.com/own", events: ["*"] };
    const create = (more: object) => one.call("POST", "/v1/webhook-endpoints", { body: { ...hook, ...more } });
    const [account] = await idsIn(mine.call, "/v1/business-accounts");
    for (const more of [{}, { phone_number_ids: null }, { business_account_ids: [account] }])
      expect([more, ...refusal(await create(more))]).toEqual([more, 403, "forbidden", undefined]);
    expect(refusal(await create({ phone_number_ids: [one.number, other.number] }))).toEqual([
      422,
      "reference_not_found",
      "/phone_number_ids/1",
    ]);
    expect((await create({ phone_number_ids: [one.number] })).status).toBe(201);
  },
  "GET /v1/webhook-endpoints": () => splits("/v1/webhook-endpoints?limit=100", ({ endpoint }) => endpoint),
  "GET /v1/webhook-endpoints/{id}": () => ofEndpoint("GET", ""),
  "PATCH /v1/webhook-endpoints/{id}": async () => {
    await ofEndpoint("PATCH", "", { description: "d" });
    const path = `/v1/webhook-endpoints/${one.endpoint}`;
    for (const body of [{ phone_number_ids: null }, { business_account_ids: [unknownId("acc")] }])
      expect((await one.call("PATCH", path, { body })).status).toBeGreaterThan(400);
    const wider = { phone_number_ids: [one.number, other.number] };
    expect((await one.call("PATCH", path, { body: wider })).body.code).toBe("reference_not_found");
  },
  "DELETE /v1/webhook-endpoints/{id}": async () => {
    expect((await one.call("DELETE", `/v1/webhook-endpoints/${other.endpoint}`)).status).toBe(404);
    expect((await mine.call("GET", `/v1/webhook-endpoints/${other.endpoint}`)).status).toBe(200);
  },
  "POST /v1/webhook-endpoints/{id}/rotate-secret": () => ofEndpoint("POST", "/rotate-secret", {}),
  "POST /v1/webhook-endpoints/{id}/test": () => ofEndpoint("POST", "/test"),
  "GET /v1/webhook-endpoints/{id}/deliveries": () => ofEndpoint("GET", "/deliveries"),
  "POST /v1/webhook-endpoints/{id}/replays": () =>
    ofEndpoint("POST", "/replays", { created_after: new Date(0).toISOString(), dry_run: true }),
  "GET /v1/webhook-endpoints/{id}/replays/{replay_id}": async () => {
    const path = (of: Side) => `/v1/webhook-endpoints/${of.endpoint}/replays/${of.replay}`;
    expect((await one.call("GET", path(one))).status).toBe(200);
    expect((await one.call("GET", path(other))).status).toBe(404);
  },
  "GET /v1/deliveries": async () => {
    for (const query of ["", "&status=parked", "&status=pending", "&status=failed", `&message_id=${other.received}`])
      for (const id of await idsIn(one.call, `/v1/deliveries?limit=100${query}`, "webhook_endpoint_id"))
        expect(id).not.toBe(other.endpoint);
    expect(await idsIn(one.call, "/v1/deliveries?limit=100")).toContain(one.delivery);
    expect(await idsIn(mine.call, "/v1/deliveries?limit=100")).toContain(other.delivery);
    expect(await idsIn(one.call, `/v1/deliveries?webhook_endpoint_id=${other.endpoint}`)).toEqual([]);
  },
  "GET /v1/deliveries/{id}": () =>
    hides(
      "GET",
      (id) => `/v1/deliveries/${id}`,
      (of) => of.delivery,
      { prefix: "dlv" },
    ),
  "POST /v1/deliveries/{id}/retry": () =>
    hides(
      "POST",
      (id) => `/v1/deliveries/${id}/retry`,
      (of) => of.delivery,
      { prefix: "dlv" },
    ),
  "GET /v1/events": async () => {
    const seen = async (call: Call) => {
      const { body } = await call("GET", "/v1/events?limit=100");
      return body.data as { id: string; kind: string; data: { message?: { id: string } } }[];
    };
    const messagesOf = async (call: Call) => (await seen(call)).flatMap(({ data }) => data.message?.id ?? []);
    await vi.waitUntil(async () => (await messagesOf(mine.call)).includes(other.received), { timeout: 30_000 });
    expect(await messagesOf(one.call)).toContain(one.received);
    expect(await messagesOf(one.call)).not.toContain(other.received);
    // Of contacts are those of the workspace.
    expect((await seen(mine.call)).map(({ kind }) => kind)).toContain("contact_created");
    expect((await seen(one.call)).map(({ kind }) => kind)).not.toContain("contact_created");
    const byMessage = await one.call("GET", `/v1/events?message_id=${other.received}`);
    expect(byMessage.body.data).toEqual([]);
  },
  "GET /v1/events/{id}": async () => {
    const eventOf = async (of: Side) => (await idsIn(mine.call, `/v1/events?message_id=${of.received}`))[0];
    expect((await one.call("GET", `/v1/events/${await eventOf(other)}`)).status).toBe(404);
    expect((await one.call("GET", `/v1/events/${await eventOf(one)}`)).status).toBe(200);
  },
  "GET /v1/events/stream": async () => {
    const streams = await Promise.all([one, other].map(({ key }) => EventReader.open(gateway.url, key)));
    const send = ({ call }: Side) => call("POST", "/v1/messages", { body: template(person(6)) });
    const ids = [(await send(one)).body.id, (await send(other)).body.id];
    for (const [index, stream] of streams.entries()) {
      const messages = () =>
        stream.events.map(({ event, data }) => ({
          event,
          id: (data.data as { message?: { id: string } }).message?.id,
        }));
      await vi.waitUntil(() => messages().some(({ event, id }) => event === "accepted" && id === ids[index]), {
        timeout: 30_000,
      });
      expect(messages().map(({ id }) => id)).not.toContain(ids[1 - index]);
      expect(messages().map(({ event }) => event)).not.toContain("contact_created");
    }
    // The first stream has seen the end of the feed, with what was sent by the other number.
    await vi.waitUntil(() => streams[1]?.events.some(({ event }) => event === "accepted"), { timeout: 30_000 });
    for (const stream of streams) stream.close();
  },
  // With more of keys in features/keys/limited.test.ts.
  "POST /v1/api-keys": async () => {
    const body = { name: "n", scopes: ["*"], phone_number_ids: [other.number] };
    expect((await one.call("POST", "/v1/api-keys", { body })).status).toBe(403);
  },
  "GET /v1/api-keys": () => splits("/v1/api-keys?limit=100", ({ keyId }) => keyId),
  "GET /v1/api-keys/{id}": () =>
    hides(
      "GET",
      (id) => `/v1/api-keys/${id}`,
      (of) => of.keyId,
      { prefix: "key" },
    ),
  "POST /v1/api-keys/{id}/rotate": () =>
    hides(
      "POST",
      (id) => `/v1/api-keys/${id}/rotate`,
      (of) => of.keyId,
      { prefix: "key", body: {} },
    ),
  "DELETE /v1/api-keys/{id}": () =>
    hides(
      "DELETE",
      (id) => `/v1/api-keys/${id}`,
      (of) => of.keyId,
      { prefix: "key" },
    ),
};

/** An account of its own in the same workspace, with its number. */
async function anotherAccount(): Promise<{ account: string; number: string; template: string }> {
  const { accountId, number } = another;
  const template = (await idsIn(mine.call, `/v1/templates?phone_number_id=${number}`))[0] ?? "";
  return { account: accountId, number, template };
}

const upload = (call: Call) =>
  call("POST", "/v1/media", {
    headers: { "content-type": "multipart/form-data; boundary=part" },
    body: '--part\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHours\r\n--part--\r\n',
  });

const nameOf = (row: AnyRoute) => `${row.method} ${row.path}`;
const ofWorkspace = () => gateway.features.routes.filter(({ auth }) => auth === "workspace");

it("sees of contacts, which are the workspace's, the windows with its own number", async () => {
  const windows = async (call: Call) => (await call("GET", `/v1/contacts/${other.contact}`)).body.windows;
  expect(await windows(other.call)).toMatchObject([{ phone_number_id: other.number, open: true }]);
  expect(await windows(one.call)).toEqual([]);
  const { body } = await one.call("GET", "/v1/contacts?limit=100");
  for (const contact of body.data)
    for (const window of contact.windows) expect(window.phone_number_id).toBe(one.number);
});

describe("every operation", () => {
  it("is decided on", () => {
    const declared = ofWorkspace().map((row) => [
      nameOf(row),
      (row.auth === "workspace" && row.limitedKeys) || "refused",
    ]);
    const decided = declared.map(([name = ""]) => [name, DECISIONS[name] ?? "refused"]);
    expect(declared).toEqual(decided);
    expect(Object.keys(DECISIONS).filter((name) => !declared.some(([known]) => known === name))).toEqual([]);
    const own = Object.keys(DECISIONS).filter((name) => DECISIONS[name] === "own");
    expect(Object.keys(OWN).toSorted()).toEqual(own.toSorted());
  });

  it("is refused where it concerns the whole, whatever stands in the request", async () => {
    for (const row of ofWorkspace().filter((one) => (DECISIONS[nameOf(one)] ?? "refused") === "refused")) {
      const refused = await one.call(row.method, row.path.replaceAll(/\{\w+\}/g, "x"));
      expect([nameOf(row), refused.status, refused.body.code]).toEqual([nameOf(row), 403, "forbidden"]);
    }
  });

  it.each(Object.keys(OWN))("%s answers a limited key with what is of its number", async (name) => {
    await expect(OWN[name]?.()).resolves.toBeUndefined();
  });
});
