import { describe, expect, test } from "vitest";
import { useKeyed } from "../../testing/keyed.ts";

const { count, dial, newKey, openGate, outside, post, waitsForLock } = useKeyed();

describe("simultaneous requests with one key", () => {
  test("50 at once are one execution and 50 equal answers", async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post("/v1/things", key, { name: "t1" })));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    expect(answers.filter((answer) => answer.headers["idempotent-replayed"] === undefined)).toHaveLength(1);
    expect([dial.calls, await count("effect:t1")]).toEqual([1, 1]);
  });

  test("wait for the refusal of the first, then run themselves", async () => {
    const key = newKey();
    const gate = openGate();
    const first = post("/v1/things", key, { name: "late" });
    await gate.entered;
    const second = post("/v1/things", key, { name: "late" });
    await waitsForLock();
    gate.open();
    expect([(await first).status, (await second).status, dial.calls]).toEqual([409, 409, 2]);
  });

  test("that wait more than 2 s are refused; the first is not disturbed", async () => {
    const key = newKey();
    const gate = openGate();
    const first = post("/v1/things", key, { name: "t3" });
    await gate.entered;
    const second = await post("/v1/things", key, { name: "t3" });
    expect(second.body).toMatchObject({ status: 409, code: "idempotency_in_progress", retryable: true });
    expect(second.headers["retry-after"]).toBe("1");
    gate.open();
    expect((await first).status).toBe(201);
    expect((await post("/v1/things", key, { name: "t3" })).text).toBe((await first).text);
  });

  test("of which the first loses its connection: the second runs", async () => {
    const key = newKey();
    const gate = openGate();
    const first = post("/v1/things", key, { name: "t4" });
    await gate.entered;
    const second = post("/v1/things", key, { name: "t4" });
    await waitsForLock();
    await outside(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
    );
    gate.open();
    expect([(await first).status, (await second).status]).toEqual([503, 201]);
    expect(await count("effect:t4")).toBe(1);
  });
});
