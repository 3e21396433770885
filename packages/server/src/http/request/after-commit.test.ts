import { describe, expect, test } from "vitest";
import { formatId } from "../../lib/ids.ts";
import { useKeyed } from "../testing/keyed.ts";
import { WORKSPACE } from "../testing/server.ts";

const { count, dial, lines, newKey, post } = useKeyed();

describe("after the commit", () => {
  test("the newer state is answered; the kept answer is the first", async () => {
    const key = newKey();
    dial.afterwards = () => null;
    expect((await post("/v1/slow", key, { name: "u1" })).body.name).toBe("settled");
    expect((await post("/v1/slow", key, { name: "u1" })).body.name).toBe("u1");
  });

  test("a failure is logged, and the committed state is answered", async () => {
    dial.afterwards = () => new Error("the task could not be waited for");
    const answer = await post("/v1/slow", null, { name: "u2" });
    expect([answer.status, answer.body.name, await count("effect:u2")]).toEqual([201, "u2", 1]);
    expect(lines[0]).toMatchObject({
      level: 50,
      err: { message: "the task could not be waited for" },
      workspace_id: formatId("ws", WORKSPACE),
      resource_id: answer.body.id,
    });
  });
});

describe("before the commit", () => {
  const overtaken = (times: number) => () => {
    if (dial.calls <= times) throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
  };

  test("a change that another has overtaken is made again, with its key, once", async () => {
    const key = newKey();
    dial.entered = overtaken(2);
    const answer = await post("/v1/others", key, { name: "w1" });
    expect([answer.status, dial.calls, await count("effect:w1")]).toEqual([201, 3, 1]);
    expect((await post("/v1/others", key, { name: "w1" })).text).toBe(answer.text);
  });

  test("one that always is overtaken is refused", async () => {
    dial.entered = overtaken(10);
    const answer = await post("/v1/others", null, { name: "w2" });
    expect([answer.status, answer.body.code, dial.calls]).toEqual([503, "unavailable", 3]);
  });
});

test("the audit row is written with the change, once", async () => {
  const before = await count("audit:other.make:201");
  const key = newKey();
  await post("/v1/others", key, { name: "v1" });
  await post("/v1/others", key, { name: "v1" });
  expect((await count("audit:other.make:201")) - before).toBe(1);
});
