import { afterEach, beforeEach, expect, test } from "vitest";
import { type Pair, startPair, template } from "../testing/provider.ts";

let pair: Pair;
beforeEach(async () => {
  pair = await startPair({ callbackRetries: { firstMs: 5, capMs: 20, giveUpMs: 60_000 } });
});
afterEach(() => pair.close());

const ANA = "+15550001111";
const MANY = 60;
const write = (n: number, phone_number_id = "1055") =>
  pair.simulator.inbound({ phone_number_id, from: `+155500020${10 + n}`, text: `${n}`, id: `wamid.${n}` });
const writeMany = () => {
  for (let n = 0; n < MANY; n += 1) write(n);
};
/** Ids of the messages of each POST. */
const posted = async (): Promise<string[][]> => {
  await pair.simulator.idle();
  return pair.receiver.posts.map(({ payload }) =>
    payload.entry.flatMap(({ changes }) => changes.flatMap(({ value }) => value["messages"].map(idOf))),
  );
};
const idOf = (message: { id: string }): string => message.id;
const inOrder = Array.from({ length: MANY }, (_, n) => `wamid.${n}`);
const addAccount = (id: string) =>
  pair.simulator.addAccount({
    waba_id: id,
    name: id,
    business_id: id,
    token: `T${id}`,
    subscribed: true,
    phone_numbers: [{ id: `${id}1`, display_phone_number: `+1555600${id}` }],
  });

test("nothing in flight keeps everything, and more lets it go", async () => {
  pair.simulator.setSettings({ callbacksInFlight: 0 });
  writeMany();
  await pair.call("GET", "/sim/stats");
  expect([pair.simulator.stats().callbacks_pending, pair.receiver.posts.length]).toEqual([MANY, 0]);
  expect((await pair.call("PUT", "/sim/settings", { callbacksInFlight: 1 })).status).toBe(200);
  expect((await posted()).flat()).toEqual(inOrder);
});

test("one update a POST", async () => {
  pair.simulator.setSettings({ updatesPerCallback: 1, accountsPerCallback: 1, callbacksInFlight: 1 });
  writeMany();
  expect(await posted()).toEqual(inOrder.map((id) => [id]));
});

test("a seed shuffles between POSTs and within them, the same way each time", async () => {
  const shuffled = async (shuffleSeed: number | null) => {
    pair.receiver.posts.length = 0;
    pair.simulator.setSettings({ shuffleSeed, updatesPerCallback: 7, callbacksInFlight: 0 });
    writeMany();
    pair.simulator.setSettings({ callbacksInFlight: 1 });
    return await posted();
  };
  const first = await shuffled(7);
  expect(first.flat()).not.toEqual(inOrder);
  expect(first.flat().toSorted()).toEqual(inOrder.toSorted());
  const number = (id: string) => Number(id.slice("wamid.".length));
  const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => number(a) - number(b));
  expect(first.some((ids) => ids.join() !== sorted(ids).join())).toBe(true);
  expect(Math.max(...first[0]!.map(number)) - Math.min(...first[0]!.map(number))).toBeGreaterThan(7);
  expect(await shuffled(7)).toEqual(first);
  expect(await shuffled(8)).not.toEqual(first);
  expect((await shuffled(null)).flat()).toEqual(inOrder);
});

test("statuses of one number are shuffled within their change, and each is there once", async () => {
  pair.simulator.setSettings({ shuffleSeed: 3, callbacksInFlight: 0 });
  for (let n = 0; n < 10; n += 1) await pair.send(template(`+155500030${10 + n}`));
  while (pair.simulator.stats().statuses_scheduled > 0) await pair.call("GET", "/sim/stats");
  pair.simulator.setSettings({ callbacksInFlight: 1 });
  await pair.simulator.idle();
  expect(pair.receiver.changes()).toHaveLength(1);
  const said = pair.receiver.statuses().map(({ id, status }) => `${id} ${status}`);
  expect(new Set(said).size).toBe(30);
  const ranks = pair.receiver.statuses().map(({ status }) => ["sent", "delivered", "read"].indexOf(status));
  expect(ranks).not.toEqual(ranks.toSorted());
});

test("updates that wait for different times overtake each other", async () => {
  pair.simulator.setSettings({ callbackDelayMs: [0, 200], callbacksInFlight: 1 });
  writeMany();
  expect(pair.simulator.stats().callbacks_pending).toBe(MANY);
  const ids = (await posted()).flat();
  expect(ids.toSorted()).toEqual(inOrder.toSorted());
  expect(ids).not.toEqual(inOrder);
});

test.each([
  ["at once", 0],
  ["later", [20, 60]],
] as const)("each POST three times, %s, with the same bytes", async (_when, copyDelayMs) => {
  expect((await pair.call("PUT", "/sim/settings", { callbackCopies: 3, copyDelayMs })).status).toBe(200);
  write(1);
  await pair.simulator.idle();
  pair.simulator.setSettings({ callbackCopies: 1 });
  write(2);
  await pair.simulator.idle();
  const bodies = pair.receiver.posts.map(({ raw }) => raw);
  expect([bodies.length, new Set(bodies).size]).toEqual([4, 2]);
  expect(new Set(bodies.slice(0, 3)).size).toBe(1);
});

test("later copies wait: the callbacks that follow overtake them", async () => {
  pair.simulator.setSettings({ callbackCopies: 2, copyDelayMs: 3_600_000, updatesPerCallback: 1 });
  write(1);
  write(2);
  await pair.receiver.until(() => pair.receiver.posts.length === 2);
  pair.simulator.setCallbackRetries({ speed: 1_000_000_000 });
  const ids = (await posted()).flat();
  expect([ids.slice(0, 2).toSorted(), ids.slice(2).toSorted()]).toEqual([
    ["wamid.1", "wamid.2"],
    ["wamid.1", "wamid.2"],
  ]);
});

test("tenants are mixed in one POST whenever several wait", async () => {
  for (const id of ["9501", "9502", "9503"]) addAccount(id);
  const accountsOf = async () => {
    await pair.simulator.idle();
    return pair.receiver.posts.map(({ payload }) => payload.entry.map((entry) => entry.id));
  };
  const writeToAll = () => ["9501", "9502", "9503"].map((id, n) => write(n, `${id}1`));
  writeToAll();
  expect((await accountsOf()).map((ids) => ids.length)).toEqual([1, 1, 1]);
  pair.receiver.posts.length = 0;
  pair.simulator.setSettings({ accountsMixed: "always" });
  writeToAll();
  expect(await accountsOf()).toEqual([["9501", "9502", "9503"]]);
});

test("plain UTF-8 instead of escapes, signed over its own bytes, and kept as it was for a repetition", async () => {
  pair.simulator.setSettings({ callbackEscapes: false, callbacksInFlight: 1 });
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, name: "Zoë", text: "café https://shop.example/ 🙂" });
  await pair.simulator.idle();
  pair.simulator.decideTemplate("1689556908129832", { status: "PAUSED" });
  await pair.simulator.idle();
  expect((await pair.call("POST", "/sim/callbacks/1/repeat")).status).toBe(200);
  await pair.simulator.idle();
  const [message, news, again] = pair.receiver.posts;
  expect([message, news, again].map((post) => post?.verified)).toEqual([true, true, true]);
  expect(message?.raw).toContain("café https://shop.example/ 🙂");
  expect(again?.raw).toBe(message?.raw);
  expect(news?.raw).toContain('"message_template_id":1689556908129832,');
});

test("a body of any bytes is signed and posted", async () => {
  const body = '{"object":"whatsapp_business_account","entry":[{"id":"9001","changes":"none"}]}';
  expect((await pair.call("POST", "/sim/raw-callbacks", { body })).body).toEqual({ reported: true });
  await pair.simulator.idle();
  expect(pair.receiver.posts).toMatchObject([{ raw: body, verified: true }]);
  pair.simulator.setCallbackUrl(null);
  expect(pair.simulator.rawCallback({ body })).toEqual({ reported: false });
});

test.each([
  [36, 225],
  [168, 1017],
])("%i hours of retries pass at a speed of millions: %i tries", async (hours, tries) => {
  pair.receiver.answer = () => 503;
  const retries = { firstMs: 1000, capMs: 600_000, giveUpMs: hours * 3_600_000, speed: 10_000_000 };
  expect((await pair.call("PUT", "/sim/callback-retries", retries)).body).toMatchObject(retries);
  write(1);
  await pair.simulator.idle();
  const log = pair.simulator.callbacks({ limit: 2000 }).data;
  // Gaps of 1 s, 2 s … 512 s, then 10 min each; the time in flight passes as it is, and is too short to matter.
  expect([log.length, log.at(-1)?.outcome, log.at(-1)?.attempt]).toEqual([tries, "gave_up", tries]);
  expect(log.slice(0, 3).map((entry) => entry.retry_in_ms)).toEqual([0.0001, 0.0002, 0.0004]);
  expect(pair.simulator.stats().callbacks).toMatchObject({ delivered: 0, given_up: 1, failed_tries: tries });
});

test("what waits to be tried again goes by a new speed, and a reset brings the old one back", async () => {
  let tries = 0;
  pair.receiver.answer = () => ((tries += 1) === 1 ? 500 : 200);
  pair.simulator.setCallbackRetries({ firstMs: 3_600_000, capMs: 3_600_000, giveUpMs: 604_800_000 });
  write(1);
  await pair.receiver.until(() => tries === 1);
  await pair.call("GET", "/sim/stats");
  expect(pair.simulator.stats().callbacks_pending).toBe(1);
  pair.simulator.setCallbackRetries({ speed: 1_000_000 });
  expect(await posted()).toEqual([["wamid.1"]]);
  pair.simulator.reset();
  expect(pair.simulator.setCallbackRetries({})).toMatchObject({ firstMs: 5, capMs: 20, giveUpMs: 60_000, speed: 1 });
  expect((await pair.call("PUT", "/sim/callback-retries", { speed: 0 })).status).toBe(400);
});
