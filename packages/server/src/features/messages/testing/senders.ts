import { afterAll } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";

/** A gateway with two senders, and questions about what `mine` has sent. */
export type Senders = {
  gateway: Gateway;
  mine: Sender;
  theirs: Sender;
  /** What reached the provider for this person. */
  sentTo(to: string): ReturnType<Gateway["simulator"]["sent"]>["data"];
  /** How many of my messages to this person are stored. */
  countOf(to: string): Promise<number>;
  /** A row for each attempt of my messages to this person. */
  attempts(to: string): Promise<unknown[]>;
  /** Kinds of the events of my messages to this person, in their order. */
  kindsOf(to: string): Promise<string[]>;
};

/** Starts a gateway with two senders for the tests of a file, and stops it after them. Options as of `startGateway`. */
export async function startSenders(...options: Parameters<typeof startGateway>): Promise<Senders> {
  const gateway = await startGateway(...options);
  afterAll(() => gateway.stop());
  const [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  return {
    gateway,
    mine,
    theirs,
    sentTo: (to) => gateway.simulator.sent({ to }).data,
    countOf: async (to) => (await mine.rows("select 1 from message where recipient = $1 and outbound", [to])).length,
    attempts: (to) =>
      mine.rows("select 1 from attempt a join message m on m.id = a.message_id where m.recipient = $1", [to]),
    async kindsOf(to) {
      const events = await mine.rows<{ kind: string }>(
        "select e.kind from event e join message m on m.id = e.message_id where m.recipient = $1 order by e.sequence",
        [to],
      );
      return events.map(({ kind }) => kind);
    },
  };
}

let people = 0;
/** A person whom no other test of the file uses, in E.164. */
export const person = (): string => `+1555200${String((people += 1)).padStart(4, "0")}`;

export const keyed = (key: string) => ({ "x-idempotency-key": key });
