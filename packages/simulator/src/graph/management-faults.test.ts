import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Pair, startPair } from "../testing/provider.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());
beforeEach(() => pair.simulator.reset());

const NEW = {
  name: "parcel_here",
  language: "de",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Dein Paket ist da." }],
};
const create = () => pair.call("POST", "/v26.0/9001/message_templates", NEW);
const fault = (body: object) => pair.call("POST", "/sim/faults", { operation: "create_template", ...body });
const exists = async () => (await pair.call("GET", "/v26.0/9001/message_templates?name=parcel_here")).body.data.length;

describe("a management call", () => {
  test.each([
    ["reset before it is done", { kind: "reset" }, 0],
    ["reset after it is done", { kind: "reset", accept: true }, 1],
  ])("%s", async (_what, behaviour, left) => {
    expect((await fault(behaviour)).status).toBe(201);
    await expect(create()).rejects.toThrow(/./);
    expect(await exists()).toBe(left);
    expect((await pair.call("GET", "/sim/faults")).body.data).toEqual([]);
  });

  test.each([
    ["html", { kind: "html" }, 0],
    ["html, done", { kind: "html", accept: true }, 1],
  ])("%s", async (_what, behaviour, left) => {
    await fault(behaviour);
    const answer = await fetch(`${pair.simulator.url}/v26.0/9001/message_templates`, {
      method: "POST",
      headers: { authorization: "Bearer EAASIMDEMO", "content-type": "application/json" },
      body: JSON.stringify(NEW),
    });
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining("<html>")]);
    expect(await exists()).toBe(left);
  });

  test("hangs until the caller gives up, and is done or not", async () => {
    for (const [accept, left] of [
      [false, 0],
      [true, 1],
    ]) {
      await fault({ kind: "hang", accept });
      const gone = fetch(`${pair.simulator.url}/v26.0/9001/message_templates`, {
        method: "POST",
        headers: { authorization: "Bearer EAASIMDEMO", "content-type": "application/json" },
        body: JSON.stringify(NEW),
        signal: AbortSignal.timeout(300),
      });
      await expect(gone).rejects.toThrow(/./);
      expect(await exists()).toBe(left);
    }
  });

  test("refused with a code and subcode; answered without an id; answered late", async () => {
    await fault({ kind: "refuse", code: 80_007, subcode: 7, count: 1 });
    expect((await create()).body.error).toMatchObject({ code: 80_007, error_subcode: 7 });
    await fault({ kind: "no_id" });
    expect((await create()).body).toEqual({});
    expect(await exists()).toBe(1);
    await fault({ kind: "delay", delayMs: 50, operation: "list_templates" });
    expect(await exists()).toBe(1);
  });

  test("faults are of one operation and account, or of any, and never of sends", async () => {
    await fault({ kind: "refuse", code: 2, operation: "edit_template" });
    await fault({ kind: "refuse", code: 2, waba_id: "9999" });
    expect((await create()).status).toBe(200);
    pair.simulator.clearFaults();
    await fault({ kind: "refuse", code: 2, operation: "management", waba_id: "9001", count: null });
    expect((await pair.call("GET", "/v26.0/9001")).status).toBe(503);
    expect((await pair.call("GET", "/v26.0/1055")).status).toBe(503);
    expect((await pair.call("POST", "/v26.0/1055/messages", {})).status).toBe(400);
    expect((await fault({ kind: "early" })).status).toBe(400);
  });
});
