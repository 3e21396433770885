import type { App } from "../../../ctx.ts";
import { batchCalls } from "../../../db/batched.ts";
import { CommitUnknown } from "../../../db/database.ts";
import type { Disposition, LaneClaim, LaneKind, LaneSettings, QueueRow } from "../../../lanes/kind.ts";
import { UNKNOWN } from "../../../lanes/kind.ts";
import { createQuietLog } from "../../../lib/quiet-log.ts";
import type { ProviderError, SendOutcome } from "../../../provider/provider.ts";
import type { Listeners } from "../../webhooks/endpoints/listeners.ts";
import { createEvidence } from "../callbacks/evidence.ts";
import { errorOfProvider, type MessageError, messageError } from "../message-error.ts";
import { sealOpaque } from "./correlation-token.ts";
import { beginSends, dispatchQueue, type IntentAnswer, type IntentRow } from "./dispatch.store.ts";
import { afterRefusal } from "./retry.ts";

/** The number behind a lane, as dispatch needs it. */
export type LaneSender = {
  lane: number;
  workspaceId: string;
  phoneNumberId: string;
  providerPhoneNumberId: string;
  businessAccountId: string;
  throughputPerSecond: number;
  usable: boolean;
  /** Milliseconds: a token that was read of an older state may be another one. */
  accountChangedAt: number;
};

/** What dispatch needs of the accounts feature. */
export type SenderDeps = {
  senderOfLanes(lanes: readonly number[]): Promise<Map<number, LaneSender>>;
  /** Null when the account is gone or its token cannot be opened. */
  accessToken(sender: LaneSender): Promise<string | null>;
  /** The provider spoke of the account or its token; decides whether to check or to disconnect it. */
  reportAccountTrouble(sender: LaneSender, error: ProviderError): void;
};

/** Sends in the air in this process, over all its numbers. */
const IN_FLIGHT = 500;
/** Of one number at once: enough for 80 a second at an answer in 0.8 s. Answers let it grow, lost ones halve it. */
const NUMBER_START = 64;
/** One recipient: 1 message each 6 s, up to 45 saved up (the provider's pair rate limit). */
const PAIR_PACE = { everyMs: 6_000, burst: 45 };
/** A lost answer is told again after this long of silence, and then no more is done. */
const SILENCE_MS = 10 * 60_000;
/** The provider call takes at most 30 s; 15 more, and whoever started it has spoken or never will. */
const SETTLE_AFTER_MS = 45_000;
const ASK_AGAIN_MS = 200;

const UNWRITABLE: Omit<ProviderError, "bytesSent"> = {
  class: "transient",
  code: "provider_error",
  provider: null,
  httpStatus: null,
  detail: "The gateway could not write this message to the provider.",
  tokenDead: false,
};

/** The dispatch lanes: one a phone number. Intent committed → bytes → outcome committed. */
export function createDispatch(
  app: App,
  senders: SenderDeps,
  listeners: Listeners,
): { kind: LaneKind; stop(): Promise<void> } {
  const { db, clock, provider, secrets, log } = app;
  const bySender = new Map<number, LaneSender>();
  const intents = batchCalls<IntentRow, IntentAnswer>({ db, clock, fn: beginSends, group: (row) => row.workspace_id });
  const { store, drained } = createEvidence(app, listeners);
  const quiet = createQuietLog(log, clock);

  async function settings(lanes: readonly number[]): Promise<Map<number, LaneSettings>> {
    const found = await senders.senderOfLanes(lanes);
    const map = new Map<number, LaneSettings>();
    for (const [lane, sender] of found) {
      bySender.set(lane, sender);
      map.set(lane, {
        fairShareKey: sender.workspaceId,
        workspaceId: sender.workspaceId,
        ratePerSecond: sender.throughputPerSecond,
        concurrency: { start: NUMBER_START, most: IN_FLIGHT },
        ordered: true,
        keyPace: PAIR_PACE,
        closed: !sender.usable,
      });
    }
    return map;
  }

  async function work(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    const now = clock.now();
    // A lost answer, and ten minutes of silence since.
    if (row.state === UNKNOWN) return await store(row, row.attempt, { outcome: "silence", error: null });
    if (row.expiresAt !== null && row.expiresAt <= now)
      return await store(row, row.attempt, {
        outcome: "expired",
        error: messageError("expired", "It was not sent before its expires_at."),
      });
    const intent = await begin(row, claim);
    if ("kind" in intent) return intent;
    if (intent.outcome === "no") return { kind: "not_ours" };
    if (intent.outcome === "window_closed") {
      return await store(row, row.attempt, {
        outcome: "failed",
        error: messageError("window_closed", "The 24-hour window closed before it could be sent."),
      });
    }
    return await send(row, row.attempt + 1, intent, claim);
  }

  // Perhaps begun, and nobody could be asked: the recipient waits until it is known. Freed, its next message would overtake.
  async function begin(row: QueueRow, claim: LaneClaim): Promise<IntentAnswer | Disposition> {
    for (let asked = false; ; ) {
      try {
        return await intents.submit({
          slot: row.slot,
          seq: row.seq,
          workspace_id: row.workspaceId,
          message_id: row.itemId,
          attempt: row.attempt,
          worker: claim.worker,
          epoch: claim.epoch,
          state: row.state,
          asked,
        });
      } catch (error) {
        asked ||= error instanceof CommitUnknown;
        if (!asked) {
          quiet.warn(
            "intent",
            { err: error, workspace_id: row.workspaceId },
            "an attempt could not be begun; it is tried again",
          );
          return { kind: "again" };
        }
        if (!claim.valid())
          return await store(row, row.attempt + 1, {
            outcome: "unwritten",
            error: null,
            due: clock.now(),
            worker: claim.worker,
          });
        await new Promise<void>((resolve) => void clock.after(ASK_AGAIN_MS, resolve));
      }
    }
  }

  async function send(row: QueueRow, attempt: number, intent: IntentAnswer, claim: LaneClaim): Promise<Disposition> {
    const sender = bySender.get(row.lane);
    const accessToken = sender ? await senders.accessToken(sender).catch(() => null) : null;
    if (!sender || accessToken === null) return await putBack(row, attempt, SILENCE_MS / 10);
    await claim.departure();
    const startedAt = clock.monotonic();
    const outcome = await write(row, attempt, intent, sender.providerPhoneNumberId, accessToken, claim);
    // What was not written by our own will says nothing of the number.
    if (outcome.kind === "accepted" || outcome.error.bytesSent || claim.valid()) claim.report(isAnswer(outcome));
    const disposition = await settleOutcome(row, attempt, outcome, sender, claim);
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
    return disposition;
  }

  // An exception is our own fault. It takes an attempt and its pause like any other refusal, unless bytes may have left.
  async function write(
    row: QueueRow,
    attempt: number,
    intent: IntentAnswer,
    providerPhoneNumberId: string,
    accessToken: string,
    claim: LaneClaim,
  ): Promise<SendOutcome> {
    let bytesSent = false;
    try {
      return await provider.send({
        accessToken,
        providerPhoneNumberId,
        to: intent.recipient,
        userId: intent.recipient === null ? intent.user_id : null,
        type: intent.type,
        content: JSON.parse(intent.content) as unknown,
        replyToProviderId: intent.reply_to_provider_id,
        opaque: sealOpaque(secrets, row.itemId, attempt),
        mayWrite: () => {
          bytesSent = claim.valid() && !claim.signal.aborted;
          return bytesSent;
        },
      });
    } catch (error) {
      log.error(
        { err: error, message_id: row.itemId, workspace_id: row.workspaceId },
        "a message could not be written",
      );
      const fault = { ...UNWRITABLE, bytesSent };
      return bytesSent ? { kind: "lost", error: fault } : { kind: "definite_no", error: fault };
    }
  }

  async function settleOutcome(
    row: QueueRow,
    attempt: number,
    outcome: SendOutcome,
    sender: LaneSender,
    claim: LaneClaim,
  ): Promise<Disposition> {
    if (outcome.kind === "accepted")
      return await store(row, attempt, {
        outcome: "accepted",
        error: null,
        providerMessageId: outcome.providerMessageId,
      });
    const { error } = outcome;
    if (outcome.kind === "lost")
      return await store(row, attempt, {
        outcome: "unknown",
        error: errorOfProvider(error),
        due: clock.now() + SILENCE_MS,
      });
    // We were told to stop before a byte left: whoever owns the lane now may send it at once.
    if (!error.bytesSent && !claim.valid()) return await putBack(row, attempt, 0);
    if (error.class === "account") senders.reportAccountTrouble(sender, error);
    const verdict = afterRefusal(error, attempt, Math.random());
    if (verdict.kind === "failed")
      return await store(row, attempt, { outcome: "failed", error: errorOfProvider(error) });
    if (verdict.pauseLaneMs > 0) claim.pause(verdict.pauseLaneMs);
    return await putBack(row, attempt, verdict.afterMs, errorOfProvider(error));
  }

  // A backoff ends where the message does.
  function putBack(
    row: QueueRow,
    attempt: number,
    afterMs: number,
    error: MessageError | null = null,
  ): Promise<Disposition> {
    const due = Math.min(clock.now() + afterMs, row.expiresAt ?? Number.POSITIVE_INFINITY);
    return store(row, attempt, { outcome: "retry", error, due });
  }

  const kind: LaneKind = {
    name: "dispatch",
    role: "dispatch",
    queue: dispatchQueue,
    inFlight: IN_FLIGHT,
    settings,
    work,
    settleAfterMs: SETTLE_AFTER_MS,
    // Whoever began this attempt is gone or mute: what it did is not known.
    settle: (row) =>
      store(row, row.attempt, {
        outcome: "unknown",
        error: messageError(
          "provider_error",
          "The process that sent it was lost before the provider's answer was stored.",
        ),
        due: clock.now() + SILENCE_MS,
      }),
  };
  return {
    kind,
    stop: async () => void (await Promise.all([intents.drained(), drained()])),
  };
}

const isAnswer = (outcome: SendOutcome): boolean =>
  outcome.kind === "accepted" || (outcome.kind === "definite_no" && outcome.error.bytesSent);
