import type { App } from "../../../ctx.ts";
import type { Disposition, LaneClaim, LaneKind, LaneSettings, QueueRow } from "../../../lanes/kind.ts";
import { UNKNOWN } from "../../../lanes/lane-kinds.ts";
import type { ErrorClass, SendOutcome } from "../../../provider/provider.ts";
import type { LaneSender, Senders } from "../../accounts/numbers/senders.ts";
import { claimOf, type ProviderIdentifiers } from "../../identity/reported-identifiers.ts";
import type { ProviderUploads } from "../../media/provider-uploads.ts";
import { errorOfProvider, type MessageError, messageError } from "../message-error.ts";
import { dispatchQueue, type IntentAnswer } from "./dispatch.store.ts";
import { Evidence, type EvidenceDeps } from "./evidence.ts";
import { EXPIRED } from "./expiry.ts";
import { hasForgotten } from "./forgotten-media.ts";
import { Intents } from "./intents.ts";
import type { MarketingStops } from "./marketing-stops.ts";
import { type RefusalDeps, Refusals } from "./refusals.ts";
import { UNSENT } from "./unsent.ts";
import { writeMessage } from "./write-message.ts";

/** Sends in flight in this process, over all its numbers. */
const IN_FLIGHT = 500;
/**
 * Sends of one number in flight when its lane is opened: enough for 80 a second at an answer in 0.2 s. Each answer lets it grow by one,
 * lost ones halve it. After a take-over, on a machine that is busy with the same, all that may start is begun at once, and what has not
 * left when this process is killed too ends as `unknown`: few at first.
 */
const NUMBER_START = 16;
/** One recipient: 1 message each 6 s, up to 45 saved up (the provider's pair rate limit). */
const PAIR_PACE = { everyMs: 6_000, burst: 45 };
/** A lost answer is reported once more after this long without evidence, and then no more is done. */
const SILENCE_MS = 10 * 60_000;
/** A provider call takes at most 30 s. 15 s later its outcome is stored, or the process that made the call is gone. */
const SETTLE_AFTER_MS = 45_000;
/** Without a usable token: the account is disconnected and its lane closes; the message is sent once it is connected again. */
const DISCONNECTED_MS = 60_000;

export type DispatchDeps = EvidenceDeps & RefusalDeps & { uploads: ProviderUploads };

/**
 * The dispatch lanes, one for each phone number. An attempt's intent is committed, then its bytes leave, then its outcome is
 * committed.
 */
export class Dispatch implements LaneKind {
  readonly name = "dispatch";
  readonly role = "dispatch";
  readonly queue = dispatchQueue;
  readonly inFlight = IN_FLIGHT;
  readonly settleAfterMs = SETTLE_AFTER_MS;
  readonly #app: App;
  readonly #senders: Senders;
  readonly #refusals: Refusals;
  readonly #marketing: MarketingStops;
  readonly #uploads: ProviderUploads;
  /** By lane, as its settings were last read. */
  readonly #senderOf = new Map<number, LaneSender>();
  /** By phone number: the right under which its lane was last worked here. */
  readonly #claims = new Map<string, LaneClaim>();
  readonly #intents: Intents;
  readonly #evidence: Evidence;

  constructor(app: App, deps: DispatchDeps) {
    this.#app = app;
    this.#senders = deps.senders;
    this.#marketing = deps.marketing;
    this.#uploads = deps.uploads;
    this.#refusals = new Refusals(app, deps);
    this.#intents = new Intents(app, deps.uploads);
    this.#evidence = new Evidence(app, deps);
  }

  async settings(lanes: readonly number[]): Promise<Map<number, LaneSettings>> {
    const settings = new Map<number, LaneSettings>();
    for (const [lane, sender] of await this.#senders.ofLanes(lanes)) {
      this.#senderOf.set(lane, sender);
      settings.set(lane, {
        fairShareKey: sender.workspaceId,
        workspaceId: sender.workspaceId,
        ratePerSecond: sender.throughputPerSecond,
        concurrency: { start: NUMBER_START, most: IN_FLIGHT },
        ordered: true,
        keyPace: PAIR_PACE,
        closed: !sender.usable,
      });
    }
    return settings;
  }

  async work(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    // Its answer was lost, and there was no evidence for ten minutes.
    if (row.state === UNKNOWN) return await this.#evidence.store(row, row.attempt, SILENCE, claim);
    const sender = this.#senderOf.get(row.lane);
    const portfolio = sender?.limitedPortfolio ?? null;
    if (sender) this.#claims.set(sender.phoneNumberId, claim);
    if (row.expiresAt !== null && row.expiresAt <= this.#app.clock.now())
      return await this.#expire(row, portfolio, claim);
    const held = sender?.marketingStopped ? await this.#marketing.hold(messageOf(row, sender)) : FREE;
    if (held === null) return { kind: "again" };
    if (held.verdict === "wait") return await this.#wait(row, row.attempt, held.until, null, claim);
    // Read ahead, and cached from then on: what happens between the intent and the first byte is lost with the process.
    if (sender) await this.#senders.accessToken(sender).catch(() => null);
    const intent = await this.#intents.begin(row, claim, { sender, portfolio });
    if (intent.outcome === "again") return { kind: "again" };
    if (intent.outcome === "unwritten") return await this.#unwritten(row, claim);
    if (intent.outcome === "waits") return await this.#wait(row, row.attempt, intent.until, null, claim);
    if (intent.outcome === "settled") return await this.#evidence.store(row, row.attempt, SILENCE, claim);
    if (intent.outcome === "uploading") return await this.#putBack(row, row.attempt, intent.until, null, claim);
    if (intent.outcome === "media_refused")
      return await this.#evidence.store(row, row.attempt, { outcome: "failed", error: intent.error }, claim);
    if (intent.outcome === "no") return { kind: "not_ours" };
    if (intent.outcome === "joined") return { kind: "joined", keys: intent.keys ?? [] };
    if (intent.outcome === "erased") return await this.#evidence.store(row, row.attempt, CANCELED, claim);
    if (intent.outcome !== "go") {
      const error = messageError(...UNSENT[intent.outcome]);
      return await this.#evidence.store(row, row.attempt, { outcome: "failed", error }, claim);
    }
    return await this.#send(row, row.attempt + 1, { intent, isProbe: held.verdict === "probe" }, claim);
  }

  async #expire(row: QueueRow, portfolio: string | null, claim: LaneClaim): Promise<Disposition> {
    const error = (await this.#intents.hasNoRoom(row, portfolio))
      ? messageError("messaging_limit_reached", "The messaging limit had no room for it before its expires_at.")
      : EXPIRED;
    return await this.#evidence.store(row, row.attempt, { outcome: "expired", error }, claim);
  }

  /** Says that an attempt of which it is not known whether it was begun was not written: it is ready again for its owner of now. */
  #unwritten(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    const due = this.#app.clock.now();
    const unwritten = { outcome: "unwritten", error: null, due, worker: claim.worker } as const;
    return this.#evidence.store(row, row.attempt + 1, unwritten, claim);
  }

  async #send(
    row: QueueRow,
    attempt: number,
    { intent: begun, isProbe }: { intent: IntentAnswer; isProbe: boolean },
    claim: LaneClaim,
  ): Promise<Disposition> {
    const now = (): number => this.#app.clock.now();
    const sender = this.#senderOf.get(row.lane);
    if (sender) await this.#senders.refresh(sender);
    const accessToken = sender ? await this.#senders.accessToken(sender).catch(() => null) : null;
    if (!sender || accessToken === null) return await this.#putBack(row, attempt, now() + DISCONNECTED_MS, null, claim);
    const intent = attempt === 1 ? begun : await this.#refusals.completed(begun, sender);
    await claim.departure();
    const { clock, log } = this.#app;
    const startedAt = clock.monotonic();
    const outcome = await writeMessage(this.#app, { row, attempt, intent, sender, accessToken }, claim);
    // A message that was not written because the lease was lost is no evidence of how the number copes.
    const isEvidence = outcome.kind === "accepted" || outcome.error.bytesSent || claim.valid();
    const disposition = await this.#settleOutcome(row, attempt, { outcome, intent, sender }, claim);
    if (isProbe && outcome.kind === "accepted") {
      await this.#marketing.accepted(messageOf(row, sender));
      sender.marketingStopped = false;
    }
    log.info(
      {
        message_id: row.itemId,
        workspace_id: row.workspaceId,
        phone_number_id: sender.phoneNumberId,
        attempt,
        outcome: outcome.kind,
        code: outcome.kind === "accepted" ? undefined : outcome.error.code,
        provider_code: outcome.kind === "accepted" ? undefined : outcome.error.provider?.code,
        next: disposition.kind,
        ms: Math.round(clock.monotonic() - startedAt),
      },
      "dispatch",
    );
    return { ...disposition, coped: isEvidence ? isAnswer(outcome) : undefined };
  }

  async #settleOutcome(
    row: QueueRow,
    attempt: number,
    { outcome, intent, sender }: { outcome: SendOutcome; intent: IntentAnswer; sender: LaneSender },
    claim: LaneClaim,
  ): Promise<Disposition> {
    if (outcome.kind === "accepted") {
      const { providerMessageId } = outcome;
      const takesThread = intent.takes_thread === true ? { takesThread: true } : {};
      const result = { outcome: "accepted", error: null, providerMessageId, ...takesThread } as const;
      const said = saysMore(outcome, intent) ? { claim: claimOf(outcome, sender.userIdScope) } : {};
      return await this.#evidence.store(row, attempt, { ...result, ...said }, claim);
    }
    const error = errorOfProvider(outcome.error);
    if (outcome.kind === "lost") return await this.#storeUnknown(row, attempt, error, claim);
    // This process had to stop before a byte left: the lane's next owner may send it at once.
    if (!outcome.error.bytesSent && !claim.valid()) return await this.#putBack(row, attempt, 0, null, claim);
    // The provider knows better than the gateway whether the window is open: the next attempt sends the fallback.
    if (error.code === "window_closed" && intent.fallback_used === false)
      return await this.#putBack(row, attempt, 0, error, claim);
    // The provider has forgotten a file, or says so: it is uploaded once more.
    if (await hasForgotten(this.#uploads, sender, intent, outcome.error))
      return await this.#putBack(row, attempt, 0, error, claim);
    const again = await this.#refusals.follow({ row, attempt, intent, sender, error: outcome.error }, claim);
    if (again === null) return await this.#evidence.store(row, attempt, { outcome: "failed", error }, claim);
    // The provider counts people that we know nothing of: until there is room again, those who wait are not tried.
    if (error.code === "messaging_limit_reached")
      return await this.#wait(row, attempt, await this.#intents.refusedUntil(sender.userIdScope), error, claim);
    if (LETS_OTHERS_PASS.has(outcome.error.class)) return await this.#wait(row, attempt, again, error, claim);
    return await this.#putBack(row, attempt, again, error, claim);
  }

  /** The row is tried again at a time; the later messages of its recipient wait for it. */
  #putBack(
    row: QueueRow,
    attempt: number,
    again: number,
    error: MessageError | null,
    claim: LaneClaim,
  ): Promise<Disposition> {
    return this.#evidence.store(row, attempt, { outcome: "retry", error, due: this.#dueOf(row, again) }, claim);
  }

  /** The same for what only this message waits for: its recipient's others go on. Rows of one `due` are read in their order. */
  #wait(
    row: QueueRow,
    attempt: number,
    again: number,
    error: MessageError | null,
    claim: LaneClaim,
  ): Promise<Disposition> {
    return this.#evidence.store(row, attempt, { outcome: "waits", error, due: this.#dueOf(row, again) }, claim);
  }

  // No backoff goes past the message's own end.
  #dueOf(row: QueueRow, again: number): number {
    return Math.max(this.#app.clock.now(), Math.min(again, row.expiresAt ?? Number.POSITIVE_INFINITY));
  }

  /** Settles an attempt whose process is gone, or has stored no outcome in time: what the provider did is not known. */
  settle(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    const detail = "The process that sent it was lost before the provider's answer was stored.";
    return this.#storeUnknown(row, row.attempt, messageError("provider_error", detail), claim);
  }

  #storeUnknown(row: QueueRow, attempt: number, error: MessageError, claim: LaneClaim): Promise<Disposition> {
    const due = this.#app.clock.now() + SILENCE_MS;
    return this.#evidence.store(row, attempt, { outcome: "unknown", error, due }, claim);
  }

  /**
   * The provider reported after it had accepted a message that its number is too fast. Only where this process works the number's
   * lane: elsewhere the number slows down with its next refusal.
   */
  slow(phoneNumberId: string): void {
    const claim = this.#claims.get(phoneNumberId);
    if (claim?.valid()) claim.slow();
  }

  /** Resolves when every attempt that was begun has its outcome stored. */
  async stop(): Promise<void> {
    await Promise.all([this.#intents.drained(), this.#evidence.drained()]);
  }
}

/** Refusals that say nothing of the pair of number and person. */
const LETS_OTHERS_PASS: ReadonlySet<ErrorClass> = new Set(["spam", "throttle_long"]);
/** Nothing more is sent where evidence has settled the lost answer by then. */
const SILENCE = { outcome: "silence", error: null } as const;
/** The contact was erased before it was sent. */
const CANCELED = { outcome: "canceled", error: null } as const;
const FREE = { verdict: "go" } as const;

const messageOf = (row: QueueRow, { workspaceId, phoneNumberId }: LaneSender) => ({
  workspaceId,
  phoneNumberId,
  messageId: row.itemId,
});

/** Whether an answer calls the recipient something that was not known when the attempt began. */
const saysMore = (answer: ProviderIdentifiers, known: IntentAnswer): boolean =>
  (answer.waId !== null && answer.waId !== known.known_number) ||
  (answer.userId !== null && answer.userId !== known.user_id) ||
  answer.parentUserId !== null;

const isAnswer = (outcome: SendOutcome): boolean =>
  outcome.kind === "accepted" || (outcome.kind === "definite_no" && outcome.error.bytesSent);
