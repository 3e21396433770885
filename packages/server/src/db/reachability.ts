import type pg from "pg";
import { answerWithin, closeClient, hangUp, NoAnswer, openClient } from "./connect.ts";

/**
 * Whether the database answers at all. It is in one of these states:
 * - answering: statements are sent
 * - on trial: a statement got no answer. One new connection is tried first, and new work waits for its result
 * - away: the trial got no answer either. Work is refused at once, instead of each call waiting for its own timeout, and the
 *   trial is repeated until it is answered
 *
 * A silence also leaves each open connection in doubt until it has answered again: it may be dead without knowing it.
 */
export class Reachability {
  readonly #url: string;
  readonly #heardAt = new WeakMap<pg.Client, number>();
  #doubtedSince = 0;
  #answeredAt = 0;
  #trial: Promise<boolean> | null = null;
  #trialClient: pg.Client | null = null;
  #away = false;
  #nextTrial: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** True after a silence, until the database has answered. */
  get inDoubt(): boolean {
    return this.#away || this.#trial !== null;
  }

  /** False when nothing was heard of the database for longer than between two renewals of a process's lease. */
  get isAnswering(): boolean {
    return !this.inDoubt && performance.now() - this.#answeredAt < HEARD_WITHIN_MS;
  }

  /** Resolves when work may begin, after a silence once the trial was answered; rejects while the database does not answer. */
  async confirmed(): Promise<void> {
    if (this.#away || (this.#trial !== null && !(await this.#trial))) throw new Error("the database does not answer");
  }

  /** False for a connection that has said nothing since the last silence began. */
  isTrusted(client: pg.Client): boolean {
    return (this.#heardAt.get(client) ?? 0) >= this.#doubtedSince;
  }

  /** A connection was opened. That is no answer of the database yet: a pooler accepts connections by itself. */
  connected(client: pg.Client): void {
    this.#heardAt.set(client, performance.now());
  }

  /** The database has answered on this connection. */
  answered(client: pg.Client): void {
    this.#heardAt.set(client, performance.now());
    this.#toAnswering();
  }

  #toAnswering(): void {
    this.#answeredAt = performance.now();
    this.#away = false;
    if (this.#nextTrial) clearTimeout(this.#nextTrial);
    this.#nextTrial = null;
  }

  /** A statement, or the wait for a connection, that began at `sentAt` (monotonic milliseconds) got no answer. */
  silent(sentAt: number): void {
    this.#doubtedSince = Math.max(this.#doubtedSince, sentAt);
    // If another statement was answered since then, only that one connection is broken.
    if (this.#answeredAt < sentAt && !this.#away) this.#beginTrial();
  }

  /** All open connections lead to a server that takes no writes: none is to be used again. */
  doubtAll(): void {
    this.#doubtedSince = performance.now();
  }

  #beginTrial(): void {
    if (this.#trial !== null || this.#closed) return;
    const startedAt = performance.now();
    this.#trial = this.#tryOnce().then((reached) => {
      this.#trial = null;
      if (reached) this.#toAnswering();
      else if (this.#answeredAt < startedAt && !this.#closed) {
        this.#away = true;
        this.#nextTrial = setTimeout(() => this.#beginTrial(), BETWEEN_TRIALS_MS).unref();
      }
      return reached;
    });
  }

  /** False when there was no answer. A refusal is an answer: work that begins now gets the same one, at once. */
  async #tryOnce(): Promise<boolean> {
    const client = openClient(this.#url, "trial", TRIAL_MS);
    this.#trialClient = client;
    try {
      await answerWithin(client, TRIAL_MS, async () => {
        await client.connect();
        // A pooler accepts connections by itself; only a statement reaches the server behind it.
        await client.query("select");
      });
      return true;
    } catch (error) {
      return !(error instanceof NoAnswer);
    } finally {
      this.#trialClient = null;
      void closeClient(client);
    }
  }

  close(): void {
    this.#closed = true;
    if (this.#nextTrial) clearTimeout(this.#nextTrial);
    if (this.#trialClient) hangUp(this.#trialClient);
  }
}

/** For connecting and one statement: a hundred times what they take. */
const TRIAL_MS = 2_000;
const BETWEEN_TRIALS_MS = 500;
/** A lease is renewed every 2 s. */
const HEARD_WITHIN_MS = 3_000;
