import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { PATH } from "../testing/app.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";

let gateway: Gateway;
let mine: Sender;
let receiver: Receiver;
beforeAll(async () => {
  gateway = await startGateway();
  mine = await gateway.sender();
  receiver = await startReceiver();
  receiver.answer((response, { text }) => void response.end(text));
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

test("a receiver that repeats what it was sent shows it to no one who may not read that, nor after its person is erased", async () => {
  await mine.call("POST", PATH, { body: { url: receiver.url, events: ["messages"] } });
  const { contact_id: person } = await mine.inbound("15551239101", "My secret words");
  const list = async () => (await mine.call("GET", "/v1/deliveries")).body.data;
  await expect.poll(list).toMatchObject([{ status: "succeeded" }]);
  const [{ id }] = await list();
  const scopes = ["webhooks:read", "webhooks:write"];
  const { body: narrow } = await mine.call("POST", "/v1/api-keys", { body: { name: "operations", scopes } });
  const all = await mine.call("GET", `/v1/deliveries/${id}`);
  expect(all.body.attempts[0].response).toContain("My secret words");

  const less = gateway.as(narrow.key);
  const read = await less("GET", `/v1/deliveries/${id}`);
  // The answer that is kept for repetitions is the one that the first request got, whoever repeats it.
  const once = { headers: { "idempotency-key": "retry-once" } };
  expect((await mine.call("POST", `/v1/deliveries/${id}/retry`, once)).status).toBe(202);
  const retried = await less("POST", `/v1/deliveries/${id}/retry`, once);
  expect([read.status, retried.status]).toEqual([200, 202]);
  for (const { body } of [read, retried]) {
    expect(body.attempts[0]).toMatchObject({ status_code: 200, response: null });
    expect(JSON.stringify(body)).not.toContain("secret");
  }
  await expect.poll(list).toMatchObject([{ status: "succeeded", attempt: 2 }]);

  expect((await mine.call("DELETE", `/v1/contacts/${person}`)).status).toBe(204);
  const erased = (await mine.call("GET", `/v1/deliveries/${id}`)).body;
  expect(erased.attempts).toMatchObject([{ response: null }, { response: null }]);
  for (const word of ["secret", "15551239101"]) expect(JSON.stringify(erased)).not.toContain(word);
});
