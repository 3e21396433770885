import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { postCallback } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { ParsedCallbacks } from "./parsed-callbacks.ts";
import { goldenText } from "./testing/golden-texts.ts";

let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway();
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

it("a callback that cannot be taken at once is parsed once, and does what it would do read from the database", async () => {
  const parse = vi.spyOn(gateway.app.provider, "parseCallback");
  const text = goldenText("callback-account-violation", mine.account);
  for (let times = 1; times <= 2; times += 1) {
    expect((await postCallback(gateway, text)).status).toBe(200);
    await expect.poll(() => gateway.app.db.sql.query("select from ingest")).toEqual([]);
    expect(parse).toHaveBeenCalledTimes(times);
  }
  expect(await mine.rows("select kind from event where kind = 'account_changed'")).toHaveLength(1);
  parse.mockRestore();
});

it("what is kept of a callback is given once and for seconds, and the oldest goes when there is no room", () => {
  const parses = new ParsedCallbacks(gateway.app);
  const body = Buffer.from("{}");
  const parsed = parses.parse(body);
  if (parsed === null) throw new Error("it is no callback");
  parses.keep("first", parsed, body);
  expect([parses.take("first"), parses.take("first")]).toEqual([parsed, null]);
  parses.keep("first", parsed, body);
  for (let n = 0; n < 70; n += 1) parses.keep(`of 32 KiB, ${n}`, parsed, Buffer.alloc(32 * 1024));
  expect([parses.take("first"), parses.take("of 32 KiB, 69")]).toEqual([null, parsed]);
  parses.keep("late", parsed, body);
  gateway.clock.advance(5_000);
  expect(parses.take("late")).toBeNull();
});
