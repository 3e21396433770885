import { afterAll, expect, it } from "vitest";
import { startGateway } from "../../../testing/gateway.ts";

const HOUR_MS = 3_600_000;

const gateway = await startGateway();
afterAll(() => gateway.stop());

it("a message waits while the provider cannot be reached, for hours, because nothing of it has left", async () => {
  const mine = await gateway.sender();
  await gateway.simulator.close();
  const { status, body } = await mine.send("+15551230001");
  expect(status).toBe(202);
  const look = async () => (await mine.call("GET", `/v1/messages/${body.id}`)).body;
  const refusals = async (): Promise<number> => (await look()).history.length;
  // Each attempt is a quarter of an hour after the one before, at most.
  for (let attempt = 1; attempt <= 20; attempt++) {
    await expect.poll(refusals).toBeGreaterThanOrEqual(attempt);
    gateway.clock.advance(HOUR_MS / 3);
  }
  // The attempt of now may just be under way.
  await expect.poll(async () => (await look()).status).toBe("queued");
  const message = await look();
  expect(message).toMatchObject({ final: false, possible_duplicate: false });
  expect(message.history.at(-1)).toMatchObject({ status: "queued", error: { code: "provider_error" } });
});
