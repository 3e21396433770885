import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { AnyRoute } from "../../packages/server/src/http/route.ts";
import { DAY_MS } from "../../packages/server/src/lib/duration.ts";
import type { Call } from "../../packages/server/src/testing/call.ts";
import { callbackOf, postCallback } from "../../packages/server/src/testing/callback.ts";
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
  "GET /v1/workspace": "all",
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
};

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let one: Side;
let other: Side;

beforeAll(async () => {
  gateway = await startGateway();
  [mine, theirs] = [await gateway.sender({ numbers: 2 }), await gateway.sender()];
  const { body } = await mine.call("GET", "/v1/phone-numbers");
  const numbers: Numbers = body.data;
  // The default one is the second, so that nothing works because the first is taken.
  const [first, second] = numbers.toSorted((a, b) => Number(a.is_default) - Number(b.is_default));
  one = await sideOf(first, 1);
  other = await sideOf(second, 2);
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
  return {
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

const upload = (call: Call) =>
  call("POST", "/v1/media", {
    headers: { "content-type": "multipart/form-data; boundary=part" },
    body: '--part\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHours\r\n--part--\r\n',
  });

const nameOf = (row: AnyRoute) => `${row.method} ${row.path}`;
const ofWorkspace = () => gateway.features.routes.filter(({ auth }) => auth === "workspace");

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
