import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";
import { deliveriesOf, PATH } from "../testing/app.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";

let gateway: Gateway;
const receivers: Receiver[] = [];
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
});
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
  await gateway.stop();
});

const HOUR = 3_600_000;
const EVENTS = 30;
/** Attempts of the schedule within 6 h and 10 minutes: at once, and after 5 s, 35 s, 2.5, 7.5, 22.5 and 52.5 min, 1.9 and 4.9 h. */
const ATTEMPTS_OF_SIX_HOURS = 9;

async function subscribed(ordered: boolean): Promise<Workspace & { receiver: Receiver; endpointId: string }> {
  const workspace = await gateway.workspace();
  const receiver = await startReceiver();
  receivers.push(receiver);
  const body = { url: receiver.url, events: ["contact_created"], ordered };
  const { body: endpoint } = await workspace.call("POST", PATH, { body });
  return { ...workspace, receiver, endpointId: endpoint.id };
}

const addContacts = async ({ call }: Workspace, first: number, count: number): Promise<void> => {
  for (let n = first; n < first + count; n++)
    expect((await call("POST", "/v1/contacts", { body: { phone: `+1555${1_000_000 + n}` } })).status).toBe(201);
};

test.each([false, true])(
  "an endpoint that is down for six hours uses attempts of the schedule only, and others are not held (ordered: %s)",
  async (ordered) => {
    const [down, healthy] = [await subscribed(ordered), await subscribed(ordered)];
    down.receiver.answer((response) => response.writeHead(500).end());
    await addContacts(down, 0, EVENTS);
    await down.receiver.got(10);
    const before = gateway.clock.now();
    while (gateway.clock.now() < before + 6 * HOUR) {
      gateway.clock.advance(60_000);
      // What became due is read, posted and stored meanwhile.
      await down.call("GET", `${PATH}/${down.endpointId}`);
    }
    await addContacts(healthy, 0, 5);
    await healthy.receiver.got(5);
    const listed = await deliveriesOf(down, down.endpointId, "?limit=100");
    const attempts: number[] = listed.map(({ attempt }: { attempt: number }) => attempt);
    expect(attempts).toHaveLength(EVENTS);
    expect(Math.max(...attempts)).toBeLessThanOrEqual(ATTEMPTS_OF_SIX_HOURS);
    // Each attempt was a request; without a breaker there would have been 270 of them.
    const sum = attempts.reduce((total, one) => total + one, 0);
    expect(down.receiver.received.length - sum).toBeLessThanOrEqual(1); // one may be on its way
    expect(sum).toBeLessThan(100);

    down.receiver.answer((response) => response.end());
    await expect
      .poll(
        async () => {
          gateway.clock.advance(60_000);
          return (await deliveriesOf(down, down.endpointId, "?limit=100&status=succeeded")).length;
        },
        { timeout: 60_000 },
      )
      .toBe(EVENTS);
  },
  120_000,
);
