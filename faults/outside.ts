import { setTimeout as sleep } from "node:timers/promises";
import { startHelper } from "../bench/children.ts";
import { monotonicMs } from "../bench/monotonic.ts";

/** A message as the provider got it; arrival is the order of the list. */
export type Sent = {
  /** What the sender put into the message's text. */
  mark: string;
  /** Digits. */
  to: string;
  /** The number's id at the provider. */
  number: string;
  /** Which process it came from. */
  via: string;
  /** Monotonic milliseconds of the machine. */
  at: number;
  id: string;
  opaque: string;
};

/** A webhook as a receiver got it, repetitions too. */
export type Delivered = {
  receiver: string;
  /** Of an event, or the status that the provider's format reports. */
  kind: string;
  /** Of the message that it is about: its reference, or the text of one that came in. In the provider's format the client's own value. */
  mark: string;
  event: string;
  /** In the provider's format: the message's id there. */
  id?: string;
  at: number;
};

/** How provider and receivers behave from now on. */
export type Manners = {
  /** Least and most milliseconds until an answer. */
  answerMs: [number, number];
  /** Of the sends: taken, and the connection cut instead of an answer. */
  cutShare: number;
  /** Ids at the provider of numbers whose sends get no answer. */
  hangingNumbers: string[];
  hangingReceivers: string[];
};

export type OutsideQuestion =
  | { kind: "manners"; manners: Manners }
  | { kind: "seed"; seed: number }
  | { kind: "sends" | "deliveries"; from: number }
  | { kind: "counts" };

export type Counts = { sends: number; deliveries: number };

/** The provider and the receivers, in a process of their own so that what they see is not this process's bunching. */
export type Outside = {
  /** The provider's address for one process, which its record then names. */
  providerUrl(via: string): string;
  receiverUrl(receiver: string): string;
  /** Changes these; the others stay. */
  behave(manners: Partial<Manners>): Promise<void>;
  /** From this place of the record on. */
  sends(from?: number): Promise<Sent[]>;
  deliveries(from?: number): Promise<Delivered[]>;
  counts(): Promise<Counts>;
  /** Resolves when there are so many in all; rejects when that takes longer than anything here should. */
  reached(what: "sends" | "deliveries", count: number): Promise<void>;
  stop(): Promise<void>;
};

const GIVE_UP_AFTER_MS = 180_000;
const LOOK_EVERY_MS = 20;

export async function startOutside(seed: number): Promise<Outside> {
  const helper = await startHelper("outside-child", import.meta.url);
  let manners: Manners = { answerMs: [5, 5], cutShare: 0, hangingNumbers: [], hangingReceivers: [] };
  // One question at a time: answers bear no names.
  let last: Promise<unknown> = Promise.resolve();
  const ask = <Answer>(question: OutsideQuestion): Promise<Answer> => {
    const answer = last.then(() => helper.ask<Answer>(question));
    last = answer.catch(() => {});
    return answer;
  };
  await ask({ kind: "seed", seed });
  const counts = (): Promise<Counts> => ask({ kind: "counts" });
  return {
    providerUrl: (via) => `${helper.url}/via/${via}`,
    receiverUrl: (receiver) => `${helper.url}/receiver/${receiver}`,
    async behave(changed) {
      manners = { ...manners, ...changed };
      await ask({ kind: "manners", manners });
    },
    sends: (from = 0) => ask({ kind: "sends", from }),
    deliveries: (from = 0) => ask({ kind: "deliveries", from }),
    counts,
    async reached(what, count) {
      const until = monotonicMs() + GIVE_UP_AFTER_MS;
      for (let { [what]: now } = await counts(); now < count; { [what]: now } = await counts()) {
        if (monotonicMs() > until) throw new Error(`${now} ${what} of ${count} came`);
        await sleep(LOOK_EVERY_MS);
      }
    },
    stop: () => helper.stop(),
  };
}
