import type { App } from "../../ctx.ts";
import { BatchedCalls, type CallsOf, isStandstill } from "../../db/batched.ts";
import type { Disposition, LaneClaim, QueueRow } from "../../lanes/kind.ts";
import type { Clock } from "../../lib/clock.ts";
import { timeOfUuid } from "../../lib/ids.ts";
import { QuietLog } from "../../lib/quiet-log.ts";
import type { ParsedCallback, Provider } from "../../provider/provider.ts";
import { noteFailure, type Parsed } from "./apply.ts";
import { waitForDatabase } from "./failures.ts";
import { type LoadedCallback, loadCallbacks } from "./ingress.store.ts";
import type { ParsedCallbacks } from "./parsed-callbacks.ts";
import type { WaacIds } from "./waac-ids.ts";

/** A queue row that is being worked; `settle` returns it to the lane. */
export type Working = { row: QueueRow; claim: LaneClaim; settle(disposition: Disposition): void };
/** `bytes` of the raw callback count as loaded until they are released. */
export type Loaded = Working & { receivedAt: Date | null; bytes: number; parsed: Parsed };

type Read = LoadedCallback | { parse: ParsedCallback; received_at: Date; later: false };

/** Raw callbacks in memory; those that are being read at that moment may come on top, because their size is not known before. */
const MOST_LOADED_BYTES = 64 * 1024 * 1024;

/** Reads and parses raw callbacks, within a bound of bytes for the process. */
export class CallbackLoader {
  readonly #clock: Clock;
  readonly #provider: Provider;
  readonly #quiet: QuietLog;
  readonly #waacIds: WaacIds;
  readonly #parses: ParsedCallbacks;
  readonly #reads: CallsOf<typeof loadCallbacks>;
  #loadedBytes = 0;
  /** Lanes that wait for others to release bytes. */
  readonly #waiting: (() => void)[] = [];

  constructor({ db, clock, log, provider }: App, waacIds: WaacIds, parses: ParsedCallbacks) {
    this.#parses = parses;
    this.#waacIds = waacIds;
    this.#clock = clock;
    this.#provider = provider;
    this.#quiet = new QuietLog(log, clock);
    this.#reads = new BatchedCalls({ db, clock, fn: loadCallbacks, group: () => "" });
  }

  /**
   * Takes up to `most` of the waiting callbacks of a lane, the first ones, reads and parses them. Those that one answer of the
   * database has no room for go back to the front of `waiting`; when the lane's claim is lost, all are returned to the lane.
   */
  async load(waiting: Working[], most: number): Promise<Loaded[]> {
    const batch = waiting.splice(0, most);
    for (let round = 0; ; round++) {
      while (this.#loadedBytes >= MOST_LOADED_BYTES) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      const answers = await Promise.allSettled(batch.map(({ row }) => this.#read(row.itemId)));
      const away = answers.some((answer) => answer.status === "rejected" && isStandstill(answer.reason));
      if (!away) {
        // From the first without room on all wait: a smaller one behind it must not overtake it.
        const cut = answers.findIndex((answer) => answer.status === "fulfilled" && answer.value.later);
        const taken = cut < 0 ? batch : batch.slice(0, cut);
        waiting.unshift(...batch.slice(taken.length));
        return taken.map((one, index) => this.#loaded(one, answers[index]));
      }
      if (await waitForDatabase(this.#clock, batch[0]?.claim, round)) continue;
      for (const { settle } of batch) settle({ kind: "again" });
      return [];
    }
  }

  /** Of a callback that was parsed when it came nothing is read. */
  async #read(id: string): Promise<Read> {
    const parse = this.#parses.take(id);
    if (parse !== null) return { parse, received_at: new Date(timeOfUuid(id)), later: false };
    return await this.#reads.submit({ id });
  }

  #loaded(one: Working, answer: PromiseSettledResult<Read> | undefined): Loaded {
    const parsed: Parsed = {
      callbackId: one.row.itemId,
      changes: [],
      quarantined: [],
      workspaceId: null,
      messageIds: [],
      failures: [],
    };
    if (answer?.status !== "fulfilled") {
      parsed.failures.push(answer?.reason);
      return { ...one, receivedAt: null, bytes: 0, parsed };
    }
    const { received_at: receivedAt } = answer.value;
    if ("parse" in answer.value) {
      this.#note(answer.value.parse, parsed);
      return { ...one, receivedAt, bytes: 0, parsed };
    }
    const { body } = answer.value;
    const bytes = body?.length ?? 0;
    this.#loadedBytes += bytes;
    if (body === null) this.#noteMissing(one.row, parsed);
    else this.#parse(body, parsed);
    return { ...one, receivedAt, bytes, parsed };
  }

  #noteMissing(row: QueueRow, parsed: Parsed): void {
    this.#quiet.error(
      "missing",
      { callback_id: row.itemId },
      "the raw bytes of a callback no longer exist; it is set aside as missing",
    );
    parsed.quarantined.push({ reason: "missing", change: null, error: null });
  }

  #parse(body: Buffer, parsed: Parsed): void {
    try {
      this.#note(this.#provider.parseCallback(body), parsed);
    } catch (error) {
      noteFailure(parsed, null, error);
    }
  }

  #note({ changes, json, waacs = [] }: ParsedCallback, parsed: Parsed): void {
    parsed.changes = changes;
    this.#waacIds.note(waacs);
    if (!json) parsed.quarantined.push({ reason: "not_json", change: null, error: null });
  }

  /** The bytes of these callbacks are no longer needed. */
  release(batch: readonly Loaded[]): void {
    for (const { bytes } of batch) this.#loadedBytes -= bytes;
    if (this.#loadedBytes < MOST_LOADED_BYTES) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves when no read is in flight. */
  drained(): Promise<void> {
    return this.#reads.drained();
  }
}
