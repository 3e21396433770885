import { afterAll, beforeAll } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";

export let gateway: Gateway;
export let mine: Sender;
export let theirs: Sender;

/** Starts the gateway with two senders for the tests of a file. */
export function useSenders(): void {
  beforeAll(async () => {
    gateway = await startGateway();
    [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  });
  afterAll(() => gateway.stop());
}

let people = 0;
/** Somebody new, in E.164. */
export const person = (): string => `+1555200${String((people += 1)).padStart(4, "0")}`;

export const keyed = (key: string) => ({ "x-idempotency-key": key });

/** What reached the provider for this person. */
export const sentTo = (to: string) => gateway.simulator.sent({ to }).data;

/** How many of my messages to this person are stored. */
export const left = async (to: string): Promise<number> =>
  (await mine.rows("select 1 from message where recipient = $1 and outbound", [to])).length;

/** A row for each attempt of my messages to this person. */
export const attempts = (to: string) =>
  mine.rows("select 1 from attempt a join message m on m.id = a.message_id where m.recipient = $1", [to]);

/** Kinds of the events of my messages to this person, in their order. */
export async function kindsOf(to: string): Promise<string[]> {
  const events = await mine.rows<{ kind: string }>(
    "select e.kind from event e join message m on m.id = e.message_id where m.recipient = $1 order by e.sequence",
    [to],
  );
  return events.map(({ kind }) => kind);
}
