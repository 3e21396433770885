import { answerWithin, closeClient, hangUp, NoAnswer, openClient } from "./connect.ts";

/**
 * Whether the database answers at all. After a silence one new connection is tried before anybody's work: while it gets no
 * answer either, work is refused at once instead of waiting, each call for itself, until its time is over.
 */
export type Reach = {
  /** Connections that have said nothing since then (monotonic milliseconds) may be dead without knowing it. */
  readonly doubtedSince: number;
  /** It was silent, and nothing has shown yet that it answers again. */
  readonly inDoubt: boolean;
  /** The database has answered just now. */
  answered(): void;
  /** Nothing came back to what was sent then. */
  silent(sentAt: number): void;
  /** What is connected now leads to the wrong place. */
  doubt(): void;
  /** Resolves when work may begin, after a silence when the trial has shown it; rejects while nobody answers. */
  open(): Promise<void>;
  close(): void;
};

/** A trial connects and asks in this time, hundred times what it takes. */
const TRIAL_MS = 2_000;
const BETWEEN_TRIALS_MS = 500;

export function openReach(url: string): Reach {
  let doubtedSince = 0;
  let answeredAt = 0;
  let trial: Promise<boolean> | null = null;
  let away = false;
  let next: NodeJS.Timeout | null = null;
  let closed = false;
  let client: ReturnType<typeof openClient> | null = null;

  function begin(): void {
    if (trial !== null || closed) return;
    const startedAt = performance.now();
    trial = tryOnce().then((reached) => {
      trial = null;
      if (reached) answered();
      else if (answeredAt < startedAt && !closed) {
        away = true;
        next = setTimeout(begin, BETWEEN_TRIALS_MS).unref();
      }
      return reached;
    });
  }

  /** False when there was no answer. A refusal is one: whoever works now hears it too, at once. */
  async function tryOnce(): Promise<boolean> {
    const trying = openClient(url, "trial", TRIAL_MS);
    client = trying;
    try {
      await answerWithin(trying, TRIAL_MS, async () => {
        await trying.connect();
        // A pooler takes connections on its own; a statement shows what is behind it.
        await trying.query("select");
      });
      return true;
    } catch (error) {
      return !(error instanceof NoAnswer);
    } finally {
      client = null;
      void closeClient(trying);
    }
  }

  function answered(): void {
    answeredAt = performance.now();
    away = false;
    if (next) clearTimeout(next);
    next = null;
  }

  return {
    get doubtedSince() {
      return doubtedSince;
    },
    get inDoubt() {
      return away || trial !== null;
    },
    answered,
    silent(sentAt) {
      doubtedSince = Math.max(doubtedSince, sentAt);
      // Somebody else was answered meanwhile: then it is that one connection.
      if (answeredAt < sentAt && !away) begin();
    },
    doubt() {
      doubtedSince = performance.now();
    },
    async open() {
      if (away || (trial !== null && !(await trial))) throw new Error("the database does not answer");
    },
    close() {
      closed = true;
      if (next) clearTimeout(next);
      if (client) hangUp(client);
    },
  };
}
