import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { NO_DELAYS, type Pair, startPair, template } from "../testing/provider.ts";
import { SCENARIOS } from "./scenarios.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());
beforeEach(async () => {
  pair.simulator.reset();
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const magic = (name: string) => `+${SCENARIOS.find((scenario) => scenario.name === name)!.recipient}`;
const states = async () => {
  await pair.simulator.idle();
  return pair.receiver.statuses().map((status) => status["status"]);
};

describe("magic recipients", () => {
  test("are distinct numbers reserved for fiction", () => {
    expect(new Set(SCENARIOS.map((scenario) => scenario.recipient)).size).toBe(SCENARIOS.length);
    for (const { recipient } of SCENARIOS) expect(recipient).toMatch(/^120255501\d\d$/);
  });

  test.each(SCENARIOS.filter((one) => one.behaviour.kind === "fail"))("$name: 200, then failed", async (scenario) => {
    expect((await pair.send(template(`+${scenario.recipient}`))).status).toBe(200);
    expect(await states()).toEqual(["failed"]);
    expect(pair.receiver.statuses()[0]?.["errors"][0].code).toBe(scenario.behaviour.code);
  });

  test.each(SCENARIOS.filter((one) => one.behaviour.kind === "refuse"))("$name: refused", async (scenario) => {
    expect((await pair.send(template(`+${scenario.recipient}`))).body.error.code).toBe(scenario.behaviour.code);
    expect(await states()).toEqual([]);
  });

  test.each(SCENARIOS.filter((one) => one.behaviour.kind === "statuses"))("$name", async (scenario) => {
    expect((await pair.send(template(`+${scenario.recipient}`))).status).toBe(200);
    expect(await states()).toEqual(scenario.behaviour.statuses);
  });

  test.each([
    ["reset, not accepted", []],
    ["reset, but accepted", ["sent", "delivered", "read"]],
  ])("%s", async (name, expected) => {
    await expect(pair.send(template(magic(name)))).rejects.toThrow("fetch failed");
    expect(await states()).toEqual(expected);
    expect(pair.simulator.sent().data).toMatchObject([{ http_status: null, accepted: expected.length > 0 }]);
  });

  test.each([
    ["HTML error page, not accepted", []],
    ["HTML error page, but accepted", ["sent", "delivered", "read"]],
  ])("%s", async (name, expected) => {
    const answer = await pair.send(template(magic(name)));
    expect(answer.status).toBe(502);
    expect(answer.text).toMatch(/^<html>/);
    expect(await states()).toEqual(expected);
  });

  test("200 without an id is accepted all the same", async () => {
    const { status, body } = await pair.send(template(magic("200 without an id")));
    expect({ status, body }).toEqual({ status: 200, body: { messaging_product: "whatsapp", messages: [] } });
    expect(await states()).toEqual(["sent", "delivered", "read"]);
  });

  test("no answer, but accepted: its statuses arrive", async () => {
    const controller = new AbortController();
    const lost = fetch(`${pair.simulator.url}/v26.0/1055/messages`, {
      method: "POST",
      signal: controller.signal,
      headers: { authorization: "Bearer EAASIMDEMO", "content-type": "application/json" },
      body: JSON.stringify({ messaging_product: "whatsapp", ...template(magic("no answer, but accepted")) }),
    });
    await pair.receiver.until(() => pair.receiver.statuses().length === 3);
    controller.abort();
    await expect(lost).rejects.toThrow("aborted");
  });

  test("statuses before the answer", async () => {
    let answered = false;
    const sending = pair.send(template(magic("statuses before the answer"))).then((answer) => {
      answered = true;
      return answer;
    });
    await pair.receiver.until(() => pair.receiver.statuses().length === 3);
    expect(answered).toBe(false);
    expect((await sending).status).toBe(200);
  });
});

describe("faults", () => {
  test("serve their count in order, then the world is whole again", async () => {
    await pair.call("POST", "/sim/faults", { kind: "refuse", code: 131016, count: 2 });
    await pair.call("POST", "/sim/faults", { kind: "fail", code: 131026 });
    const codes = [];
    for (let n = 0; n < 4; n += 1) codes.push((await pair.send(template(`+1555000222${n}`))).body.error?.code ?? 200);
    expect(codes).toEqual([131016, 131016, 200, 200]);
    expect(new Set(await states())).toEqual(new Set(["delivered", "failed", "read", "sent"]));
  });

  test("hold for one number or one person only, and until cleared", async () => {
    await pair.call("POST", "/sim/faults", { kind: "refuse", code: 130429, recipient: "+15550003333", count: null });
    await pair.call("POST", "/sim/faults", { kind: "refuse", code: 130429, phone_number_id: "1056", count: null });
    expect((await pair.send(template("+15550001111"))).status).toBe(200);
    for (let n = 0; n < 3; n += 1) expect((await pair.send(template("+15550003333"))).status).toBe(400);
    await pair.call("DELETE", "/sim/faults");
    expect((await pair.send(template("+15550003333"))).status).toBe(200);
  });

  test("another HTTP status for the same code", async () => {
    pair.simulator.addFault({ kind: "refuse", code: 130429, httpStatus: 429 });
    const { status, body } = await pair.send(template("+15550001111"));
    expect([status, body.error.code]).toEqual([429, 130429]);
  });

  test.each([
    [{ kind: "refuse" }, '"refuse" needs "code"'],
    [{ kind: "explode" }, "must be equal to one of the allowed values"],
    [{ kind: "hang", phone_number: "1055" }, "must NOT have additional properties"],
  ])("a fault that makes no sense is a 400: %j", async (fault, why) => {
    const { status, body } = await pair.call("POST", "/sim/faults", fault);
    expect(status).toBe(400);
    expect(body.error.message).toContain(why);
  });

  test("closing while requests hang and statuses wait ends at once", async () => {
    const other = await startPair({ delays: { ...NO_DELAYS, sentMs: 60_000 } });
    other.simulator.addFault({ kind: "hang", accept: true });
    const hanging = other.send(template("+15550001111"));
    await other.simulator.whenSent(1);
    await Promise.all([other.close(), expect(hanging).rejects.toThrow("fetch failed")]);
  });
});
