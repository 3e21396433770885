import type { App } from "../../ctx.ts";
import { isTransient } from "../../db/connect.ts";
import type { AnswerOf } from "../../db/hot-function.ts";
import { QuietLog } from "../../lib/quiet-log.ts";
import { hintCommitted } from "../events/event.ts";
import { type LOOKED_AT, type MERGED, mergeContacts, takeEvidence } from "./resolving/resolver.store.ts";

/** Observations of one call; the next ones follow at once. Each is a subtransaction, of which PostgreSQL keeps 64 at hand. */
const EVIDENCE_A_CALL = 50;
/** What is said in this time is learned in one call: a call for each cost a fifth of PostgreSQL's time at 200 observations a second. */
const GATHER_MS = 50;
/** Each locks two contacts and moves what belongs to them. */
const MERGES_A_CALL = 20;

/**
 * Learns who is the same person from what the provider says: of a number that was written to, in statuses, in messages. What says
 * more than the call that stores it can learn (`TAKE_CLAIMS`) is kept by it and learned here soon after; the timer finds what a
 * process that was stopped has left.
 */
export class IdentityResolver {
  readonly #app: App;
  readonly #quiet: QuietLog;
  #resolving: Promise<void> | null = null;
  /** Evidence was kept since the current round began. */
  #more = false;
  /** Some of it may be of two contacts that are one person. */
  #pairs = false;
  /** A round is about to begin. */
  #isSoon = false;
  #stopping = false;

  constructor(app: App) {
    this.#app = app;
    this.#quiet = new QuietLog(app.log, app.clock);
  }

  /** The `committed` of a batch whose database function keeps evidence. `ofPairs`: as `resolve`. */
  resolveSoon(answers: readonly { has_evidence: boolean }[], ofPairs: boolean): void {
    if (!answers.at(-1)?.has_evidence) return;
    this.#pairs ||= ofPairs;
    if (this.#isSoon) return;
    this.#isSoon = true;
    this.#app.clock.after(GATHER_MS, () => {
      this.#isSoon = false;
      if (!this.#stopping) void this.resolve(false);
    });
  }

  /**
   * Resolves when everything that was kept before the call is learned, or has failed and is tried again later; never rejects.
   * `ofPairs`: it may have been kept that two contacts are to be merged. Looking for them costs as much as learning, and what
   * answers to sends teach says itself when there are any.
   */
  resolve(ofPairs = true): Promise<void> {
    this.#more = true;
    this.#pairs ||= ofPairs;
    this.#resolving ??= this.#resolveAll().finally(() => {
      this.#resolving = null;
    });
    return this.#resolving;
  }

  async #resolveAll(): Promise<void> {
    try {
      while (this.#more) {
        this.#more = false;
        await this.#round();
      }
    } catch (error) {
      this.#quiet.warn("learning", { err: error }, "who is the same person could not be learned; it is tried again");
    }
  }

  async #round(): Promise<void> {
    const { db, clock, notifier } = this.#app;
    const ask = (most: number) => [{ up_to: new Date(clock.now()).toISOString(), most }];
    const learned = await db.call(takeEvidence, ask(EVIDENCE_A_CALL), clock.now());
    const ofPairs = this.#pairs || learned.some(({ has_pairs }) => has_pairs);
    this.#pairs = false; // what asks for it from here on is looked at in the next round
    const pairs = ofPairs ? await db.call(mergeContacts, ask(MERGES_A_CALL), clock.now()) : [];
    hintCommitted(notifier, pairs);
    for (const pair of pairs) this.#logPair(pair);
    for (const { stops, workspace_id } of learned) if (stops) this.#logStop(workspace_id);
    const looks = [...learned, ...pairs];
    for (const look of looks) this.#logFailure(look);
    // A call that was neither full nor cut short has left nothing that can be learned now.
    const isLeft = learned.length === EVIDENCE_A_CALL || pairs.length === MERGES_A_CALL || looks.some(hasFailed);
    if (!isLeft || this.#stopping) return;
    this.#more = true;
    this.#pairs ||= ofPairs;
  }

  #logFailure({ failure, workspace_id, message_id }: AnswerOf<typeof LOOKED_AT>): void {
    if (failure === null || isTransient({ code: failure })) return;
    const fields = { sqlstate: failure, workspace_id, message_id };
    this.#quiet.error(
      "failure",
      fields,
      "what was said of a person could not be learned; it is tried again, ever more seldom",
    );
  }

  #logStop(workspace_id: string): void {
    this.#app.log.error(
      { workspace_id },
      "many numbers have new user ids at once: each counts as another person's, and no contacts are joined here until a day has passed without it",
    );
  }

  #logPair({ outcome, workspace_id, contact_id, merged_contact_id, message_id }: AnswerOf<typeof MERGED>): void {
    const fields = { workspace_id, contact_ids: [contact_id, merged_contact_id], message_id };
    if (outcome === "merged") this.#app.log.info(fields, "two contacts are one person and were merged");
    if (outcome === "two_people")
      this.#app.log.warn(fields, "two contacts were reported as one person and are two: they stay apart");
  }

  /** Resolves when nothing is being learned. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#more = false;
    await this.#resolving;
  }
}

const hasFailed = ({ failure }: AnswerOf<typeof LOOKED_AT>): boolean => failure !== null;
