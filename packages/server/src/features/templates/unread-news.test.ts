import { expect, it } from "vitest";
import { newUuid } from "../../lib/ids.ts";
import { accountUuid, startDemo } from "../accounts/testing/demo.ts";
import { takeTemplateNews } from "./news.ts";
import { templateEventData } from "./render.ts";

const demo = await startDemo();
const { gateway, provider, simulator } = demo;
const HOUR_MS = 3_600_000;

/** A connected account with a template of which a callback then says that it was paused. */
async function paused(nameIt = approved): Promise<string> {
  const { body } = await demo.connect();
  const providerTemplateId = await nameIt();
  const owner = { workspaceId: demo.workspaceId, businessAccountId: accountUuid(body.id) };
  const news = { kind: "paused" as const, reason: "FIRST_PAUSE", detail: null };
  const at = gateway.clock.now() - 1_000;
  await take(owner, { providerTemplateId, at, news });
  return body.id;
}
/** As a callback reports it. */
const take = (
  owner: Parameters<typeof takeTemplateNews>[1],
  said: Pick<Parameters<typeof takeTemplateNews>[2], "providerTemplateId" | "at" | "news">,
): Promise<void> => {
  const reported = { part: { field: "message_template_status_update", entry: 0, change: 0 }, value: {} };
  const change = { kind: "template" as const, providerAccountId: "9001", ...said, reported };
  return takeTemplateNews(gateway.app, owner, change, newUuid(gateway.clock.now()));
};
const approved = async (): Promise<string> =>
  (await gateway.as(demo.workspaceId)("GET", "/v1/templates?status=approved")).body.data[0].provider_template_id;
/** At the provider alone. */
const added = (): Promise<string> => {
  const facts = { name: "later", language: "en_US", category: "UTILITY" };
  const components = [{ type: "BODY", text: "Later." }];
  return Promise.resolve(simulator.addTemplate({ waba_id: "9001", ...facts, components }).id);
};
const work = () => gateway.work(gateway.kind, demo.workspaceId);
const said = async () =>
  (await demo.events()).flatMap(({ kind, state }) => (kind === "paused" ? [templateEventData(state)] : []));

it("is an event with the state that is known when the provider has not answered for a day", async () => {
  await paused();
  provider.become("broken");
  expect(await work()).toMatchObject([{ kind: "later" }]);
  expect(await said()).toEqual([]);
  gateway.clock.advance(25 * HOUR_MS);
  await work();
  expect(await said()).toMatchObject([{ reason: "FIRST_PAUSE", template: { status: "approved" } }]);
  provider.become("well");
});

it("is an event with the state that is known when the account was disconnected meanwhile", async () => {
  const account = await paused();
  expect((await gateway.as(demo.workspaceId)("DELETE", `/v1/business-accounts/${account}`)).status).toBe(204);
  expect(await work()).toMatchObject([{ kind: "done" }]);
  expect(await said()).toMatchObject([{ reason: "FIRST_PAUSE", template: { status: "approved" } }]);
});

it("waits for the template when the account was disconnected before that was known", async () => {
  const account = await paused(added);
  await gateway.as(demo.workspaceId)("DELETE", `/v1/business-accounts/${account}`);
  await work();
  expect(await said()).toEqual([]);
  expect((await demo.connect()).status).toBe(201);
  expect(await said()).toMatchObject([{ reason: "FIRST_PAUSE", template: { name: "later", status: "approved" } }]);
});

it("is read again where the provider's answer is older than its callback, and is one event, however late that is known", async () => {
  await paused();
  // One is from the beginning.
  const isPaused = async () =>
    (await gateway.as(demo.workspaceId)("GET", "/v1/templates?status=paused")).body.data.length === 2;
  expect(await work()).toMatchObject([{ kind: "later" }]);
  expect([await isPaused(), (await said()).length]).toEqual([false, 1]);
  simulator.decideTemplate(await approved(), { status: "PAUSED", report: false });
  gateway.clock.advance(6_000);
  await work();
  expect([await isPaused(), (await said()).length]).toEqual([true, 1]);
});

it("is one event also where the first read after it succeeds long after the event", async () => {
  const account = await paused();
  const id = await approved();
  const set = (to: string) =>
    gateway.app.db.transaction(demo.workspaceId, (sql) =>
      sql.run("update business_account set status = $2 where workspace_id = $1", [demo.workspaceId, to]),
    );
  await set("disconnected");
  await work();
  expect(await said()).toHaveLength(1);
  simulator.decideTemplate(id, { status: "PAUSED", report: false });
  gateway.clock.advance(HOUR_MS);
  await set("connected");
  const owner = { workspaceId: demo.workspaceId, businessAccountId: accountUuid(account) };
  await take(owner, { providerTemplateId: id, at: gateway.clock.now(), news: null });
  await work();
  gateway.clock.advance(31_000);
  await work();
  expect(await said()).toHaveLength(1);
});
