import { afterAll, beforeAll, expect, it } from "vitest";
import { HOUR_MS } from "../../lib/duration.ts";
import { type Gateway, startGateway } from "../../testing/gateway.ts";

// What is sent later is counted in the messaging limit when its turn comes: here it ends at that moment.

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

let people = 0;
const person = (): string => `+1555301${String((people += 1)).padStart(4, "0")}`;

it.each(
  (["expires", "is canceled"] as const).flatMap((end) => [
    { end, point: "request" as const, moment: "before" },
    { end, point: "answer" as const, moment: "after" },
  ]),
)("a person is not left counted for a message that $end just $moment they are counted for it", async (one) => {
  const mine = await gateway.sender({ business_id: String(81_000 + people), messaging_limit: "TIER_1" });
  const limit = async () => (await mine.call("GET", `/v1/phone-numbers/${mine.phoneNumberId}`)).body.messaging_limit;
  const at = (ms: number): string => new Date(gateway.clock.now() + ms).toISOString();
  const counting = gateway.databaseProxy.hold("reserve_recipients", one.point);
  const { body } = await mine.send(person(), { send_at: at(HOUR_MS), expires_at: at(2 * HOUR_MS) });
  gateway.clock.advance(HOUR_MS + 1_000);
  const held = await counting;
  if (one.end === "expires") gateway.clock.advance(HOUR_MS);
  else await mine.call("POST", `/v1/messages/${body.id}/cancel`);
  await mine.becomes(body.id, one.end === "expires" ? "expired" : "canceled");
  const beginning = gateway.databaseProxy.hold("begin_sends", "answer");
  held.pass();
  // By then the person would be counted.
  (await beginning).pass();
  expect(await limit()).toMatchObject({ used: 0, remaining: 1 });
  expect([(await mine.send(person())).status, (await mine.send(person())).status]).toEqual([202, 429]);
  expect(gateway.simulator.sent({ limit: 100 }).data.filter(({ to }) => to === body.to)).toEqual([]);
});
