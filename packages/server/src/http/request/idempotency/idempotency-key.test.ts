import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../lib/duration.ts";
import { NIL_WORKSPACE } from "../../../lib/ids.ts";
import { Problem } from "../../problem.ts";
import { OTHER_WORKSPACE, useKeyed } from "../../testing/keyed.ts";
import { OPERATOR_KEY, WORKSPACE } from "../../testing/server.ts";

const { app, count, dial, later, newKey, post } = useKeyed();

describe("a key", () => {
  test("gives the first answer again, byte for byte", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "a1", more: { x: 1, y: [2] } });
    expect(first.status).toBe(201);
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    dial.now += 7 * DAY_MS - 1;
    const again = await post("/v1/things", key, { more: { y: [2], x: 1 }, name: "a1" });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(first.text).toMatch(/\}\n$/);
    expect(again.headers).toMatchObject({
      "idempotent-replayed": "true",
      location: first.headers["location"],
      etag: first.headers["etag"],
      "content-type": first.headers["content-type"],
    });
    expect([dial.calls, await count("effect:a1")]).toEqual([1, 1]);
    expect(later).toMatchObject([{ action: "thing.make", response: { status: 201, code: null } }]);
  });

  test("is asked before the verb's rules and before If-Match", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "b1" }, { headers: { "if-match": '"1"' } });
    dial.refuse = new Problem("window_closed", "Not any more.");
    const again = await post("/v1/things", key, { name: "b1" }, { headers: { "if-match": '"9"' } });
    expect(again.text).toBe(first.text);
    expect((await post("/v1/things", newKey(), { name: "b2" }, { headers: { "if-match": '"9"' } })).status).toBe(412);
  });

  test("with another body, path or query is 422 and names the first", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "c1" });
    for (const [url, body] of [
      ["/v1/things", { name: "c2" }],
      ["/v1/others", { name: "c1" }],
    ] as const) {
      const other = await post(url, key, body);
      expect(other.body).toMatchObject({
        status: 422,
        code: "idempotency_key_reused",
        detail: `This key was first used at ${new Date(dial.now).toISOString()} for a request that differs.`,
        resource_id: first.body.id,
      });
    }
    expect(dial.calls).toBe(1);
  });

  test("of another workspace is another key; the operator has its own", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "d1" });
    const other = await post("/v1/things", key, { name: "d1" }, { bearer: "other" });
    expect(other.body.id).not.toBe(first.body.id);
    const operator = await post("/admin/v1/things", key, { name: "d1" }, { bearer: OPERATOR_KEY });
    expect((await post("/admin/v1/things", key, { name: "d1" }, { bearer: OPERATOR_KEY })).text).toBe(operator.text);
    expect([
      await count("effect:d1"),
      await count("effect:d1", OTHER_WORKSPACE),
      await count("effect:d1", NIL_WORKSPACE),
    ]).toEqual([1, 1, 1]);
  });

  test("is free again after a refusal, and nothing of it is left", async () => {
    const key = newKey();
    dial.refuse = new Problem("template_not_approved", "Not yet.");
    expect((await post("/v1/things", key, { name: "e1" })).body).toMatchObject({
      status: 422,
      code: "template_not_approved",
    });
    dial.refuse = new Error("boom");
    expect((await post("/v1/things", key, { name: "e1" })).status).toBe(500);
    dial.refuse = null;
    expect((await post("/v1/things", key, { name: "late" })).status).toBe(409);
    dial.auditFails = true;
    expect((await post("/v1/things", key, { name: "e1" })).status).toBe(500);
    dial.auditFails = false;
    expect([await count("effect:e1"), await count("effect:late")]).toEqual([0, 0]);
    expect((await post("/v1/things", key, { name: "e1" })).status).toBe(201);
    expect(await count("effect:e1")).toBe(1);
    expect(later.map((entry) => entry.response.status)).toEqual([422, 500, 409, 500]);
  });

  test("after 7 days says that it is used; after 30 it is new", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "f1" });
    dial.now += 7 * DAY_MS;
    const expired = await post("/v1/things", key, { name: "f1" });
    expect(expired.body).toMatchObject({
      status: 409,
      code: "idempotency_key_expired",
      resource_id: first.body.id,
    });
    expect(dial.calls).toBe(1);
    dial.now += 23 * DAY_MS + 1;
    const fresh = await post("/v1/things", key, { name: "f2" });
    expect([fresh.status, fresh.headers["idempotent-replayed"]]).toEqual([201, undefined]);
    expect((await post("/v1/things", key, { name: "f2" })).text).toBe(fresh.text);
  });

  test("is kept without its text, and its answer without its secret", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "g1" });
    const kept = await app().db.read(WORKSPACE, (sql) =>
      sql.query<{ digest: Buffer; answer: Buffer }>("select * from idempotency_key where resource_id = $1", [
        first.body.id,
      ]),
    );
    expect(kept).toHaveLength(1);
    expect(kept[0]!.digest).toHaveLength(16);
    expect(kept[0]!.answer.toString("latin1")).not.toContain("whsec_");
    expect(JSON.stringify(kept)).not.toContain(key);
  });

  test("whose answer no longer opens is used up, not run again", async () => {
    const key = newKey();
    const first = await post("/v1/things", key, { name: "h1" });
    await app().db.transaction(WORKSPACE, (sql) =>
      sql.run("update idempotency_key set answer = '\\x00' where resource_id = $1", [first.body.id]),
    );
    expect((await post("/v1/things", key, { name: "h1" })).body).toMatchObject({
      status: 409,
      code: "idempotency_key_expired",
    });
    expect(dial.calls).toBe(1);
  });

  test("keeps an answer without a body", async () => {
    const key = newKey();
    const first = await post("/v1/gone", key, { name: "i1" });
    const again = await post("/v1/gone", key, { name: "i1" });
    expect([first.status, again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([
      204,
      204,
      "",
      "true",
    ]);
  });

  test("is read on POST only", async () => {
    const key = newKey();
    await post("/v1/things", key, { name: "j1" }, { method: "PATCH" });
    await post("/v1/things", key, { name: "j1" }, { method: "PATCH" });
    expect(await count("effect:j1")).toBe(2);
  });
});
