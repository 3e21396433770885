import type { App } from "../../ctx.ts";
import { isStandstill } from "../../db/batched.ts";
import { LockHeld } from "../../db/database.ts";
import { slotOf } from "../../lanes/lane-kinds.ts";
import { QuietLog } from "../../lib/quiet-log.ts";
import type { ParsedCallback } from "../../provider/provider.ts";
import { hasMoved, isCausedByContent } from "../messages/callbacks/callback-errors.ts";
import type { ProviderEvents } from "../messages/callbacks/provider-events.ts";
import { isOfNumber, type ProviderEvent } from "../messages/callbacks/taken-row.ts";
import { logApplied } from "./applied-line.ts";
import type { CallbackOwners, NumberOwner } from "./callback-owners.ts";
import type { ParsedCallbacks } from "./parsed-callbacks.ts";

/** A signed callback; `key` is what the provider's adapter routes it by, `receivedAt` in milliseconds. */
export type Received = { id: string; lane: number; key: string | null; body: Buffer; receivedAt: number };

type Change = ProviderEvent["change"];

/** More than the provider sends of one number at a time; each holds one of its connections while the database works. */
const MOST_UNDER_WAY = 500;
/** A callback is applied whole, in one call with others: more changes are a piece of work of their own. */
const MOST_CHANGES = 50;
/** Some 50 changes. Base64 and rows are three times as long, and so the callbacks under way fit into the batch's 64 MiB. */
const MOST_BYTES = 32 * 1024;

/**
 * The short way of a callback: what one of our numbers reports of messages and people is parsed here and applied in the transaction that
 * stores the raw bytes, without the queue. Everything else, and what fails for another reason than the database being away, is
 * left to the queue.
 */
export class TakeAtOnce {
  readonly #app: App;
  readonly #providerEvents: ProviderEvents;
  readonly #owners: CallbackOwners;
  readonly #parses: ParsedCallbacks;
  readonly #quiet: QuietLog;
  #underWay = 0;
  #starts = 0;
  /** By the provider's number, its last callback that is not submitted yet: the next one is submitted after it. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(app: App, providerEvents: ProviderEvents, owners: CallbackOwners, parses: ParsedCallbacks) {
    this.#app = app;
    this.#providerEvents = providerEvents;
    this.#owners = owners;
    this.#parses = parses;
    this.#quiet = new QuietLog(app.log, app.clock);
  }

  /** Callbacks that this way has begun to apply. */
  get starts(): number {
    return this.#starts;
  }

  /** True: committed, raw bytes and effect. False: nothing was done, and the queue must take it. Rejects when the database is away. */
  async take(received: Received): Promise<boolean> {
    const { key } = received;
    if (key === null || received.body.length > MOST_BYTES || this.#underWay >= MOST_UNDER_WAY) return false;
    const parsed = this.#parses.parse(received.body);
    if (parsed === null) return false;
    const taken = await this.#takeParsed(received, key, parsed);
    if (!taken) this.#parses.keep(received.id, parsed, received.body);
    return taken;
  }

  async #takeParsed(received: Received, key: string, parsed: ParsedCallback): Promise<boolean> {
    const changes = changesOfNumber(parsed, key);
    if (changes === null) return false;
    this.#owners.waacIds.note(parsed.waacs ?? []);
    this.#underWay += 1;
    try {
      return await this.#takeInOrder(received, key, changes);
    } catch (error) {
      if (isStandstill(error)) throw error;
      if (hasMoved(error)) this.#owners.forget(key);
      // Not logged where the queue says more: it sets the change aside, or tries again until the lock is free.
      else if (!isCausedByContent(error) && !(error instanceof LockHeld))
        this.#quiet.warn(
          "failed",
          { err: error, callback_id: received.id },
          "a callback failed; it goes into the queue",
        );
      return false;
    } finally {
      this.#underWay -= 1;
    }
  }

  async #takeInOrder(received: Received, number: string, changes: readonly Change[]): Promise<boolean> {
    const submitted = this.#submit(received, number, changes, this.#last.get(number));
    this.#last.set(number, submitted);
    const { answer } = await submitted;
    if (this.#last.get(number) === submitted) this.#last.delete(number);
    return await answer;
  }

  /** Never rejects. Callbacks of a number are submitted in the order in which they came, whatever is looked up for each. */
  async #submit(
    received: Received,
    number: string,
    changes: readonly Change[],
    before: Promise<unknown> | undefined,
  ): Promise<{ answer: Promise<boolean> }> {
    let owner: NumberOwner | null;
    try {
      owner = await this.#ownerOf(number);
    } catch (error) {
      await before;
      return { answer: Promise.reject(error) };
    }
    await before; // which never rejects either
    return { answer: owner === null ? Promise.resolve(false) : this.#apply(received, number, changes, owner) };
  }

  async #ownerOf(number: string): Promise<NumberOwner | null> {
    const owner = await this.#owners.ofNumber(number);
    if (owner !== null) await this.#providerEvents.weighable(owner.workspaceId);
    return owner;
  }

  // Submits before its first await.
  async #apply(
    { id, lane, body, receivedAt }: Received,
    number: string,
    changes: readonly Change[],
    owner: NumberOwner,
  ): Promise<boolean> {
    const { clock, log, notifier } = this.#app;
    const taking = this.#providerEvents.takeCallback(
      { id, lane, number, workspace_id: owner.workspaceId, body: body.toString("base64") },
      changes.map((change) => ({ callbackId: id, change, ...owner })),
    );
    if (taking === null) return false;
    this.#starts += 1;
    const { outcome, message_ids } = await taking;
    if (outcome === "queued") notifier.hint("ingest", [slotOf(lane)]);
    else
      logApplied(log, {
        callbackId: id,
        workspaceId: owner.workspaceId,
        messageIds: message_ids,
        changes: changes.length,
        setAside: [],
        tries: 1,
        ageMs: clock.now() - receivedAt,
      });
    return true;
  }
}

/** Null unless all are statuses, messages and preferences of this number, and few. */
function changesOfNumber({ changes }: ParsedCallback, number: string): Change[] | null {
  const own = changes.filter(isOfNumber);
  const fits = own.length === changes.length && own.length > 0 && own.length <= MOST_CHANGES;
  return fits && own.every((change) => change.providerPhoneNumberId === number) ? own : null;
}
