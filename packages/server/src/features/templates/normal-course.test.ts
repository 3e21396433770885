import { afterAll, beforeAll, expect, it } from "vitest";
import { createLog } from "../../lib/log.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";

type Line = { level: string; msg: string; task?: string };
const lines: Line[] = [];
let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  const to = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLog("debug", { to });
  gateway = await startGateway({ PROVIDER_APP_ID: "42", API_RATE_LIMIT: "off" }, { log });
  gateway.simulator.setDelays({ reviewMs: null });
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

const PATIENCE = { timeout: 30_000, interval: 20 };
const due = () => mine.rows("select from task where due <= $1", [new Date(gateway.clock.now())]);
async function idle(): Promise<void> {
  await expect.poll(due, PATIENCE).toEqual([]);
}
const tasks = (task: string): Line[] => lines.filter((line) => line.task === task);
const troubles = (): Line[] => lines.filter(({ level }) => level === "warn" || level === "error");

it("warns of nothing while a template is submitted, edited, reviewed and deleted, however long the provider takes", async () => {
  const definition = { name: "slowly", language: { code: "en_US" }, category: "utility" };
  const components = [{ type: "BODY", text: "Your order is ready." }];
  gateway.simulator.addFault({ kind: "delay", delayMs: 700, operation: "create_template" });
  const created = await mine.call("POST", "/v1/templates", { body: { ...definition, components } });
  expect(created.status).toBe(201);
  // The task that settles what a killed request has left runs while this one holds its intent.
  await expect.poll(() => tasks("template.settle").length, PATIENCE).toBeGreaterThan(0);
  const [{ provider_template_id: id }] = (await mine.call("GET", "/v1/templates?name=slowly")).body.data;
  gateway.simulator.decideTemplate(id, { status: "APPROVED" });
  await expect
    .poll(async () => (await mine.call("GET", `/v1/templates/${created.body.id}`)).body.status, PATIENCE)
    .toBe("approved");
  gateway.simulator.decideTemplate(id, { status: "PAUSED" });
  await idle();
  gateway.clock.advance(31_000);
  await idle();
  const body = { components: [{ type: "BODY", text: "Your order is here." }] };
  gateway.simulator.addFault({ kind: "delay", delayMs: 700, operation: "edit_template" });
  expect((await mine.call("PATCH", `/v1/templates/${created.body.id}`, { body })).status).toBe(200);
  gateway.simulator.addFault({ kind: "delay", delayMs: 700, operation: "delete_template" });
  expect((await mine.call("DELETE", `/v1/templates/${created.body.id}`)).status).toBe(204);
  for (const seconds of [6, 30, 700]) {
    gateway.clock.advance(seconds * 1_000);
    await idle();
  }
  expect(await mine.rows("select from template_submission")).toEqual([]);
  expect(troubles()).toEqual([]);
});
