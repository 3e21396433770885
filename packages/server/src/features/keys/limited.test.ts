import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseId } from "../../lib/ids.ts";
import { readPlacedSecret } from "../../lib/placed-secret.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { Browser } from "../sessions/testing/browser.ts";
import { digestOfKey, limitedDigest } from "./key-format.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
/** Both numbers of mine. */
let numbers: [string, string];
beforeAll(async () => {
  gateway = await startGateway();
  [mine, theirs] = [await gateway.sender({ numbers: 2 }), await gateway.sender()];
  const { body } = await mine.call("GET", "/v1/phone-numbers");
  numbers = body.data.map(({ id }: { id: string }) => id);
});
afterAll(() => gateway.stop());

const create = (body: object, call = mine.call) =>
  call("POST", "/v1/api-keys", { body: { name: "limited", scopes: ["*"], ...body } });
const limitedTo = async (...phone_number_ids: string[]) => {
  const { body } = await create({ phone_number_ids });
  return { ...body, call: gateway.as(body.key) } as { id: string; key: string; call: Sender["call"] };
};

describe("the numbers of a key", () => {
  it("are shown wherever the key is, and kept by its rotation", async () => {
    const phone_number_ids = [numbers[1]];
    const created = await create({ phone_number_ids });
    expect([created.status, created.body.phone_number_ids]).toEqual([201, phone_number_ids]);
    const { id, key } = created.body;
    const call = gateway.as(key);
    expect((await mine.call("GET", `/v1/api-keys/${id}`)).body).toMatchObject({ phone_number_ids });
    expect((await call("GET", "/v1/workspace")).body.api_key).toMatchObject({ id, phone_number_ids });
    const rotated = await mine.call("POST", `/v1/api-keys/${id}/rotate`, { body: {} });
    expect([rotated.status, rotated.body.phone_number_ids]).toEqual([201, phone_number_ids]);
    const own = await gateway.as(rotated.body.key)("GET", "/v1/workspace");
    expect(own.body.api_key).toMatchObject({ id: rotated.body.id, phone_number_ids });
    const path = `/admin/v1/workspaces/${mine.id}/api-keys`;
    const by = await gateway.operator("POST", path, { body: { name: "n", scopes: ["*"], phone_number_ids } });
    expect([by.status, by.body.phone_number_ids]).toEqual([201, phone_number_ids]);
    await gateway.audited();
    const { body: log } = await mine.call("GET", "/v1/audit/activity?action=api_key.create");
    expect(log.data.map((one: { changes: unknown }) => one.changes)).toContainEqual(
      expect.objectContaining({ phone_number_ids }),
    );
    expect((await create({ phone_number_ids: null })).body.phone_number_ids).toBeNull();
  });

  it("are numbers of the workspace, 1 to 100, each once", async () => {
    const unknown = "num_01jd0000000000000000000000";
    for (const id of [theirs.phoneNumberId, unknown])
      expect((await create({ phone_number_ids: [numbers[0], id] })).body).toMatchObject({
        status: 422,
        code: "reference_not_found",
        errors: [{ pointer: "/phone_number_ids/1" }],
      });
    const tooMany = Array.from({ length: 101 }, (_, n) => `num_01jd000000000000000000${String(n).padStart(4, "0")}`);
    for (const phone_number_ids of [[], [numbers[0], numbers[0]], tooMany, [mine.keyId], "all"])
      expect([phone_number_ids, (await create({ phone_number_ids })).status]).toEqual([phone_number_ids, 400]);
  });
});

describe("a limited key", () => {
  it("creates, sees and ends no key that can do more", async () => {
    const [first, both] = [await limitedTo(numbers[0]), await limitedTo(...numbers)];
    for (const phone_number_ids of [undefined, null, [numbers[1]], numbers, [theirs.phoneNumberId]]) {
      const { body } = await create({ phone_number_ids }, first.call);
      expect([phone_number_ids, body.status, body.code]).toEqual([phone_number_ids, 403, "forbidden"]);
    }
    const narrow = await create({ phone_number_ids: [numbers[0]] }, both.call);
    expect(narrow.status).toBe(201);
    for (const id of [both.id, mine.keyId, theirs.keyId])
      for (const [method, path, options] of [
        ["GET", `/v1/api-keys/${id}`, {}],
        ["DELETE", `/v1/api-keys/${id}`, {}],
        ["POST", `/v1/api-keys/${id}/rotate`, { body: {} }],
      ] as const)
        expect([path, (await first.call(method, path, options)).status]).toEqual([path, 404]);
    const { body: list } = await first.call("GET", "/v1/api-keys");
    const ids = list.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining([first.id, narrow.body.id]));
    expect(ids).not.toContain(both.id);
    expect(ids).not.toContain(mine.keyId);
    expect((await first.call("DELETE", `/v1/api-keys/${narrow.body.id}`)).status).toBe(204);
    expect((await mine.call("GET", `/v1/api-keys/${both.id}`)).body.revoked_at).toBeNull();
  });

  it("is refused what concerns the whole workspace, which the audit log shows", async () => {
    const { id, call } = await limitedTo(numbers[0]);
    const refused = await call("POST", "/v1/business-accounts", { body: {} });
    expect(refused.body).toMatchObject({ status: 403, code: "forbidden" });
    expect(refused.body.detail).toContain("limited to phone numbers");
    await gateway.audited();
    const { body } = await mine.call("GET", "/v1/audit/activity?action=business_account.connect&status=403");
    expect(body.data).toMatchObject([{ actor: { type: "api_key", id }, response: { status: 403 } }]);
  });

  it("gets no kept answer of a key with other numbers, nor gives it its own", async () => {
    const [first, again, second] = [
      await limitedTo(numbers[0]),
      await limitedTo(numbers[0]),
      await limitedTo(numbers[1]),
    ];
    const body = { name: "n", scopes: ["messages:read"], phone_number_ids: [numbers[0]] };
    const post = (call: Sender["call"], key: string) =>
      call("POST", "/v1/api-keys", { body, headers: { "x-idempotency-key": key } });
    const made = await post(first.call, "k-1");
    const replayed = await post(again.call, "k-1");
    expect([replayed.status, replayed.text]).toEqual([201, made.text]);
    for (const other of [second.call, mine.call]) {
      const refused = await post(other, "k-1");
      expect([refused.status, refused.body.code]).toEqual([422, "idempotency_key_reused"]);
      expect(refused.text).not.toContain(made.body.key);
    }
    const whole = await post(mine.call, "k-2");
    const refused = await post(first.call, "k-2");
    expect([whole.status, refused.body.code]).toEqual([201, "idempotency_key_reused"]);
  });
});

describe("the console", () => {
  it("has the numbers of its key", async () => {
    const { key } = await limitedTo(numbers[0]);
    const browser = new Browser(gateway);
    expect((await browser.signIn(key)).body.key.phone_number_ids).toEqual([numbers[0]]);
    expect((await browser.session()).body.key.phone_number_ids).toEqual([numbers[0]]);
    expect((await browser.call("GET", "/v1/workspace")).body.api_key.phone_number_ids).toEqual([numbers[0]]);
    expect((await browser.call("POST", "/v1/business-accounts", { body: {} })).body.code).toBe("forbidden");
    await browser.signIn(mine.key);
    expect((await browser.session()).body.key.phone_number_ids).toBeNull();
  });
});

describe("processes that know no limits", () => {
  it("find neither a limited key nor a session of it", async () => {
    const { key, id } = await limitedTo(numbers[0]);
    const uuid = parseId("key", id) ?? "";
    const digest = digestOfKey(key);
    const [row] = await mine.rows<{ digest: string }>(
      "select encode(digest, 'hex') as digest from api_key where workspace_id = $1 and id = $2",
      [mine.uuid, uuid],
    );
    expect(row).toEqual({ digest: limitedDigest(digest) });
    const browser = new Browser(gateway);
    await browser.signIn(key);
    const cookie = readPlacedSecret(browser.cookie?.split("=")[1] ?? "");
    const sessions = await mine.rows<{ digest: string }>(
      "select encode(digest, 'hex') as digest from console_session where workspace_id = $1 and api_key_id = $2",
      [mine.uuid, uuid],
    );
    expect(sessions).toEqual([{ digest: limitedDigest(cookie?.digest ?? "") }]);
  });

  it("cannot rotate one into a key for all numbers", async () => {
    const { id } = await limitedTo(numbers[0]);
    const values = [mine.uuid, parseId("key", id), parseId("key", mine.keyId)];
    const rotated = gateway.app.db.transaction(mine.uuid, (sql) =>
      sql.run("update api_key set replaced_by = $3, expires_at = null where workspace_id = $1 and id = $2", values),
    );
    await expect(rotated).rejects.toThrow(/limited to phone numbers/);
  });
});
