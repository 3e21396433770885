import { afterAll, beforeAll, expect, it } from "vitest";
import { manualClock } from "../../packages/server/src/testing/clock.ts";
import { type Gateway, startGateway, type Workspace } from "../../packages/server/src/testing/gateway.ts";

// The commit of a change is lost on the way there or back, and so is the first answer to the question what became of it.
let gateway: Gateway;
let mine: Workspace;
beforeAll(async () => {
  // Nothing goes on by itself: the commit that is held is the one of the request.
  gateway = await startGateway({}, { clock: manualClock(), roles: ["api"] });
  mine = await gateway.workspace();
});
afterAll(() => gateway.stop());

const post = () =>
  mine.call("POST", "/v1/webhook-endpoints", { body: { url: "https://example.com/hooks", events: ["*"] } });
const endpoints = async () =>
  (await mine.call("GET", "/v1/webhook-endpoints")).body.data.map(({ id }: { id: string }) => id);

async function postAndLose(at: "request" | "answer") {
  const committing = gateway.databaseProxy.hold("commit", at);
  const reply = post();
  const commit = await committing;
  const asking = gateway.databaseProxy.hold("on conflict", "answer");
  commit.cut();
  (await asking).cut();
  return await reply;
}

it("a commit that never came is 503, and nothing is there", async () => {
  const before = await endpoints();
  const reply = await postAndLose("request");
  expect([reply.status, reply.body.code]).toEqual([503, "unavailable"]);
  expect(await endpoints()).toEqual(before);
  const again = await post();
  expect(await endpoints()).toEqual([again.body.id, ...before]);
});

it("a commit that was done is 201, and it is there", async () => {
  const reply = await postAndLose("answer");
  expect(reply.status).toBe(201);
  expect(await endpoints()).toContain(reply.body.id);
});
