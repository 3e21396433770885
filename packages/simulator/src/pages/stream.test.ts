import { once } from "node:events";
import { request } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Pair, startPair, template } from "../testing/provider.ts";
import type { Json } from "../testing/receiver.ts";

// What pages follow: everything at first, then what changes. How it is drawn is tested in a browser, tests/console/phone.test.ts.
const ANA = "15550001111";
let pair: Pair;
let stop: () => void = () => {};
beforeEach(async () => {
  pair = await startPair();
});
afterEach(async () => {
  stop();
  await pair.close();
});

/** The events as they come; `next` waits for one of this name. */
async function follow() {
  const sent = request(`${pair.simulator.url}/sim/stream`);
  sent.end();
  const [response] = await once(sent, "response");
  stop = () => response.destroy();
  const events: { name: string; data: Json }[] = [];
  let rest = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const [, name = "", data = "null"] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
      if (name !== "") events.push({ name, data: JSON.parse(data) });
    }
  });
  const next = async (name: string): Promise<Json> => {
    await expect.poll(() => events.some((event) => event.name === name), { interval: 10 }).toBe(true);
    const at = events.findIndex((event) => event.name === name);
    return events.splice(0, at + 1).at(-1)?.data;
  };
  return { response, next };
}

test("it begins with businesses, people and messages, and says what is new", async () => {
  await pair.send(template(ANA));
  await pair.simulator.idle();
  const { response, next } = await follow();
  expect(response.headers["content-type"]).toBe("text/event-stream");
  const state = await next("state");
  expect(state.numbers).toEqual([{ id: "1055", name: "Demo Shop", phone: "+1 555-999-0000" }]);
  expect(state.people.map(({ name }: Json) => name)).toEqual(["Ann", "Ben", "Chidi", "Dunja", "Person 1111"]);
  expect(state.messages).toMatchObject([
    { by: "business", person: ANA, type: "template", status: "read", components: [{ type: "BODY" }] },
  ]);

  const { id } = pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "Hello" });
  const came = (await next("messages")).messages[0];
  expect(came).toMatchObject({ id, by: "person", person: ANA, read: false, message: { text: { body: "Hello" } } });
  expect((await next("world")).chats).toMatchObject([{ person: ANA, window_until: expect.any(Number) }]);
  await pair.send({ status: "read", message_id: id });
  expect((await next("messages")).messages).toMatchObject([{ id, read: true }]);

  pair.simulator.setDelays({ sentMs: 300 });
  const { body } = await pair.send(template(ANA));
  expect((await next("messages")).messages).toMatchObject([{ id: body.messages[0].id, status: null }]);
  expect((await next("messages")).messages).toMatchObject([{ id: body.messages[0].id, status: "read" }]);
});

test("refused sends and marks are no messages, and a reset shows everything again", async () => {
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "Hello" });
  const { next } = await follow();
  expect((await next("state")).messages).toHaveLength(1);
  await pair.send(template("12025550114"));
  await next("world");
  pair.simulator.reset();
  expect((await next("state")).messages).toEqual([]);
});

test("what many sends change at once comes as the newest of all", async () => {
  const { next } = await follow();
  await next("state");
  for (let n = 0; n < 250; n += 1)
    pair.simulator.inbound({ phone_number_id: "1055", from: `1555000${2000 + n}`, text: "Hello" });
  expect((await next("state")).messages).toHaveLength(250);
});

test("a person who is known by the user id alone has a chat, and a known one's is that of the number", async () => {
  pair.simulator.setPerson({ person: ANA, username: "ana" });
  const userId = Object.values(pair.simulator.person(ANA).user_ids)[0];
  for (const recipient of [userId, "US.13490000000000000001"])
    await pair.send({ ...template(""), to: undefined, recipient });
  const { next } = await follow();
  const { messages, people } = await next("state");
  expect(messages.map(({ person }: Json) => person)).toEqual([ANA, "US.13490000000000000001"]);
  expect(people).toContainEqual(expect.objectContaining({ id: ANA, username: "ana" }));
});

test("a page of another origin follows nothing, and an open stream does not hold up the end", async () => {
  const refused = await fetch(`${pair.simulator.url}/sim/stream`, { headers: { origin: "https://shop.example" } });
  expect(refused.status).toBe(403);
  const { response, next } = await follow();
  await next("state");
  response.on("error", () => {}); // the connection is cut
  await pair.simulator.close();
  await expect.poll(() => response.closed).toBe(true);
});
