/**
 * A slot that this process holds.
 *
 *     not held ──gained──▶ taking over ──everything in it was looked at──▶ ready ──surplus──▶ draining ──▶ not held
 *                               └───────────────────surplus──────────────────────────────────▲
 *
 * - taking over: it is read, and nothing of it starts (TakeOver).
 * - ready: its new rows are read and its lanes are worked.
 * - draining: it will be given back. Nothing starts; rows in flight end (Slots).
 *
 * From every state it is dropped at once when the table says that another process has it, or when the lease has lapsed.
 */
export class Slot {
  readonly number: number;
  /** Under which it was taken; a later owner has a higher one. */
  readonly epoch: number;
  /** When it was gained, on the monotonic clock. */
  readonly since: number;
  #state: "taking over" | "ready" | "draining" = "taking over";
  #drawnBefore = Number.POSITIVE_INFINITY;

  constructor(number: number, epoch: number, since: number) {
    this.number = number;
    this.epoch = epoch;
    this.since = since;
  }

  get takingOver(): boolean {
    return this.#state === "taking over";
  }

  get ready(): boolean {
    return this.#state === "ready";
  }

  get draining(): boolean {
    return this.#state === "draining";
  }

  /** The last number that was drawn before the take-over: of rows up to it, former owners may have begun attempts. */
  get drawnBefore(): number {
    return this.#drawnBefore;
  }

  set drawnBefore(seq: number) {
    this.#drawnBefore = seq;
  }

  /** Ends the take-over. */
  open(): void {
    if (this.takingOver) this.#state = "ready";
  }

  drain(): void {
    this.#state = "draining";
  }
}
