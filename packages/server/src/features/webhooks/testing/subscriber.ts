import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import type { Disposition } from "../../../lanes/kind.ts";
import type { Call } from "../../../testing/call.ts";
import { startApp, type TestApp, type TestClaim, testClaim } from "./app.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export const PATH = "/v1/webhook-endpoints";

export let app: TestApp;
const receivers: Receiver[] = [];

/** Starts the feature for the tests of a file; receivers are closed after each. */
export function useSubscribers(): void {
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.stop());
  afterEach(async () => {
    for (const one of receivers.splice(0)) await one.close();
  });
}

export async function newReceiver(): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
}

/** A workspace of its own with an endpoint for everything, and who listens there; `more` goes into the endpoint's body. */
export async function subscribed(more: object = {}) {
  const workspace = await app.workspace();
  const receiver = await newReceiver();
  const { body: endpoint } = await workspace.call("POST", PATH, {
    body: { url: receiver.url, events: ["*"], ...more },
  });
  return { ...workspace, endpoint, receiver };
}

/** Works every row that is due, one after the other. */
export async function workAll(workspaceId: string, claim: TestClaim = testClaim()): Promise<Disposition[]> {
  const results: Disposition[] = [];
  for (const row of await app.queue(workspaceId))
    if (row.due <= app.clock.now()) results.push(await app.deliver.work(row, claim));
  return results;
}

/** Whether the reference library accepts what was received last, at the time of the test's clock. */
export function verifies({ received }: Receiver, secret: string): boolean {
  const { text, headers, body } = received.at(-1)!;
  vi.useFakeTimers({ toFake: ["Date"], now: app.clock.now() });
  try {
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

export async function deliveriesOf({ call }: { call: Call }, endpointId: string, query = "") {
  return (await call("GET", `${PATH}/${endpointId}/deliveries${query}`)).body.data;
}
