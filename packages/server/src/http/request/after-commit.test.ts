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

test("the audit row is written with the change, once", async () => {
  const before = await count("audit:other.make:201");
  const key = newKey();
  await post("/v1/others", key, { name: "v1" });
  await post("/v1/others", key, { name: "v1" });
  expect((await count("audit:other.make:201")) - before).toBe(1);
});
