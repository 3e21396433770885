import { LRUCache } from "lru-cache";
import type { App } from "../../../ctx.ts";
import { BatchedCalls, type CallsOf } from "../../../db/batched.ts";
import type { Database } from "../../../db/database.ts";
import {
  expiredKey,
  forgottenBefore,
  keyInProgress,
  type RequestKey,
  refuseUnlessReplayable,
  reusedKey,
} from "../../../http/idempotency.ts";
import { Problem } from "../../../http/problem.ts";
import type { HandOver } from "../../../lanes/hand-over.ts";
import { atMost } from "../../../lib/at-most.ts";
import { pause } from "../../../lib/clock.ts";
import { parseId } from "../../../lib/ids.ts";
import { hintCommitted } from "../../events/event.ts";
import type { Listeners } from "../../events/listeners.ts";
import { selectIdempotencyKeyRow } from "../read.store.ts";
import { renderMessage, UNREPORTED } from "../render.ts";
import type { SendMessage } from "../schema.ts";
import type { Accepting, Sent } from "../send-context.ts";
import { type AcceptAnswer, acceptMessages } from "./accept.store.ts";
import type { AcceptRow } from "./accept-input.ts";
import { acceptedMessage, acceptRowOf } from "./accept-row.ts";
import type { Backlogs } from "./backlogs.ts";
import { readAccepted } from "./first-answer.store.ts";
import { refusalOf, storeFault } from "./refusals.ts";
import { isLater, type ResolveDeps, type ResolvedSend, resolveSend } from "./resolve-send.ts";

export type AcceptDeps = ResolveDeps & { listeners: Listeners; backlogs: Backlogs };

/** SQL sees an approval, a pause or a new definition before the cache does: so many rounds of resolving and accepting. */
const STALE_TRIES = 3;
/** Recipients remembered as having a contact, so that accepting need not create one. Some 100 bytes each. */
const KNOWN_RECIPIENTS = 100_000;
/** A request waits for as long for another one with its key in this process; in other processes `BatchedCalls` does. */
const TWIN_PATIENCE_MS = 2_000;

/** What became of the first of the requests with a key: refused, it left nothing and the next one tries. */
type FirstOutcome = { fingerprint: string; sent: Sent } | "refused" | "in_progress";

/** A message that was alone in its call is sent without reading the queue; the owners of the others' numbers are hinted. */
function handAccepted(
  notifier: App["notifier"],
  handOver: HandOver,
  rows: readonly AcceptRow[],
  answers: readonly AcceptAnswer[],
): void {
  const [row, answer] = [rows[0], answers[0]];
  if (rows.length === 1 && row && answer && answer.queued !== null && !row.send_at) {
    const { queued } = answer;
    const expires_at = row.expires_at ? Date.parse(row.expires_at) : null;
    const { workspace_id, id: item_id } = row;
    handOver.give("dispatch", [{ ...queued, workspace_id, item_id, event_id: null, expires_at }]);
  } else {
    const accepted = answers.filter(({ outcome }) => outcome === "accepted");
    notifier.hint("dispatch", new Set(accepted.flatMap(({ slot }) => (slot === null ? [] : [slot]))));
  }
}

/** Accepts messages: message, queue row, key, event and audit row are on disk together, or none of them is. */
export class Accept {
  readonly #clock: App["clock"];
  readonly #deps: AcceptDeps;
  readonly #batch: CallsOf<typeof acceptMessages>;
  readonly #firstAnswers: CallsOf<typeof readAccepted>;
  readonly #known = new LRUCache<string, true>(atMost(KNOWN_RECIPIENTS));
  // Requests with the same key in this process wait here for the first: they take no connection, and no batch ever holds one
  // key twice.
  readonly #running = new Map<string, Promise<FirstOutcome>>();

  constructor(app: App, deps: AcceptDeps) {
    const { db, clock } = app;
    this.#clock = clock;
    this.#deps = deps;
    this.#firstAnswers = new BatchedCalls({ db, clock, fn: readAccepted, group: (row) => row.workspace_id });
    this.#batch = new BatchedCalls({
      db: app.db,
      clock: app.clock,
      fn: acceptMessages,
      group: (row) => row.workspace_id,
      // An unknown recipient becomes a contact, with its event; else accepting writes no event.
      weight: (row) =>
        row.new_contact_id === undefined ? 1 : deps.listeners.weightOf(row.workspace_id, "contact_created"),
      begins: (rows) => {
        const handOver = app.notifier.handOver("dispatch");
        return (answers) => {
          if (answers !== null) {
            hintCommitted(app.notifier, answers);
            handAccepted(app.notifier, handOver, rows, answers);
          }
          handOver.end();
        };
      },
    });
  }

  /** Accepts a message under a key of its own, or gives the first answer to the key again. Throws the Problem that refuses it. */
  accept(ctx: Accepting, key: RequestKey | null, body: SendMessage): Promise<Sent> {
    return key === null ? this.#execute(ctx, null, body) : this.#once(ctx, key, body);
  }

  async #once(ctx: Accepting, key: RequestKey, body: SendMessage): Promise<Sent> {
    const name = `${ctx.workspaceId}:${key.digest}`;
    const until = this.#clock.monotonic() + TWIN_PATIENCE_MS;
    for (;;) {
      const twin = this.#running.get(name);
      if (!twin) break;
      const first = await this.#outcomeOf(twin, until);
      if (first === "refused") continue;
      // Another process has the key, and the first has waited for it: each of us in turn would wait for as long again.
      if (first === "in_progress") throw keyInProgress(null);
      if (first.fingerprint !== key.fingerprint) {
        const { message } = first.sent;
        throw reusedKey({ at: new Date(message.created_at), resourceId: message.id });
      }
      return { ...first.sent, replayed: true };
    }
    let done: (first: FirstOutcome) => void = () => {};
    this.#running.set(name, new Promise((resolve) => (done = resolve)));
    let outcome: FirstOutcome = "refused";
    try {
      const sent = await this.#execute(ctx, key, body);
      outcome = { fingerprint: key.fingerprint, sent };
      return sent;
    } catch (error) {
      if (error instanceof Problem && error.code === "idempotency_in_progress") outcome = "in_progress";
      throw error;
    } finally {
      this.#running.delete(name);
      done(outcome);
    }
  }

  /** What became of the request, or `in_progress` while it is running at `until`, of the monotonic clock. */
  async #outcomeOf(twin: Promise<FirstOutcome>, until: number): Promise<FirstOutcome> {
    const ended = new AbortController();
    const late = pause(this.#clock, until - this.#clock.monotonic(), ended.signal);
    const outcome = await Promise.race([twin, late.then(() => "in_progress" as const)]);
    ended.abort();
    return outcome;
  }

  async #execute(ctx: Accepting, key: RequestKey | null, body: SendMessage): Promise<Sent> {
    for (let round = 1; ; round++) {
      let send: ResolvedSend;
      let estimate: string | null;
      try {
        send = await resolveSend(ctx, this.#deps, body);
        // A scheduled message waits for its own time, and counts from then on.
        estimate = isLater(send, ctx.now) ? send.sendAt : this.#deps.backlogs.take(send.sender, ctx.now);
      } catch (refusal) {
        // A client that lost its 202 must get it again, even if the template or the number could not be used any more.
        const replay = refusal instanceof Problem ? await this.#replayBeforeRefusal(ctx, key) : null;
        if (replay) return replay;
        throw refusal;
      }
      const recipient = recipientKey(ctx, send);
      const known = this.#known.get(recipient) === true; // `has` would not count as use
      if (!known) await this.#deps.listeners.known(ctx.workspaceId);
      const row = acceptRowOf(ctx, key, body, send, { known, estimate });
      let answer: AcceptAnswer;
      try {
        answer = await this.#batch.submit(row);
      } catch (error) {
        if (!isLater(send, ctx.now)) this.#deps.backlogs.giveBack(send.sender);
        throw storeFault(error, row);
      }
      const { outcome, resource } = answer;
      if (outcome === "accepted") {
        if (!known) this.#known.set(recipient, true);
        return { message: acceptedMessage(row, answer), replayed: false, waited: false, slot: answer.slot };
      }
      if (!isLater(send, ctx.now)) this.#deps.backlogs.giveBack(send.sender);
      if (outcome === "replay") return await this.#replayOf(ctx, resource ?? "");
      this.#forgetStale(ctx.workspaceId, outcome);
      if (outcome === "stranger") this.#known.delete(recipient);
      else if (outcome !== "stale_template") throw refusalOf(outcome, answer, row);
      if (round >= STALE_TRIES) throw refusalOf(outcome, answer, row);
    }
  }

  // These outcomes mean that SQL saw something newer than what the caches had.
  #forgetStale(workspaceId: string, outcome: AcceptAnswer["outcome"]): void {
    if (outcome !== "stale_template" && outcome !== "sender_unavailable" && outcome !== "template_not_approved") return;
    this.#deps.senders.forget(workspaceId);
    this.#deps.templates.forget(workspaceId);
  }

  async #replayBeforeRefusal(ctx: Accepting, key: RequestKey | null): Promise<Sent | null> {
    const used = key === null ? null : await firstUseOf(this.#deps.db, ctx, key);
    return used === null ? null : await this.#replayOf(ctx, used);
  }

  // Rendered again from fields that never change: the same bytes as the first time.
  async #replayOf(ctx: Accepting, publicId: string): Promise<Sent> {
    const id = parseId("msg", publicId);
    const row = id === null ? null : await this.#firstAnswers.submit({ workspace_id: ctx.workspaceId, id });
    if (row === null || row.id === null) throw expiredKey({ at: null, resourceId: publicId });
    return { message: renderMessage({ ...row, id: row.id }, UNREPORTED), replayed: true, waited: false, slot: null };
  }

  /** Resolves when no message is being accepted. */
  async stop(): Promise<void> {
    await Promise.all([this.#batch.drained(), this.#firstAnswers.drained()]);
  }
}

/**
 * The resource of the request that used the key first, null for a new key. Throws the refusal of one that another request used,
 * or whose answer is no longer kept.
 */
export async function firstUseOf(db: Database, ctx: Accepting, key: RequestKey): Promise<string | null> {
  const used = await db.read(ctx.workspaceId, (sql) =>
    selectIdempotencyKeyRow(sql, ctx.workspaceId, key.digest, key.fingerprint),
  );
  if (!used || used.created_at.getTime() <= forgottenBefore(key, ctx.now)) return null;
  refuseUnlessReplayable({ at: used.created_at, resourceId: used.resource_id }, used.same, ctx.now);
  return used.resource_id;
}

const recipientKey = (ctx: Accepting, { recipient }: ResolvedSend): string =>
  `${ctx.workspaceId} ${recipient.phone ?? recipient.userId ?? recipient.contactId ?? ""}`;
